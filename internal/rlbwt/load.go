package rlbwt

import (
	"context"
	"fmt"
	"runtime"
	"slices"

	"github.com/suffixcl/suffixcl/device"
	"github.com/suffixcl/suffixcl/internal/fmd"
	"github.com/suffixcl/suffixcl/internal/intmath"
	"github.com/suffixcl/suffixcl/internal/parallel"
)

// Load makes the index of runs that come in order. runs calls yield for many at a time, and returns its error. Errors:
// yield's, more runs than fit, the context's, the device's.
func Load(
	ctx context.Context, s *device.Session, runs func(yield func(part []fmd.Run) error) error,
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

// add takes runs.
func (l *loader) add(runs []fmd.Run) error {
	each := max(leastLoaded, intmath.CeilDiv(len(runs), runtime.GOMAXPROCS(0)))
	type sum struct {
		pieces uint64
		wrong  int // the place of what is no letter, or -1
	}
	var pieces uint64
	sums := parallel.Collect(len(runs), each, func(lo, hi int) sum {
		s := sum{wrong: -1}
		for i, r := range runs[lo:hi] {
			if s.pieces += (r.Len + longest - 1) / longest; r.Letter >= fmd.Letters && s.wrong < 0 {
				s.wrong = lo + i
			}
		}
		return s
	})
	for k, s := range sums {
		if s.wrong >= 0 {
			return fmt.Errorf("rlbwt: letter %d", runs[s.wrong].Letter)
		}
		sums[k].pieces, pieces = pieces, pieces+s.pieces
	}
	switch {
	case uint64(len(l.part))+pieces <= loadRuns:
	case len(l.part) > 0:
		if err := l.flush(); err != nil {
			return err
		}
		return l.add(runs)
	case len(runs) > 1:
		if err := l.add(runs[:len(runs)/2]); err != nil {
			return err
		}
		return l.add(runs[len(runs)/2:])
	default:
		const most = loadRuns * longest
		if err := l.add([]fmd.Run{{Letter: runs[0].Letter, Len: most}}); err != nil {
			return err
		}
		return l.add([]fmd.Run{{Letter: runs[0].Letter, Len: runs[0].Len - most}})
	}
	from := len(l.part)
	l.part = slices.Grow(l.part, int(pieces))[:from+int(pieces)]
	parallel.Do(len(sums), 1, func(lo, hi int) {
		for k := lo; k < hi; k++ {
			to := l.part[from+int(sums[k].pieces):]
			for _, r := range runs[k*each : min((k+1)*each, len(runs))] {
				for ; r.Len > 0; to = to[1:] {
					n := min(r.Len, longest)
					to[0] = uint32(r.Letter) | uint32(n)<<3
					r.Len -= n
				}
			}
		}
	})
	return nil
}
