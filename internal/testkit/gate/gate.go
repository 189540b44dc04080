// Package gate runs every verb of the user's command on every kind of input, on small texts, and compares the results
// with definitions: the table of docs/conformance.md. It tells which verb takes what, and on which devices that has
// run. `suffixcl-lab gate` runs it with all of conformance.
package gate

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"

	"golang.org/x/sync/errgroup"
)

// Version is that of the JSON; see docs/conformance.md.
const Version = 1

// Report is what became of each cell on a device.
type Report struct {
	Version  int    `json:"suffixcl_verbs"`
	Device   string `json:"device"`
	Platform string `json:"platform"`
	Driver   string `json:"driver"`
	System   string `json:"system"`
	Library  string `json:"library"`
	Began    string `json:"began"` // RFC 3339
	Cells    []Cell `json:"cells"`
}

// Cell is a verb on a kind of input.
type Cell struct {
	Verb    string `json:"verb"`
	Kind    string `json:"kind"`
	Result  Result `json:"result"`
	Command string `json:"command"` // the last one that was run
	Why     string `json:"why,omitempty"`
}

// Result of a cell.
type Result string

// The results. What is refused is told by the command, as wrong usage or a bad file. What is absent needs a program
// that is not installed.
const (
	Right   Result = "right"
	Refused Result = "refused"
	Absent  Result = "absent"
	Wrong   Result = "wrong"
)

// Runner runs the command with arguments in a directory, and returns its exit code and what it wrote.
type Runner func(ctx context.Context, dir string, args ...string) (code int, out, errs string, err error)

// Options of a run.
type Options struct {
	Run    Runner
	Length int // symbols of a text
	Seed   uint64
	AtOnce int // cells at a time
	// Ended is told of each cell, and how many there are in all; may be nil.
	Ended func(c Cell, all int)
}

// Run runs all cells. Errors: the context's, and of the file system. What a verb does wrong is in the cells.
func Run(ctx context.Context, o Options) ([]Cell, error) {
	dir, err := os.MkdirTemp("", "suffixcl-gate-")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	var cells []Cell
	g, all := errgroup.WithContext(ctx)
	g.SetLimit(max(o.AtOnce, 1))
	var mu sync.Mutex
	trials := allTrials(o)
	cells = make([]Cell, len(trials))
	for i, t := range trials {
		g.Go(func() error {
			t.ctx, t.dir = all, filepath.Join(dir, fmt.Sprint(i))
			if err := t.judge(); err != nil {
				return err
			}
			if err := all.Err(); err != nil {
				return context.Cause(all)
			}
			cells[i] = t.cell
			mu.Lock()
			defer mu.Unlock()
			if o.Ended != nil {
				o.Ended(t.cell, len(trials))
			}
			return nil
		})
	}
	return cells, g.Wait()
}

// trial is a cell that runs.
type trial struct {
	ctx  context.Context
	run  Runner
	dir  string
	seed uint64
	in   *input
	verb *verb
	cell Cell
}

func allTrials(o Options) (list []*trial) {
	for _, v := range verbs() {
		for _, k := range Kinds() {
			list = append(list, &trial{run: o.Run, seed: o.Seed, in: newInput(k, o.Length, o.Seed), verb: &v,
				cell: Cell{Verb: v.name, Kind: k.Name}})
		}
	}
	return list
}

// refusal is what a command that failed said.
type refusal struct {
	code int
	said string
}

func (e *refusal) Error() string { return fmt.Sprintf("exit code %d: %s", e.code, e.said) }

// exit codes of a command that refuses what it is given: cli.ExitFailed for a file, cli.ExitUsage for flags.
const (
	exitFailed = 1
	exitUsage  = 2
	exitVerify = 5
)

// judge runs the cell. Errors are those of the file system.
func (t *trial) judge() error {
	if err := os.Mkdir(t.dir, 0o777); err != nil {
		return err
	}
	if err := os.WriteFile(filepath.Join(t.dir, "text"), t.in.file, 0o666); err != nil {
		return err
	}
	flags, takes := t.verb.flagsOf(t.in.Kind)
	if !takes {
		t.judgeRefusal(flags)
		return nil
	}
	if t.verb.needs != nil {
		if why := t.verb.needs(); why != "" {
			t.cell.Result, t.cell.Why = Absent, why
			return nil
		}
	}
	if err := t.verb.run(t, flags); err != nil {
		t.cell.Result, t.cell.Why = Wrong, err.Error()
	} else {
		t.cell.Result = Right
	}
	return nil
}

// judgeRefusal expects the verb to refuse what it does not take, and says why.
func (t *trial) judgeRefusal(flags []string) {
	args := strings.Fields(t.verb.name)
	if t.in.Name != kindNone {
		args = append(args, "text")
		args = append(args, t.verb.rest...)
	}
	_, err := t.command(append(args, flags...)...)
	r, refused := err.(*refusal)
	bad, failing := t.verb.bad[t.in.Name]
	switch {
	case err == nil:
		t.cell.Result, t.cell.Why = Wrong, "it is taken, against the table of verbs"
	case refused && (r.code == exitUsage || failing && r.code == exitFailed && strings.Contains(r.said, bad)):
		t.cell.Result, t.cell.Why = Refused, r.said
	default:
		t.cell.Result, t.cell.Why = Wrong, err.Error()
	}
}

