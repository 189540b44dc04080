package genomes

import (
	"slices"

	"github.com/suffixcl/suffixcl/device"
	"github.com/suffixcl/suffixcl/internal/call"
	"github.com/suffixcl/suffixcl/internal/jobs/arrays"
	"github.com/suffixcl/suffixcl/internal/lcp"
	"github.com/suffixcl/suffixcl/internal/limits"
	"github.com/suffixcl/suffixcl/internal/nucleotide"
	"github.com/suffixcl/suffixcl/internal/parallel"
	"github.com/suffixcl/suffixcl/internal/sorter"
)

// stretch is a part of a sequence, or of its other strand, in a delimited text.
type stretch struct {
	start  uint32 // in the text
	length uint32
	owner  int32  // number of what it is a part of
	offset uint32 // there
}

// stretches cut sequences into those that count.
type stretches struct {
	counts *[256]bool // bytes that match something; nil: all do
	least  int        // shorter ones do not count
}

// ofLetters are the stretches of these letters only, or of all bytes where there are none.
func ofLetters(letters string, least int) stretches {
	s := stretches{least: max(least, 1)}
	if letters != "" {
		s.counts = &[256]bool{}
		for _, c := range []byte(letters) {
			s.counts[c] = true
		}
	}
	return s
}

// runs are the parts of a sequence that count: pairs of a start and an end.
func (s stretches) runs(sequence []byte) [][2]int {
	n := len(sequence)
	if n < s.least {
		return nil
	}
	if s.counts == nil {
		return [][2]int{{0, n}}
	}
	const chunk = 1 << 20
	found := make([][][2]int, (n+chunk-1)/chunk)
	parallel.Do(len(found), 1, func(lo, hi int) {
		for k := lo; k < hi; k++ {
			end := min((k+1)*chunk, n)
			for i := k * chunk; i < end; {
				for i < end && !s.counts[sequence[i]] {
					i++
				}
				from := i
				for i < end && s.counts[sequence[i]] {
					i++
				}
				if i > from {
					found[k] = append(found[k], [2]int{from, i})
				}
			}
		}
	})
	var runs [][2]int
	for _, part := range found {
		for _, run := range part {
			if last := len(runs) - 1; last >= 0 && runs[last][1] == run[0] {
				runs[last][1] = run[1]
			} else {
				runs = append(runs, run)
			}
		}
	}
	return slices.DeleteFunc(runs, func(run [2]int) bool { return run[1]-run[0] < s.least })
}

// delimitedText is a text of stretches, with a byte 0 after each.
type delimitedText struct {
	text   []byte
	ends   []uint32
	pieces []stretch
	copies []func(text []byte) // that fill the text
}

// len is that of the text, before and after it is filled.
func (t *delimitedText) len() int {
	if len(t.pieces) == 0 {
		return 0
	}
	last := t.pieces[len(t.pieces)-1]
	return int(last.start) + int(last.length) + 1
}

// add adds a stretch of a sequence. Lengths are checked by the caller.
func (t *delimitedText) add(sequence []byte, owner, from, to int, reversed bool) {
	piece := stretch{start: uint32(t.len()), length: uint32(to - from), owner: int32(owner), offset: uint32(from)}
	if reversed {
		piece.offset = uint32(len(sequence) - to)
	}
	t.pieces = append(t.pieces, piece)
	t.ends = append(t.ends, piece.start+piece.length)
	const chunk = 1 << 22
	for at := from; at < to; at += chunk {
		end := min(at+chunk, to)
		t.copies = append(t.copies, func(text []byte) {
			if !reversed {
				copy(text[int(piece.start)+at-from:], sequence[at:end])
				return
			}
			out := text[int(piece.start)+to-end : int(piece.start)+to-at]
			for i, c := range sequence[at:end] {
				out[len(out)-1-i] = complementOf[c]
			}
		})
	}
}

// fill writes the text.
func (t *delimitedText) fill() {
	t.text = make([]byte, t.len())
	parallel.Do(len(t.copies), 1, func(lo, hi int) {
		for _, f := range t.copies[lo:hi] {
			f(t.text)
		}
	})
	t.copies = nil
}

