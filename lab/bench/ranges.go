package bench

import (
	"context"
	"fmt"
	"hash/crc32"
	"math"
	"sync/atomic"
	"time"
	"unsafe"

	"github.com/suffixcl/suffixcl/device"
	"github.com/suffixcl/suffixcl/internal/entries"
	"github.com/suffixcl/suffixcl/internal/nucleotide"
	"github.com/suffixcl/suffixcl/internal/parallel"
	"github.com/suffixcl/suffixcl/internal/phases"
	"github.com/suffixcl/suffixcl/internal/ranges"
	"github.com/suffixcl/suffixcl/internal/verify"
)

// Ranges measures sorting in ranges. Results go to host memory, 5 bytes an entry, which have been touched before.
type Ranges struct {
	Texts     []RangesText
	Both      bool    // each text is followed by its reverse complement
	Budgets   []int64 // of device memory; 0: what there is
	Periods   []int   // of difference covers; 0: what fits
	Devices   []int   // numbers of devices
	PerDevice bool    // a text has the given length for each device
	Runs      int
	Transform bool // alone, instead of the suffix array
	LCP       bool // the same; its entries are as wide as positions on the device
	Check     bool
	Profile   bool // a further run, for times of phases and kernels
	// Open opens that many devices, each with the configuration.
	Open     func(c device.Config, devices int) ([]*device.Session, error)
	Config   device.Config
	Progress func(format string, args ...any)
	Done     func(RangesRow) error

	right map[string]uint64 // digests of results that were checked, by text
}

// RangesText is a text that Write fills memory with: of Len bytes, or of more unless that is fixed.
type RangesText struct {
	Name  string
	Len   int
	Fixed bool
	Write func(text []byte) error
}

// RangesRow is a text with a budget on so many devices.
type RangesRow struct {
	Text    string  `json:"text"`
	Bytes   int     `json:"bytes"`
	Devices int     `json:"devices"`
	Budget  int64   `json:"budget_bytes"` // of each device
	Period  int     `json:"period"`
	Ranges  int     `json:"ranges"`
	Peak    int64   `json:"peak_device_bytes"`
	First   float64 `json:"first_s"` // programs that are built included
	Seconds float64 `json:"seconds"` // the best of the runs
	GBps    float64 `json:"gb_per_s"`
	Checked bool    `json:"checked"`
	Digest  uint64  `json:"digest,omitempty"` // of the result
	// Efficiency is the time on one device over that on all of them, times their number; with PerDevice without that
	// factor. Model is what [scaling] expects. 0: one device was not measured before.
	Efficiency float64 `json:"efficiency,omitempty"`
	Model      float64 `json:"model_efficiency,omitempty"`
	// Begun has the seconds after which phases began, of the best run.
	Begun   []PhaseBegun        `json:"begun"`
	Phases  []phases.Total      `json:"phases"`
	Kernels []device.KernelTime `json:"kernels"` // of the first device
	// Busy are the seconds that each device computed.
	Busy []float64 `json:"busy_s,omitempty"`
}

// PhaseBegun is when a phase began.
type PhaseBegun struct {
	Phase   string  `json:"phase"`
	Seconds float64 `json:"s"`
}

// entryBytes is the width of positions in memory, of a text of n bytes.
func entryBytes(n int) int {
	if n <= 1<<32-2 {
		return 4
	}
	return ranges.PackedBytes
}

// width is the bytes of an entry of the result.
func (r *Ranges) width(n int) int {
	switch width := entryBytes(n); {
	case r.Transform:
		return 1
	case r.LCP && width > 4:
		return 8
	default:
		return width
	}
}

