package device_test

import (
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/suffixcl/suffixcl/device"
	"github.com/suffixcl/suffixcl/internal/testkit/devicetest"
	"github.com/suffixcl/suffixcl/internal/tune"
	"github.com/suffixcl/suffixcl/internal/tuned"
)

// A session takes what the tuning file has for its device, driver and shape.
func TestTuningFile(t *testing.T) {
	for _, d := range devicetest.Devices(t) {
		t.Run(d.Name(), func(t *testing.T) {
			// with opens a session with a file of one row.
			name := filepath.Join(t.TempDir(), "tuning.json")
			with := func(edits tuned.Edits, edit func(*tune.Entry)) (tune.Set, error) {
				caps := tuned.Identify(d)
				e := tune.Entry{
					Device: caps.Name, Driver: caps.DriverVersion, Kind: key(caps).Kind,
					Parameters: map[string]int{"Merge.Items64": 5},
				}
				if caps.CPUShape {
					e.Parameters["Merge.Items64"] = 2048
				}
				edit(&e)
				f := &tune.File{Version: tune.FileVersion}
				f.Put(e)
				require.NoError(t, f.Write(name))
				s, err := tuned.Open(device.Config{Device: d}, edits)
				if err != nil {
					return tune.Set{}, err
				}
				defer s.Close()
				return *tuned.Of(s), nil
			}
			as := func(*tune.Entry) {}
			caps := tuned.Identify(d)
			table := tune.For(key(caps))
			want := table
			want.Merge.Items64 = 5
			if caps.CPUShape {
				want.Merge.Items64 = 2048
			}
			file := tuned.Edits{TuningFile: name}
			set, err := with(file, as)
			require.NoError(t, err)
			assert.Equal(t, want, set)
			t.Setenv("SUFFIXCL_TUNING", name)
			set, err = with(tuned.Edits{}, as)
			require.NoError(t, err)
			assert.Equal(t, want, set)

			for what, c := range map[string]struct {
				edits tuned.Edits
				edit  func(*tune.Entry)
			}{
				"off":            {tuned.Edits{TuningFile: "off"}, as},
				"other caps":     {tuned.Edits{Caps: func(*device.Caps) {}}, as},
				"another driver": {file, func(e *tune.Entry) { e.Driver += "x" }},
				"another device": {file, func(e *tune.Entry) { e.Device += "x" }},
				"no parameters":  {file, func(e *tune.Entry) { e.Parameters = nil }},
				"the other shape": {file, func(e *tune.Entry) {
					e.Kind = map[string]string{"cpu": "gpu", "gpu": "cpu"}[e.Kind]
				}},
			} {
				set, err := with(c.edits, c.edit)
				require.NoError(t, err, what)
				assert.Equal(t, table, set, what)
			}

			for what, edit := range map[string]func(*tune.Entry){
				"Scan.Wings": func(e *tune.Entry) { e.Parameters["Scan.Wings"] = 2 },
				"Scan.Items": func(e *tune.Entry) { e.Parameters["Scan.Items"] = 1 << 30 },
				"Merge.WG":   func(e *tune.Entry) { e.Parameters["Merge.WG"] = 3 },
			} {
				_, err := with(file, edit)
				assert.ErrorContains(t, err, name)
				assert.ErrorContains(t, err, what)
			}
			_, err = tuned.Open(device.Config{Device: d}, tuned.Edits{TuningFile: name + ".missing"})
			assert.ErrorContains(t, err, name+".missing")
			t.Setenv("SUFFIXCL_TUNING", name+".missing")
			_, err = device.Open(device.Config{Device: d})
			assert.ErrorContains(t, err, name+".missing")
		})
	}
}

// key is how the table knows a device.
func key(c device.Caps) tune.Key { return tuned.Key(tuned.Offline(c, tune.Set{})) }
