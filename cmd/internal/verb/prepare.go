package verb

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/suffixcl/suffixcl"
	"github.com/suffixcl/suffixcl/cmd/internal/report"
	"github.com/suffixcl/suffixcl/cmd/internal/session"
	"github.com/suffixcl/suffixcl/device"
	"github.com/suffixcl/suffixcl/internal/bytesize"
	"github.com/suffixcl/suffixcl/internal/cli"
	"github.com/suffixcl/suffixcl/internal/tuned"
)

const prepareHelp = `Build the programs of verbs before they are needed, and keep them: for images and clusters,
and for a first run that is as fast as the second. What is there already is not built again.

Programs are for one device and version of its driver. SUFFIXCL_CACHE names the directory,
if that is not to be the user's. Drivers keep files of their own, which are listed, too: an
image needs both. After an update of the driver or of suffixcl they are built anew.

--export FILE also writes the programs to an archive, a zip file, for other machines.
SUFFIXCL_CACHE may name archives, directories in which they were unpacked, and several of
both, separated as in PATH. They are only read: the first directory that can be written
keeps what they lack, else the user's. An archive of NVIDIA has PTX: it is for this device
and newer ones, this driver and newer ones. Others are for this device and driver. What
does not fit is left out, with a note.

All verbs that compute on a device are known. What only some calls need is built when it is
first needed: sorting in ranges and over ranks, a sorter of --algorithm, and --symbols,
--set, --order and --documents of the verbs for text.`

type prepareFlags struct {
	cli.DeviceFlags
	known  []Verb // that have programs
	verbs  []string
	export string // archive to write
	json   bool
	quiet  bool
}

// Prepare builds the programs of these verbs.
func Prepare(list []func() Verb) Verb {
	var f prepareFlags
	for _, of := range list {
		if v := of(); v.Prepares != nil {
			f.known = append(f.known, v)
		}
	}
	c := &cobra.Command{
		Use:   "prepare",
		Short: "Build the programs of verbs ahead",
		Long:  prepareHelp,
		Example: "  suffixcl prepare --for sa,bwt\n  SUFFIXCL_CACHE=/opt/suffixcl suffixcl prepare --device gpu\n" +
			"  suffixcl prepare --for sa --export sa.zip",
	}
	v := Verb{Command: c, Writes: []cli.Produced{cli.Writes("export", "archive of programs"),
		cli.Writes(cli.Stdout, "text", "JSON")}}
	v.Check = func([]string) error {
		err := cmp.Or(cli.CheckList(c.Flags(), "for", f.verbs), f.check(c.Root()))
		if err == nil && c.Flags().Changed("export") && (f.export == "" || f.export == "-") {
			err = cli.Usage("--export: want the name of a file")
		}
		return err
	}
	v.Run = func(ctx context.Context, _ []string) error { return f.run(ctx) }
	f.DeviceFlags.Add(c.Flags())
	c.Flags().StringSliceVar(&f.verbs, "for", nil, "verbs, separated by commas; all of "+
		strings.Join(namesOf(f.known), ", ")+" if none is given")
	c.Flags().StringVar(&f.export, "export", "", "file for an archive of the programs, for other machines")
	cli.AddJSON(c.Flags(), &f.json)
	cli.AddQuiet(c.Flags(), &f.quiet)
	return v
}

// PrepareReport is the result as JSON.
type PrepareReport struct {
	Device   string          `json:"device"`
	Platform string          `json:"platform"`
	Driver   string          `json:"driver"`
	Verbs    []string        `json:"verbs"`
	Programs int             `json:"programs"` // that the verbs may need
	Seconds  float64         `json:"seconds"`
	Caches   []preparedCache `json:"caches"`
	Archive  preparedArchive `json:"archive"`
}

// preparedArchive is what --export wrote; the zero value without it.
type preparedArchive struct {
	File     string `json:"file"`
	Programs int    `json:"programs"`
	Bytes    int64  `json:"bytes"`
}

// preparedCache is a directory of programs.
type preparedCache struct {
	Dir   string `json:"dir"`
	Files int    `json:"files"`
	Bytes int64  `json:"bytes"`
}

// check fills in the verbs, and tells of those that there are not, or that have no programs.
func (f *prepareFlags) check(root *cobra.Command) error {
	known := namesOf(f.known)
	if len(f.verbs) == 0 {
		f.verbs = known
	}
	f.verbs = withoutCopies(f.verbs)
	for _, name := range f.verbs {
		isVerb := slices.ContainsFunc(root.Commands(), func(c *cobra.Command) bool { return !c.Hidden && c.Name() == name })
		switch {
		case slices.Contains(known, name):
		case isVerb:
			return cli.Usage("--for: %s has no programs of its own to prepare; those that have are %s", name,
				strings.Join(known, ", "))
		default:
			return cli.Usage("--for: there is no verb %q to prepare for; there are %s", name, strings.Join(known, ", "))
		}
	}
	return nil
}

// withoutCopies are the words, each where it is first.
func withoutCopies(words []string) (once []string) {
	for _, w := range words {
		if !slices.Contains(once, w) {
			once = append(once, w)
		}
	}
	return once
}