// Run measures all texts.
func (r *Ranges) Run(ctx context.Context) error {
	for _, t := range r.Texts {
		var text, result []byte
		alone := map[[2]int64]RangesRow{} // on one device, by budget and period
		for _, devices := range r.Devices {
			made := t
			if r.PerDevice && !t.Fixed {
				made.Len *= devices
			}
			if text == nil || r.PerDevice {
				text, result = nil, nil // before the next ones
				var err error
				if text, err = r.make(made); err != nil {
					return err
				}
				result = make([]byte, r.width(len(text))*len(text)+8)
				parallel.Do(len(result), grain, func(lo, hi int) { clear(result[lo:hi]) })
			}
			for _, budget := range r.Budgets {
				for _, period := range r.Periods {
					row := RangesRow{Text: t.Name, Bytes: len(text), Devices: devices, Budget: budget}
					if r.Both {
						row.Text += ", both strands"
					}
					if err := r.row(ctx, &row, text, result, period); err != nil {
						return fmt.Errorf("%s, %d devices, budget %d, period %d: %w", t.Name, devices, budget, period, err)
					}
					key := [2]int64{budget, int64(period)}
					if devices == 1 {
						alone[key] = row
					} else if one, ok := alone[key]; ok {
						row.Efficiency, row.Model = scaling(one, row)
					}
					if err := r.Done(row); err != nil {
						return err
					}
				}
			}
		}
	}
	return nil
}

// rangesPhase is the phase that devices share; what is before it is done by one.
const rangesPhase = "ranges"

// scaling returns the efficiency of several devices, and what is to be expected where they share the ranges and nothing
// else: with as much text as one had, or with so much for each.
func scaling(one, several RangesRow) (efficiency, model float64) {
	share, before := float64(several.Devices), 0.0
	for _, p := range one.Begun {
		if p.Phase == rangesPhase {
			before = p.Seconds
		}
	}
	growth := float64(several.Bytes) / float64(one.Bytes)
	expected := growth * (before + (one.Seconds-before)/share)
	return one.Seconds * growth / share / several.Seconds, one.Seconds * growth / share / expected
}

func (r *Ranges) make(t RangesText) ([]byte, error) {
	n := t.Len
	if r.Both {
		n *= 2
	}
	began := time.Now()
	text := make([]byte, n)
	parallel.Do(n, grain, func(lo, hi int) { clear(text[lo:hi]) })
	if err := t.Write(text[:t.Len]); err != nil {
		return nil, err
	}
	if r.Both {
		parallel.Do(t.Len, grain, func(lo, hi int) {
			for i := lo; i < hi; i++ {
				text[n-1-i], _ = nucleotide.Complement(text[i])
			}
		})
	}
	r.Progress("%s made in %.1f s", t.Name, time.Since(began).Seconds())
	return text, nil
}

