package tune

import (
	"bytes"
	"embed"
	"encoding/json"
	"fmt"
	"io/fs"
	"maps"
	"path"
	"slices"
	"sync"
)

// rowFiles is the built-in table, a file for each row.
//
//go:embed rows/*.json
var rowFiles embed.FS

// Row has the parameters of a device, an architecture, a vendor or a kind. The row of a kind
// has all that devices of its shape use; another has what was chosen for its devices, and the
// rest is as in the row of its kind.
type Row struct {
	Match      Key            `json:"match"`
	Parameters map[string]int `json:"parameters"` // by their paths in Set, as in Entry
	From       []Source       `json:"from"`
	Set        Set            `json:"-"` // complete
}

// Source says where values come from: a measurement, or what was reasoned.
type Source struct {
	Parameters []string `json:"parameters"`       // paths in Set, or their beginnings, such as "Scan"
	Device     string   `json:"device,omitempty"` // empty: nothing was measured
	Driver     string   `json:"driver,omitempty"`
	Date       string   `json:"date"` // YYYY-MM-DD
	Note       string   `json:"note"`
}

// Key identifies a device to the table, most specific field first.
type Key struct {
	Device string `json:"device,omitempty"` // full device name
	Arch   string `json:"arch,omitempty"`   // "sm_90", "gfx90a"
	Vendor string `json:"vendor,omitempty"` // "nvidia", "amd", "intel", "pocl", ...
	Kind   string `json:"kind"`             // "gpu" or "cpu": the kernel shape, not the device type
}

// table is the built-in table. Its files are part of the program: a test reads them.
var table = sync.OnceValue(func() rows {
	t, err := readRows(rowFiles)
	if err != nil {
		panic(err)
	}
	return t
})

// readRows reads all rows/*.json, in the order of their names.
func readRows(files fs.FS) (rows, error) {
	names, err := fs.Glob(files, "rows/*.json")
	if err != nil {
		return nil, err
	}
	t := make(rows, len(names))
	for i, name := range names {
		text, err := fs.ReadFile(files, name)
		if err != nil {
			return nil, err
		}
		d := json.NewDecoder(bytes.NewReader(text))
		d.DisallowUnknownFields()
		if err := d.Decode(&t[i]); err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		if want := t[i].Name() + ".json"; path.Base(name) != want {
			return nil, fmt.Errorf("%s: its match says %s", name, want)
		}
	}
	for i := range t {
		kind := slices.IndexFunc(t, func(o Row) bool { return o.Match == Key{Kind: t[i].Match.Kind} })
		if kind < 0 {
			return nil, fmt.Errorf("row %s: no row of kind %q", t[i].Name(), t[i].Match.Kind)
		}
		for _, r := range []*Row{&t[kind], &t[i]} {
			for _, param := range slices.Sorted(maps.Keys(r.Parameters)) {
				p := t[i].Set.Param(param)
				if p == nil {
					return nil, fmt.Errorf("row %s: there is no parameter %s", r.Name(), param)
				}
				*p = r.Parameters[param]
			}
		}
	}
	return t, nil
}

// Rows returns the rows of the table, by name.
func Rows() []Row { return slices.Clone(table()) }

// Sets returns the parameters of all rows of the table by their names, and the tiny ones, for
// gates that must compile all of them. A name tells the kernel shape.
func Sets() map[string]Set {
	sets := map[string]Set{"tiny-gpu": Tiny(false), "tiny-cpu": Tiny(true)}
	for _, r := range table() {
		sets[r.Name()] = r.Set
	}
	return sets
}

// For returns the parameters for a device: the row that matches its name, else
// its architecture, else its vendor, else its kind.
func For(k Key) Set { return table().find(k) }

// RowFor is For, and the name of the row.
func RowFor(k Key) (string, Set) {
	r := table().best(k)
	return r.Name(), r.Set
}

type rows []Row

func (t rows) find(k Key) Set { return t.best(k).Set }

// best is the row that matches best, or else that of a GPU.
func (t rows) best(k Key) *Row {
	var best *Row
	bestRank := 0
	for i := range t {
		if rank := t[i].Match.rank(k); rank > bestRank {
			best, bestRank = &t[i], rank
		}
	}
	if best == nil {
		return t.best(Key{Kind: "gpu"})
	}
	return best
}

// rank is 0 when the row does not apply and grows with how specific it is. A
// row that names a kind never applies to the other kind.
func (m Key) rank(k Key) int {
	if m.Kind != "" && m.Kind != k.Kind {
		return 0
	}
	for i, f := range []struct{ want, have string }{
		{m.Device, k.Device}, {m.Arch, k.Arch}, {m.Vendor, k.Vendor}, {m.Kind, k.Kind},
	} {
		if f.want != "" {
			if f.want == f.have {
				return 4 - i
			}
			return 0
		}
	}
	return 0
}

// Name of the row is its most specific field and its kind.
func (r *Row) Name() string {
	for _, f := range []string{r.Match.Device, r.Match.Arch, r.Match.Vendor} {
		if f != "" {
			return f + "-" + r.Match.Kind
		}
	}
	return r.Match.Kind
}
