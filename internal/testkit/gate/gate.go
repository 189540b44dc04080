// Package gate runs every verb of the user's command on every kind of input, on small texts, and compares the results
// with definitions: the table of docs/conformance.md. It tells which verb takes what, and on which devices that has
// run. `suffixcl-lab gate` runs it with all of conformance.
package gate

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"golang.org/x/sync/errgroup"
)

// Options of a run.
type Options struct {
	Run    Runner
	Length int // symbols of a text
	Seed   uint64
	AtOnce int // cells at a time
	// Leave tells which cells are left out; may be nil.
	Leave func(verb, kind string) bool
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

func allTrials(o Options) (list []*trial) {
	for _, v := range verbs() {
		for _, k := range Kinds() {
			if o.Leave != nil && o.Leave(v.name, k.Name) {
				continue
			}
			list = append(list, &trial{run: o.Run, seed: o.Seed, in: newInput(k, o.Length, o.Seed), verb: &v,
				cell: Cell{Verb: v.name, Kind: k.Name}})
		}
	}
	return list
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

// noteOf is the number of a note from 1, which is added.
func noteOf(note string, notes *[]string) int {
	at := slices.Index(*notes, note)
	if at < 0 {
		at = len(*notes)
		*notes = append(*notes, note)
	}
	return at + 1
}