func (r *Ranges) row(ctx context.Context, row *RangesRow, text, result []byte, period int) error {
	for _, profile := range []bool{false, true} {
		if profile && !r.Profile {
			break
		}
		c := r.Config
		c.MaxMemory, c.Profile, c.KeepMemory = row.Budget, profile, math.MaxInt64
		sessions, err := r.Open(c, row.Devices)
		if err != nil {
			return err
		}
		if len(text) <= 1<<32-2 {
			err = rangesOn[uint32](ctx, r, sessions, row, text, result, period, profile)
		} else {
			err = rangesOn[uint64](ctx, r, sessions, row, text, result, period, profile)
		}
		for _, s := range sessions {
			s.Close()
		}
		if err == nil && r.Check && !r.Transform && !r.LCP && !profile {
			err = r.verified(ctx, row, text, result)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

func rangesOn[P uint32 | uint64](ctx context.Context, r *Ranges, sessions []*device.Session, row *RangesRow,
	text, result []byte, period int, profile bool) error {
	width := entryBytes(len(text))
	o := ranges.Options{Width: ranges.Width(text), Period: period, Transform: r.Transform, LCP: r.LCP,
		NoPositions: r.Transform || r.LCP, Devices: len(sessions)}
	if width == ranges.PackedBytes {
		o.Packed = ranges.FiveBytes
	}
	var sorters []*ranges.Sorter[P]
	for _, s := range sessions {
		p, err := ranges.New[P](s, len(text), o)
		if err != nil {
			return err
		}
		sorters, o.Period, o.Dense = append(sorters, p), p.Period(), p.Dense()
	}
	p := sorters[0]
	run := func() (float64, []PhaseBegun, error) {
		began := time.Now()
		var begun []PhaseBegun
		job := ranges.Job[P]{Others: sorters[1:], Anywhere: true}
		job.Yield = func(b ranges.Block[P]) error {
			copy(result[b.TransformFirst:], b.Transform)
			copy(result[b.LCPFirst*r.width(len(text)):], memoryOf(b.LCP))
			if !r.Transform && !r.LCP {
				copy(result[b.First*width:], memoryOf(b.Positions))
				copy(result[b.First*width:], b.Packed)
			}
			return nil
		}
		job.Progress = func(phase string, _, _ int64) {
			if len(begun) == 0 || begun[len(begun)-1].Phase != phase {
				begun = append(begun, PhaseBegun{phase, time.Since(began).Seconds()})
			}
		}
		_, err := p.RunText(ctx, ranges.Guess(text), job)
		return time.Since(began).Seconds(), begun, err
	}
	if profile {
		for _, s := range sessions {
			s.ResetProfile()
		}
		if _, _, err := run(); err != nil {
			return err
		}
		row.Kernels = sessions[0].Profile()
		row.Phases = phases.Sum(row.Kernels)
		for _, s := range sessions {
			var busy time.Duration
			for _, k := range s.Profile() {
				busy += k.Time
			}
			row.Busy = append(row.Busy, busy.Seconds())
		}
		return nil
	}
	for k := range r.Runs + 1 {
		seconds, begun, err := run()
		if err != nil {
			return err
		}
		if k == 0 {
			row.First = seconds
		} else if row.Seconds == 0 || seconds < row.Seconds {
			row.Seconds, row.Begun = seconds, begun
		}
	}
	row.Ranges, row.Peak, row.Period = p.Sorted(), p.Memory().Device(), p.Period()
	row.GBps = float64(len(text)) / row.Seconds / 1e9
	return nil
}

// memoryOf are entries as they are in memory.
func memoryOf[P uint32 | uint64](v []P) []byte {
	return unsafe.Slice((*byte)(unsafe.Pointer(unsafe.SliceData(v))), len(v)*int(unsafe.Sizeof(*new(P))))
}

// verified checks what is in memory, unless it is equal to what was checked before, of the same text.
func (r *Ranges) verified(ctx context.Context, row *RangesRow, text, result []byte) error {
	row.Digest = digest(result[:len(text)*entryBytes(len(text))])
	if row.Checked = r.right[row.Text+fmt.Sprint(len(text))] == row.Digest; row.Checked {
		return nil
	}
	if err := r.check(ctx, row, text, result); err != nil {
		return err
	}
	if r.right == nil {
		r.right = map[string]uint64{}
	}
	r.right[row.Text+fmt.Sprint(len(text))] = row.Digest
	return nil
}

// digest is the sum of the checksums of pieces, each times an odd number.
func digest(b []byte) uint64 {
	const piece = 1 << 20
	var sum atomic.Uint64
	parallel.Do((len(b)+piece-1)/piece, 1, func(lo, hi int) {
		for k := lo; k < hi; k++ {
			part := crc32.Checksum(b[k*piece:min((k+1)*piece, len(b))], crc32.MakeTable(crc32.Castagnoli))
			sum.Add(uint64(part) * (2*uint64(k) + 1))
		}
	})
	return sum.Load()
}

// check verifies what is in memory, on the whole device.
func (r *Ranges) check(ctx context.Context, row *RangesRow, text, result []byte) error {
	sessions, err := r.Open(r.Config, 1)
	if err != nil {
		return err
	}
	defer sessions[0].Close()
	c, err := verify.NewBuckets(sessions[0], len(text))
	if err != nil {
		return err
	}
	defer c.Release()
	if err := c.Allocate(); err != nil {
		return err
	}
	began, width := time.Now(), entryBytes(len(text))
	err = c.Run(ctx, text, verify.Given{Len: len(text), SuffixArray: func(part []uint64, first int) error {
		entries.Decode(part, width, result[first*width:])
		return nil
	}}, nil)
	if row.Checked = err == nil; row.Checked {
		r.Progress("%s verified in %.1f s", row.Text, time.Since(began).Seconds())
	}
	return err
}
