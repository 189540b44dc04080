package bench_test

import (
	"errors"
	"math"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/suffixcl/suffixcl/cl"
	"github.com/suffixcl/suffixcl/device"
	"github.com/suffixcl/suffixcl/internal/testkit/devicetest"
	"github.com/suffixcl/suffixcl/internal/testkit/opticks"
	"github.com/suffixcl/suffixcl/internal/verify"
	"github.com/suffixcl/suffixcl/lab/bench"
)

func papers(t *testing.T, d *cl.Device, maxMemory int64) *bench.Papers {
	return &bench.Papers{
		Texts: []bench.Text{{Name: "opticks.txt", Data: opticks.Text[:3000]}, {Name: "b", Data: []byte("b")}},
		Sizes: []int{500, 4, 5000}, Repeats: 1,
		Open: func(profile bool) (*device.Session, error) {
			return device.Open(device.Config{Device: d, Profile: profile, MaxMemory: maxMemory})
		},
		Progress: t.Logf,
		Done:     func(*bench.PapersReport, *bench.PaperFigure) error { return nil },
	}
}

// All figures have all rows, with times, and what is published next to them.
func TestPapers(t *testing.T) {
	d := devicetest.Devices(t)[0]
	r, err := papers(t, d, 0).Run(t.Context())
	require.NoError(t, err)
	assert.NotEmpty(t, r.Device)
	names, sources := bench.PaperFigures()
	require.Len(t, sources, len(names))
	// Texts times contenders; the breakdown has phases, the comparison the CPU; of the
	// sizes, opticks.txt has two that are shorter and its own.
	measured := map[string]int{
		"h0":         2 * 5,
		"r1":         2 * 6,
		"r2":         2 * 7,
		"breakdown":  2 * (4 + 6),
		"comparison": 2 * 4,
		"texts":      2 * 6,
		"sizes":      4 * 5,
		"all-a":      3 * 5,
	}
	published := map[string]int{"comparison": 15, "texts": 2, "all-a": 3}
	for i, f := range r.Figures {
		assert.Equal(t, names[i], f.Name)
		assert.NotEmpty(t, f.Claims, f.Name)
		here, shares := 0, map[string]float64{}
		for _, row := range f.Rows {
			if row.Paper != "" {
				continue
			}
			here++
			assert.Empty(t, row.Problem)
			if row.Phase != "" {
				shares[row.Text+row.Algorithm] += row.Share
				continue
			}
			assert.Positive(t, row.Seconds, "%s: %+v", f.Name, row)
			assert.GreaterOrEqual(t, row.Mean, row.Seconds)
			assert.InEpsilon(t, float64(row.Characters), row.MBps*1e6*row.Seconds, 1e-9)
			if f.Axis != "" {
				assert.Positive(t, row.X)
			}
		}
		assert.Equal(t, measured[f.Name], here, f.Name)
		assert.Equal(t, published[f.Name], len(f.Rows)-here, f.Name)
		for k, share := range shares {
			assert.InDelta(t, 1, share, 1e-9, k)
		}
	}
	assert.Len(t, r.Figures, len(names))
}

func TestPapersErrors(t *testing.T) {
	d := devicetest.Devices(t)[0]
	p := papers(t, d, 0)
	p.Figures = []string{"11"}
	_, err := p.Run(t.Context())
	assert.ErrorContains(t, err, `"11"`)

	p = papers(t, d, 0)
	p.Texts, p.Figures = p.Texts[1:], []string{"texts", "sizes"}
	full, calls := errors.New("the disk is full"), 0
	p.Done = func(r *bench.PapersReport, f *bench.PaperFigure) error {
		calls++
		assert.Equal(t, []*bench.PaperFigure{f}, r.Figures)
		return full
	}
	_, err = p.Run(t.Context())
	assert.ErrorIs(t, err, full)
	assert.Equal(t, 1, calls)

	// GPU-LS needs more than twice the memory of the others.
	n := 100_000
	p = papers(t, d, int64(n)*40)
	p.Texts, p.Figures = []bench.Text{{Name: "opticks.txt", Data: opticks.Text[:n]}}, []string{"texts"}
	r, err := p.Run(t.Context())
	require.NoError(t, err)
	for _, row := range r.Figures[0].Rows {
		if row.Paper == "" {
			assert.Equal(t, row.Algorithm == "gpu-ls", row.Problem != "", "%+v", row)
		}
	}
}

// What a sorter leaves undone is not timed.
func TestPapersVerify(t *testing.T) {
	devicetest.Native(t, func(t *testing.T, e devicetest.Env) {
		var wrong *verify.MismatchError
		assert.ErrorAs(t, bench.TrySorter(t.Context(), e.Session, []byte("banana"), 1), &wrong)
		assert.ErrorAs(t, bench.TrySorter(t.Context(), e.Session, []byte("banana"), 2), &wrong)
		assert.Zero(t, e.Session.LiveBytes())
	})
}

// Table 3 agrees with the speedups and the throughput that the paper prints next to it.
func TestPublishedSpeedups(t *testing.T) {
	seconds := map[string]map[string]bench.PaperRow{}
	for _, r := range bench.PublishedIn(t, "comparison") {
		assert.Equal(t, "GPU-LS, Table 3: Tesla M2090, Xeon E5-2650", r.Paper)
		if seconds[r.Text] == nil {
			seconds[r.Text] = map[string]bench.PaperRow{}
		}
		seconds[r.Text][r.Algorithm] = r
	}
	require.Len(t, seconds, 5)
	for text, want := range map[string][3]float64{
		"chr22.dna": {2.38, 5.16, 51.96}, "howto": {2.38, 4.87, 52.56}, "etext99": {2.48, 6.61, 51.78},
		"rfc": {2.13, 4.42, 44.66}, "sprot34.dat": {2.05, 4.70, 42.79},
	} {
		of := seconds[text]
		ls := of["gpu-ls"].Seconds
		got := [3]float64{of["deo-keely"].Seconds / ls, of["libdivsufsort"].Seconds / ls, of["gpu-ls"].MBps}
		for i := range want {
			assert.LessOrEqual(t, math.Abs(got[i]-want[i]), 0.011, "%s: %v, printed %v", text, got, want)
		}
	}
}