func (f *prepareFlags) run(ctx context.Context) error {
	began := time.Now()
	r := PrepareReport{Verbs: f.verbs}
	var archive *cli.Output
	if f.export != "" {
		var err error
		if archive, err = cli.NewOutput(f.export); err != nil {
			return err
		}
		defer archive.Discard()
	}
	progress := cli.NewProgress(f.quiet)
	defer progress.Stop()
	c := f.Config()
	c.Helper = session.Helper
	var s *device.Session
	c.OnBuild = func(string) (built func()) {
		progress.Compiling(session.ProgramsOf(s))
		return progress.Compiled
	}
	s, err := cli.OpenDevice(c)
	if err != nil {
		return err
	}
	e, err := suffixcl.New(s, suffixcl.EngineOptions{})
	if err != nil {
		s.Close()
		return err
	}
	defer e.Close()
	if err := f.prepare(ctx, e, s); err != nil {
		return err
	}
	if archive != nil {
		if r.Archive, err = f.write(ctx, s, archive); err != nil {
			return err
		}
	}
	progress.Stop()
	if !f.quiet {
		note(s)
	}
	caps := e.Caps()
	r.Device, r.Platform, r.Driver, r.Seconds = caps.Name, caps.Platform, caps.DriverVersion, time.Since(began).Seconds()
	r.Programs = len(tuned.Sources(s))
	for _, dir := range tuned.Caches(s) {
		r.Caches = append(r.Caches, SizeOfCache(dir))
	}
	if f.json {
		return cli.PrintJSON(os.Stdout, &r)
	}
	return r.print()
}

// write writes the archive.
func (f *prepareFlags) write(ctx context.Context, s *device.Session, to *cli.Output) (a preparedArchive, err error) {
	a.File = to.Name
	err = to.Write(ctx, func(w io.Writer) error {
		counted := &counter{w: w}
		a.Programs, err = tuned.Export(ctx, s, counted)
		a.Bytes = counted.bytes
		return err
	})
	if err == nil {
		err = cli.Commit(to)
	}
	if info, told := os.Stat(to.Name); err == nil && told == nil && to.IsFile() {
		err = os.Chmod(to.Name, info.Mode().Perm()&^0o022) // what others can write is not read
	}
	return a, err
}

// counter counts what is written.
type counter struct {
	w     io.Writer
	bytes int64
}

func (c *counter) Write(data []byte) (int, error) {
	n, err := c.w.Write(data)
	c.bytes += int64(n)
	return n, err
}

// note tells of drivers and caches that are not used.
func note(s *device.Session) {
	cli.NoteDrivers()
	cli.NoteCaches(s)
}

// prepare builds what the verbs plan, and calls what plans nothing.
func (f *prepareFlags) prepare(ctx context.Context, e *suffixcl.Engine, s *device.Session) error {
	wanted := slices.DeleteFunc(slices.Clone(f.known), func(v Verb) bool { return !slices.Contains(f.verbs, v.Name()) })
	for _, v := range wanted {
		if err := v.Prepares.plan(ctx, e, s); err != nil {
			return err
		}
	}
	for _, v := range wanted {
		if v.Prepares.Begin != nil {
			if err := v.Prepares.Begin(s); err != nil {
				return err
			}
		}
	}
	if err := tuned.Prepare(ctx, s, true); err != nil {
		return err
	}
	for _, v := range wanted {
		if v.Prepares.Rehearse != nil {
			if err := v.Prepares.Rehearse(ctx, e, session.SelfTestText()); err != nil {
				return err
			}
		}
	}
	return nil
}

// namesOf are those of verbs.
func namesOf(list []Verb) (names []string) {
	for _, v := range list {
		names = append(names, v.Name())
	}
	return names
}

// SizeOfCache counts the files of a directory. What cannot be read counts as nothing.
func SizeOfCache(dir string) preparedCache {
	c := preparedCache{Dir: dir}
	_ = filepath.WalkDir(dir, func(_ string, f fs.DirEntry, err error) error {
		if err != nil || !f.Type().IsRegular() {
			return nil
		}
		if info, err := f.Info(); err == nil {
			c.Files++
			c.Bytes += info.Size()
		}
		return nil
	})
	return c
}

func (r *PrepareReport) print() error {
	var b strings.Builder
	fmt.Fprintf(&b, "%s: %s for %s are ready, %s\n", r.Device, bytesize.Count(r.Programs, "program"),
		strings.Join(r.Verbs, ", "), report.Short(r.Seconds))
	for _, c := range r.Caches {
		fmt.Fprintf(&b, "  %s: %s, %s\n", c.Dir, bytesize.Count(c.Files, "file"), bytesize.Format(c.Bytes))
	}
	if a := r.Archive; a.File != "" {
		fmt.Fprintf(&b, "  archive %s: %s, %s\n", a.File, bytesize.Count(a.Programs, "program"), bytesize.Format(a.Bytes))
	}
	_, err := fmt.Print(b.String())
	return cli.StandardOutput(err)
}