// command runs the command, which must succeed: else the error is a *refusal.
func (t *trial) command(args ...string) (out string, err error) {
	t.cell.Command = "suffixcl " + strings.Join(args, " ")
	code, out, errs, err := t.run(t.ctx, t.dir, args...)
	if err != nil {
		return out, err
	}
	if code != 0 {
		return out, &refusal{code, said(errs, t.verb.name)}
	}
	return out, nil
}

// said is a message without the names of command and verb, and without where to read on.
func said(message, verb string) string {
	lines := strings.Split(strings.TrimSpace(message), "\n")
	line := strings.TrimPrefix(lines[len(lines)-1], "suffixcl: ")
	line, _, _ = strings.Cut(line, " (see suffixcl ")
	words := strings.Fields(verb)
	return strings.TrimPrefix(strings.TrimPrefix(line, verb+": "), words[len(words)-1]+": ")
}

// get reads a file of the trial.
func (t *trial) get(name string) ([]byte, error) { return os.ReadFile(filepath.Join(t.dir, name)) }

// put writes one.
func (t *trial) put(name string, data []byte) error {
	return os.WriteFile(filepath.Join(t.dir, name), data, 0o666)
}

// Wrong are the cells that are wrong.
func (r *Report) Wrong() (list []Cell) {
	for _, c := range r.Cells {
		if c.Result == Wrong {
			list = append(list, c)
		}
	}
	return list
}

// Count is how many cells have a result.
func (r *Report) Count(of Result) (n int) {
	for _, c := range r.Cells {
		if c.Result == of {
			n++
		}
	}
	return n
}

// Write writes the report as JSON, with a cell a line.
func (r *Report) Write(w io.Writer) error {
	data, err := json.Marshal(r)
	if err != nil {
		return err
	}
	text := strings.ReplaceAll(string(data), `{"verb":`, "\n"+`{"verb":`)
	_, err = io.WriteString(w, text+"\n")
	return err
}

// Parse reads a report. Errors: what is none of this version, or has a cell twice.
func Parse(data []byte) (*Report, error) {
	r := new(Report)
	if err := json.Unmarshal(data, r); err != nil {
		return nil, err
	}
	if r.Version != Version || r.Device == "" {
		return nil, fmt.Errorf("not a report on verbs of version %d", Version)
	}
	seen := map[[2]string]bool{}
	for _, c := range r.Cells {
		if seen[[2]string{c.Verb, c.Kind}] {
			return nil, fmt.Errorf("%s, %s is there twice", c.Verb, c.Kind)
		}
		seen[[2]string{c.Verb, c.Kind}] = true
	}
	return r, nil
}

// find is the cell of a verb and a kind; one that is not there has no result.
func (r *Report) find(verb, kind string) Cell {
	i := slices.IndexFunc(r.Cells, func(c Cell) bool { return c.Verb == verb && c.Kind == kind })
	if i < 0 {
		return Cell{Verb: verb, Kind: kind}
	}
	return r.Cells[i]
}

// Markdown is the table of verbs and kinds of reports, by their names. What has the digest of other kernels is marked.
func Markdown(names []string, reports []*Report, mark func(library string) string) string {
	var b strings.Builder
	b.WriteString("| | device, driver | revision |\n|---|---|---|\n")
	for i, r := range reports {
		fmt.Fprintf(&b, "| %s | %s, %s %s, %s | %s |\n", names[i], r.Device, r.Platform, r.Driver, r.System, mark(r.Library))
	}
	b.WriteString("\n| verb |")
	for _, k := range Kinds() {
		b.WriteString(" " + k.Name + " |")
	}
	b.WriteString("\n|---|" + strings.Repeat("---|", len(Kinds())) + "\n")
	var notes []string
	for _, v := range verbs() {
		b.WriteString("| `" + v.name + "` |")
		for _, k := range Kinds() {
			b.WriteString(" " + cellOf(names, reports, v.name, k.Name, &notes) + " |")
		}
		b.WriteString("\n")
	}
	b.WriteString("\n| | what the command says |\n|---|---|\n")
	for i, note := range notes {
		fmt.Fprintf(&b, "| %d | %s |\n", i+1, strings.ReplaceAll(note, "|", `\|`))
	}
	return b.String()
}

// cellOf is a cell of the table: right, if it is on all devices; else what it is, with the devices, and notes that say
// why.
func cellOf(names []string, reports []*Report, verb, kind string, notes *[]string) string {
	var texts, of []string
	for i, r := range reports {
		c := r.find(verb, kind)
		text := string(c.Result)
		switch {
		case c.Result == "":
			text = "not run"
		case c.Result == Refused || c.Result == Absent:
			text = fmt.Sprint(noteOf(c.Said(), notes))
		case c.Result == Wrong:
			text = "**wrong**"
		}
		if at := slices.Index(texts, text); at >= 0 {
			of[at] += ", " + names[i]
		} else {
			texts, of = append(texts, text), append(of, names[i])
		}
	}
	if len(texts) == 1 {
		return texts[0]
	}
	for i := range texts {
		texts[i] += " (" + of[i] + ")"
	}
	return strings.Join(texts, ", ")
}

// place is where in a text something is wrong: that differs with the seed.
var place = regexp.MustCompile(`line \d+, byte \d+`)

// Said is what the command says where it refuses, the same for all seeds.
func (c *Cell) Said() string { return place.ReplaceAllString(c.Why, "line L, byte B") }

// noteOf is the number of a note from 1, which is added.
func noteOf(note string, notes *[]string) int {
	at := slices.Index(*notes, note)
	if at < 0 {
		at = len(*notes)
		*notes = append(*notes, note)
	}
	return at + 1
}
