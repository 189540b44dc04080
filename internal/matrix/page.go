package matrix

import (
	_ "embed"
	"fmt"
	"html/template"
	"io"
)

//go:embed page.html
var pageText string

var page = template.Must(template.New("page").Parse(pageText))

// field is a subject in a variant.
type field struct {
	ID          string
	Passed, All int
	Bad         []Cell
}

type row struct {
	Name   string
	Fields []field
}

type section struct {
	*Run
	Columns []string
	Rows    []row
	GiB     string
}

// Page writes the report as one self-contained HTML page.
func (r *Report) Page(w io.Writer) error {
	data := struct {
		Failures, Cells int
		Runs            []section
	}{Failures: r.Failures()}
	for i, run := range r.Runs {
		data.Cells += len(run.Cells)
		s := section{Run: run, Columns: run.Variants(), GiB: fmt.Sprintf("%.1f", float64(run.Memory)/(1<<30))}
		column := make(map[string]int)
		for at, v := range s.Columns {
			column[v] = at
		}
		rows := make(map[string]int)
		for _, c := range run.Cells {
			at, ok := rows[c.Subject]
			if !ok {
				at = len(s.Rows)
				rows[c.Subject] = at
				s.Rows = append(s.Rows, row{c.Subject, make([]field, len(s.Columns))})
			}
			f := &s.Rows[at].Fields[column[c.Variant]]
			f.ID = fmt.Sprintf("f%d-%d-%d", i, at, column[c.Variant])
			f.All++
			if c.Result == Passed {
				f.Passed++
			} else {
				f.Bad = append(f.Bad, c)
			}
		}
		data.Runs = append(data.Runs, s)
	}
	return page.Execute(w, data)
}
