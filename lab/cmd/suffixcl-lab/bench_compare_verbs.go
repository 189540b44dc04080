package main

import (
	"encoding/json"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/suffixcl/suffixcl/internal/bytesize"
	"github.com/suffixcl/suffixcl/internal/cli"
)

// defaultSlower is how many percent longer a verb may take: more than runs of one binary differ by.
const defaultSlower = 20

// readVerbs reads measurements of verbs; ok is false if they are of something else.
func readVerbs(name string) (r *verbsReport, ok bool, err error) {
	data, err := os.ReadFile(name)
	if err != nil {
		return nil, false, cli.WithoutPath(err)
	}
	r = new(verbsReport)
	if err := json.Unmarshal(data, r); err != nil || r.Version == 0 {
		return nil, false, nil // which readBench tells of
	}
	if r.Version != benchVersion || len(r.Results) == 0 {
		return nil, true, fmt.Errorf("not a report of bench verbs, version %d, with measurements", benchVersion)
	}
	for _, run := range r.Results {
		if run.Seconds <= 0 {
			return nil, true, fmt.Errorf("%s: no measurement", run.Case)
		}
	}
	return r, true, nil
}

// comparedVerb is a case in two reports; 0 s: it is not in that one.
type comparedVerb struct {
	Case   string  `json:"case"`
	Old    float64 `json:"old_seconds"`
	New    float64 `json:"new_seconds"`
	Ratio  float64 `json:"ratio"`     // of these, 0 if one is missing
	CPU    float64 `json:"cpu_ratio"` // of the cores, which others that use the machine change less
	Slower bool    `json:"slower"`
}

// compareVerbs puts the cases of two reports side by side, in the order of the first. What takes so many percent longer
// is slower.
func compareVerbs(before, after *verbsReport, percent float64) (rows []comparedVerb, err error) {
	switch {
	case after.Device != before.Device || after.Driver != before.Driver:
		return nil, fmt.Errorf("measured on %s, driver %s, the first on %s, driver %s", after.Device, after.Driver,
			before.Device, before.Driver)
	case after.Size != before.Size:
		return nil, fmt.Errorf("measured on inputs of %s, the first of %s", bytesize.Format(after.Size),
			bytesize.Format(before.Size))
	}
	now := map[string]verbRun{}
	for _, is := range after.Results {
		now[is.Case] = is
	}
	for _, was := range before.Results {
		row := comparedVerb{Case: was.Case, Old: was.Seconds}
		if is, ok := now[was.Case]; ok {
			row.New, row.Ratio, row.CPU = is.Seconds, is.Seconds/was.Seconds, is.CPU/max(was.CPU, 1e-9)
			row.Slower = row.Ratio >= 1+percent/100
			delete(now, was.Case)
		}
		rows = append(rows, row)
	}
	for _, is := range after.Results {
		if _, alone := now[is.Case]; alone {
			rows = append(rows, comparedVerb{Case: is.Case, New: is.Seconds})
		}
	}
	return rows, nil
}

// runCompareVerbs compares two reports, and fails if a verb has become slower.
func runCompareVerbs(w io.Writer, names []string, percent float64, asJSON bool) error {
	if len(names) != 2 {
		return cli.Usage("measurements of verbs: want two of them, the old and the new")
	}
	var reports [2]*verbsReport
	for i, name := range names {
		r, ok, err := readVerbs(name)
		if err == nil && !ok {
			err = fmt.Errorf("a report of another kind than the first")
		}
		if err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
		reports[i] = r
	}
	rows, err := compareVerbs(reports[0], reports[1], percent)
	if err != nil {
		return fmt.Errorf("%s: %w", names[1], err)
	}
	if asJSON {
		err = cli.PrintJSON(w, map[string]any{"reports": reports, "rows": rows})
	} else {
		err = printComparedVerbs(w, reports, rows)
	}
	if err != nil {
		return cli.StandardOutput(err)
	}
	var slower []string
	for _, row := range rows {
		if row.Slower {
			slower = append(slower, fmt.Sprintf("%s (%.2f times the time)", row.Case, row.Ratio))
		}
	}
	if len(slower) > 0 {
		return cli.Mismatch("slower by %g %% or more: %s", percent, strings.Join(slower, ", "))
	}
	return nil
}

func printComparedVerbs(w io.Writer, reports [2]*verbsReport, rows []comparedVerb) error {
	t := sheet{title: reports[0].Device + ", driver " + reports[0].Driver + "\nold: " + reports[0].Library + "\nnew: " +
		reports[1].Library, rows: [][]string{{"verb", "old, s", "new, s", "new over old", "of cores", ""}}}
	seconds := func(v float64) string {
		if v == 0 {
			return "-"
		}
		return fmt.Sprintf("%.3f", v)
	}
	for _, row := range rows {
		ratio, cpu, mark := "-", "-", ""
		if row.Ratio > 0 {
			ratio, cpu = fmt.Sprintf("%.2f", row.Ratio), fmt.Sprintf("%.2f", row.CPU)
		}
		if row.Slower {
			mark = "slower"
		}
		t.rows = append(t.rows, []string{row.Case, seconds(row.Old), seconds(row.New), ratio, cpu, mark})
	}
	return t.print(w)
}
