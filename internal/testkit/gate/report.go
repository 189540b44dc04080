package gate

import (
	"encoding/json"
	"fmt"
	"io"
	"regexp"
	"slices"
	"strings"
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

// place is where in a text something is wrong: that differs with the seed.
var place = regexp.MustCompile(`line \d+, byte \d+`)

// Said is what the command says where it refuses, the same for all seeds.
func (c *Cell) Said() string { return place.ReplaceAllString(c.Why, "line L, byte B") }