// complementOf are the complements of bytes in their case: of what is no code of IUPAC, and of U, an N.
var complementOf = func() (table [256]byte) {
	for c := range table {
		other, ok := nucleotide.Complement(byte(c))
		switch {
		case !ok || c|0x20 == 'u':
			table[c] = 'N' | byte(c)&0x20
		default:
			table[c] = other
		}
	}
	return table
}()

// find is the number of the stretch of a position of the text.
func (t *delimitedText) find(position uint32) int {
	k, found := slices.BinarySearchFunc(t.pieces, position, func(s stretch, p uint32) int {
		switch {
		case s.start < p:
			return -1
		case s.start > p:
			return 1
		}
		return 0
	})
	if !found {
		k--
	}
	return k
}

// endAfter is the number of the first stretch from number k on that ends after a position: the next one as a rule, or
// one far away.
func (t *delimitedText) endAfter(position uint32, k int) int {
	return k + call.ExponentialSearch(t.ends[k:], func(end uint32) bool { return end <= position })
}

// delimiting makes suffix array and LCP array of a delimited text; common prefixes end at separators.
type delimiting struct {
	*arrays.Source
	least   uint32
	lengths *lcp.Plan
	bound   *lcp.Bound
	kept    *device.Layout // lives after once
	lcp     *device.Slot[uint32]
	once    *device.Layout
	plcp    *device.Slot[uint32]
	ends    *device.Slot[uint32]
	ws      *device.WorkspaceSlot
}

// newDelimiting plans texts of n characters, so many of them separators. Lengths less than `least` may reach beyond
// one. The host has so many bytes.
func newDelimiting(e *call.Engine, n, separators int, least uint32, host int64) (*delimiting, error) {
	if err := limits.CheckLen("text of sequences", n, limits.MaxLen); err != nil {
		return nil, err
	}
	from := arrays.NewArrays(n)
	if err := from.Choose(e, sorter.Automatic, 0); err != nil {
		return nil, err
	}
	o := &delimiting{Source: from, least: least, bound: lcp.NewBound(e.Session)}
	var err error
	if o.lengths, err = lcp.New(e.Session, n); err != nil {
		return nil, err
	}
	o.kept, o.once = device.NewLayout("lcp"), device.NewLayout("lcp")
	o.lcp = device.Reserve[uint32](o.kept, "LCP", n)
	o.plcp = device.Reserve[uint32](o.once, "PLCP", n)
	o.ends = device.Reserve[uint32](o.once, "separators", separators)
	o.ws = device.ReserveWorkspace(o.once, o.lengths.Workspace())
	o.Phases = append(o.Phases, call.PhaseOf(o.once.Memory(), 0, o.Input, o.Layout, o.kept))
	for i := range o.Phases {
		o.Phases[i].Host = host
	}
	return o, nil
}

// then is the memory of a phase that follows, with the arrays.
func (o *delimiting) then(l *device.Layout, host int64) {
	o.Phases = append(o.Phases, call.PhaseOf(l.Memory(), host, o.Input, o.Layout, o.kept))
}

// load makes the arrays.
func (o *delimiting) load(c *call.Call, t *delimitedText) error {
	if err := o.Source.Load(c, t.text, nil); err != nil {
		return err
	}
	if err := o.kept.Allocate(c.Session); err != nil {
		return err
	}
	if err := o.once.Allocate(c.Session); err != nil {
		return err
	}
	defer o.once.Release(c.Session)
	if err := call.Upload(c, o.ends.Buffer(c.Session), t.ends); err != nil {
		return err
	}
	c.Phase("lcp")
	return c.Compute(func() error {
		if err := c.Session.Check(c.Ctx); err != nil {
			return err
		}
		text, sa := o.ArraysOf(c.Session, o.N)
		o.lengths.Run(o.ws.Workspace(c.Session), text, sa, o.plcp.Buffer(c.Session), o.lcp.Buffer(c.Session))
		o.bound.Run(sa, o.lcp.Buffer(c.Session), o.ends.Buffer(c.Session), o.least)
		return nil
	})
}

func (o *delimiting) Free(s *device.Session) {
	o.once.Release(s)
	o.kept.Release(s)
	o.Source.Free(s)
}
