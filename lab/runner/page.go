package runner

import (
	_ "embed"
	"fmt"
	"html/template"
	"io"
	"slices"
	"strings"
)

//go:embed page.html
var pageText string

var page = template.Must(template.New("page").Parse(pageText))

// field counts the cells of a place in a table.
type field struct {
	ID          string
	Passed, All int
	Cells       []Cell // where they are shown
	Bad         []Cell
}

func (f *field) add(c Cell) {
	f.All++
	if c.Result == Passed {
		f.Passed++
	} else {
		f.Bad = append(f.Bad, c)
	}
}

type row struct {
	Name   string
	Fields []field
}

// table is rows, in the order in which they come up, of the same columns.
type table struct {
	Title string
	Rows  []row
	ids   string // a prefix
	index map[string]int
}

func newTable(title, ids string) *table {
	return &table{Title: title, ids: ids, index: map[string]int{}}
}

// at is the field of a row, which is added if it is new.
func (t *table) at(name string, column, columns int) *field {
	at, ok := t.index[name]
	if !ok {
		at = len(t.Rows)
		t.index[name] = at
		t.Rows = append(t.Rows, row{name, make([]field, columns)})
	}
	f := &t.Rows[at].Fields[column]
	f.ID = fmt.Sprintf("%s-%d-%d", t.ids, at, column)
	return f
}

// section is what the page has of a run.
type section struct {
	*Run
	Summary *RunSummary
	Letter  string // by which the run is called in tables and charts
	Hue     int    // of its marks there, in degrees
	Columns []string
	Table   *table
	GiB     string
	Copy    string
	Passed  int
}

// overview is a table with the runs as columns.
type overview struct {
	Table *table
	Runs  []section
}

// letter is A, B, …, Z, A1, …
func letter(i int) string {
	l := string(rune('A' + i%26))
	if i >= 26 {
		l += fmt.Sprint(i / 26)
	}
	return l
}

// Page writes the report as one self-contained HTML page.
func (r *Report) Page(w io.Writer) error {
	data := struct {
		Failures, Cells int
		Runs            []section
		Tables          []overview // by subject of each kind
		Classes         overview
		Charts          []chart
	}{Failures: r.Failures()}
	n := len(r.Runs)
	all := make(map[string]*table)
	for _, kind := range kinds {
		all[kind] = newTable(kind+"s", "")
	}
	classes := newTable("classes of inputs", "")
	for i, run := range r.Runs {
		data.Cells += len(run.Cells)
		s := section{
			Run: run, Summary: run.Summary(), Letter: letter(i), Hue: 210 + 137*i,
			Columns: run.Variants(), Table: newTable("", fmt.Sprint("f", i)),
			GiB: fmt.Sprintf("%.1f", float64(run.Memory)/(1<<30)),
		}
		s.Passed, _ = run.Count()
		if gbps := s.Summary.CopyGBps(); gbps > 0 {
			s.Copy = engineering(gbps*1e9) + "B/s"
		}
		for _, c := range run.Cells {
			f := s.Table.at(c.Subject, slices.Index(s.Columns, c.Variant), len(s.Columns))
			f.add(c)
			f.Cells = append(f.Cells, c)
			if t := all[c.Kind]; t != nil {
				t.at(c.Subject, i, n).add(c)
			}
			classes.at(strings.TrimPrefix(c.Class, "accept/"), i, n).add(c) // inputs that a verifier accepts
		}
		data.Runs = append(data.Runs, s)
	}
	for _, kind := range kinds {
		if t := all[kind]; len(t.Rows) > 0 {
			data.Tables = append(data.Tables, overview{t, data.Runs})
		}
	}
	data.Classes = overview{classes, data.Runs}
	data.Charts = charts(data.Runs)
	return page.Execute(w, data)
}
