// Package session opens the devices that a verb computes on, with their engines, and
// shows its progress.
package session

import (
	"context"
	"os"
	"time"

	"github.com/suffixcl/suffixcl"
	"github.com/suffixcl/suffixcl/cmd/internal/options"
	"github.com/suffixcl/suffixcl/device"
	"github.com/suffixcl/suffixcl/internal/cli"
	"github.com/suffixcl/suffixcl/internal/driver"
	"github.com/suffixcl/suffixcl/internal/hooks"
	"github.com/suffixcl/suffixcl/internal/tuned"
)

// Helper is this command, by its path, or empty where the system does not tell: a process of it builds programs.
var Helper string

// Ends says that the process ends with its verb.
var Ends bool

// Session is what a verb computes on: the devices that its flags choose, with their engines, and the progress that
// people see.
type Session struct {
	Flags    *options.Job
	Progress *cli.Progress
	Device   *device.Session
	Engine   *suffixcl.Engine
	Others   []*suffixcl.Engine // of the other devices of --device
	Stats    suffixcl.Stats     // of the engine's calls, by measured
	seconds  *cli.Stages        // of which it tells those to open and to compile
	noted    int                // notes of caches that were told
}

// New is a session without devices, which tells its times in seconds.
func New(flags *options.Job, seconds *cli.Stages) *Session {
	return &Session{Flags: flags, Progress: cli.NewProgress(flags.Quiet), seconds: seconds}
}

// Close releases the devices and takes the progress off the screen.
func (s *Session) Close() {
	s.Progress.Stop()
	if s.Engine != nil {
		s.noteCaches()
		CloseEngine(s.Engine, s.Device)
	}
	for _, e := range s.Others {
		e.Close()
	}
}

// CloseEngine closes an engine and its session at the end of a verb.
func CloseEngine(e *suffixcl.Engine, s *device.Session) {
	if Ends {
		_ = tuned.Leave(s) // the results are there
		return
	}
	e.Close()
}

// OpenDevice opens the devices that the flags choose, and makes the engines.
func (s *Session) OpenDevice() error {
	return cli.Timed(&s.seconds.Open, func() error {
		if err := s.openFirst(); err != nil {
			return err
		}
		return s.openOthers()
	})
}

// openFirst opens the device whose engine does the work.
func (s *Session) openFirst() error {
	c := s.Flags.Config()
	c.Profile = s.Flags.Profile || s.Flags.Phases
	c.Helper = Helper
	if names := s.Flags.Devices(); len(names) > 0 {
		if c.Selector = names[0]; c.Selector == options.AllDevices {
			c.Selector = "auto"
		}
	}
	c.OnBuild = func(string) (built func()) {
		s.Progress.Compiling(ProgramsOf(s.Device))
		began := time.Now()
		return func() {
			s.Progress.Compiled()
			if s.Engine != nil { // else it is a part of opening
				s.seconds.Compile += time.Since(began).Seconds()
			}
		}
	}
	opened, err := cli.OpenDevice(c)
	if err != nil {
		return err
	}
	s.Device = opened
	for _, why := range hooks.LeftOut() {
		s.Note("%v", why)
	}
	s.noteCaches()
	if opened.Caps().CPUShape && (c.Selector == "" || c.Selector == "auto") && os.Getenv("SUFFIXCL_DEVICE") == "" {
		s.noteUnseen()
	}
	s.Engine, err = suffixcl.New(opened, suffixcl.EngineOptions{
		Algorithm: s.Flags.Sorter(),
		Progress:  s.Progress.Update,
	})
	if err != nil {
		opened.Close()
	}
	return err
}

// noteUnseen tells of GPUs that the system shows, where a CPU does the work.
func (s *Session) noteUnseen() {
	for _, gpu := range driver.Visible("/") {
		s.Note("%s is a GPU's (%s), and no OpenCL driver shows it: %s", gpu.File, gpu.Vendor, gpu.Advice)
	}
}

// noteCaches tells what is not used of the places of programs, once.
func (s *Session) noteCaches() {
	for notes := tuned.CacheNotes(s.Device); s.noted < len(notes); s.noted++ {
		s.Note("%s", notes[s.noted])
	}
}

// openOthers opens the devices of --device after the first, which is open.
func (s *Session) openOthers() error {
	names := s.Flags.Devices()
	if len(names) == 0 {
		return nil
	}
	open := func(c device.Config) error {
		c.MaxMemory, c.Helper = int64(s.Flags.MaxMemory), Helper
		opened, err := cli.OpenDevice(c)
		if err != nil {
			return err
		}
		e, err := suffixcl.New(opened, suffixcl.EngineOptions{Algorithm: s.Flags.Sorter()})
		if err != nil {
			opened.Close()
			return err
		}
		s.Others = append(s.Others, e)
		return nil
	}
	if s.Flags.Device != options.AllDevices {
		for _, name := range names[1:] {
			if err := open(device.Config{Selector: name}); err != nil {
				return err
			}
		}
		return nil
	}
	alike, err := cli.Alike(s.Engine.Caps())
	if err != nil {
		return err
	}
	for _, d := range alike {
		if err := open(device.Config{Device: d}); err != nil {
			return err
		}
	}
	return nil
}

// Measured is the context for calls of the engine, whose statistics the report has.
func (s *Session) Measured(ctx context.Context) context.Context {
	return suffixcl.WithStats(ctx, &s.Stats)
}

// Note tells people something that is no error.
func (s *Session) Note(format string, args ...any) {
	if !s.Flags.Quiet {
		s.Progress.Stop()
		cli.Tell("suffixcl: note: "+format+"\n", args...)
	}
}

// ProgramsOf is what the progress tells of the programs of a session: how many are built, of how many that are known
// to be needed. The session is nil while it opens.
func ProgramsOf(s *device.Session) func() (built, all int) {
	return func() (built, all int) {
		if s != nil {
			built, all = tuned.Ahead(s)
		}
		return built, all
	}
}
