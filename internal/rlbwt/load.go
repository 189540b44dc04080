package rlbwt

import (
	"context"
	"fmt"
	"slices"

	"github.com/suffixcl/suffixcl/device"
	"github.com/suffixcl/suffixcl/internal/fmd"
	"github.com/suffixcl/suffixcl/internal/parallel"
)

// Load makes the index of runs that come in order. runs calls yield for many at a time, and returns its error. Errors:
// yield's, more runs than fit, the context's, the device's.
func Load(
	ctx context.Context, s *device.Session, runs func(yield fmd.Yield) error,
) (*Index, error) {
	p, err := newPacker(s, newKernels(s), 0)
	if err != nil {
		return nil, err
	}
	defer p.release()
	l := loader{ctx: ctx, p: p}
	if err = runs(l.add); err == nil {
		err = l.flush()
	}
	if err != nil {
		return nil, err
	}
	return p.index(ctx)
}

// RunsOf is how many runs, of 3 bytes of the device each, an index of a file of so many bytes is planned for, without a
// look at its runs: 2 bytes for each of the file, which random DNA takes 1.1 of, and haplotypes 1.4; and the parts of
// runs that are longer than 2^16.
func RunsOf(fileBytes int64, rows uint64) int64 { return 2*fileBytes/3 + int64(rows/longest) + 1 }

// Loading is an upper bound of the device memory that Load takes beside the index of so many runs, none longer than
// 2^16: those that are packed at a time, and the blocks once more when there is no room for more of them.
func Loading(runs int) device.BufferMemory {
	bytes := int64(min(runs, loadRuns))*5 + 4096
	if runs > loadRuns {
		bytes += int64(runs) * 3
	}
	return device.BufferMemory{Name: "packing", Bytes: bytes}
}

// loader gathers runs as the device takes them.
type loader struct {
	ctx  context.Context
	p    *packer
	part []uint32
}

// flush hands over what was gathered.
func (l *loader) flush() error {
	n := len(l.part)
	if n == 0 {
		return nil
	}
	if err := l.p.s.Check(l.ctx); err != nil {
		return err
	}
	if err := l.p.room(n); err != nil {
		return err
	}
	if err := l.p.runs.View(0, n).Upload(l.ctx, l.part, nil); err != nil {
		return err
	}
	l.part = l.part[:0]
	return l.p.pack(n)
}

// leastLoaded are runs that are worth a processor.
const leastLoaded = 1 << 14

// loaded are runs that a processor takes, and what they become.
type loaded struct {
	runs   []fmd.Run
	pieces int  // none longer than longest
	wrong  bool // one has no letter
	to     []uint32
}

// add takes runs.
func (l *loader) add(parts ...[]fmd.Run) error {
	var all []loaded
	for _, runs := range parts {
		for chunk := range slices.Chunk(runs, leastLoaded) {
			all = append(all, loaded{runs: chunk})
		}
	}
	parallel.Do(len(all), 1, func(lo, hi int) {
		for i := range all[lo:hi] {
			all[lo+i].count()
		}
	})
	pieces := 0
	for _, of := range all {
		if of.wrong {
			i := slices.IndexFunc(of.runs, func(r fmd.Run) bool { return r.Letter >= fmd.Letters })
			return fmt.Errorf("rlbwt: letter %d", of.runs[i].Letter)
		}
		pieces += of.pieces
	}
	if len(l.part)+pieces > loadRuns {
		if len(l.part) > 0 {
			if err := l.flush(); err != nil {
				return err
			}
		}
		if pieces > loadRuns {
			return l.addHalves(parts)
		}
	}
	to := slices.Grow(l.part, pieces)[:len(l.part)+pieces]
	l.part, to = to, to[len(l.part):]
	for i := range all {
		all[i].to, to = to[:all[i].pieces], to[all[i].pieces:]
	}
	parallel.Do(len(all), 1, func(lo, hi int) {
		for i := range all[lo:hi] {
			all[lo+i].write()
		}
	})
	return nil
}

// addHalves takes runs that are more than fit at a time: their halves, or those of the only one.
func (l *loader) addHalves(parts [][]fmd.Run) error {
	first, second := parts[:len(parts)/2], parts[len(parts)/2:]
	if runs := parts[0]; len(parts) == 1 && len(runs) > 1 {
		first, second = [][]fmd.Run{runs[:len(runs)/2]}, [][]fmd.Run{runs[len(runs)/2:]}
	} else if len(parts) == 1 {
		const most = loadRuns * longest
		first = [][]fmd.Run{{{Letter: runs[0].Letter, Len: most}}}
		second = [][]fmd.Run{{{Letter: runs[0].Letter, Len: runs[0].Len - most}}}
	}
	if err := l.add(first...); err != nil {
		return err
	}
	return l.add(second...)
}

// count counts the pieces.
func (of *loaded) count() {
	for _, r := range of.runs {
		of.pieces += int((r.Len + longest - 1) / longest)
		of.wrong = of.wrong || r.Letter >= fmd.Letters
	}
}

// write writes the pieces.
func (of *loaded) write() {
	to := of.to
	for _, r := range of.runs {
		for ; r.Len > 0; to = to[1:] {
			n := min(r.Len, longest)
			to[0] = uint32(r.Letter) | uint32(n)<<3
			r.Len -= n
		}
	}
}
