package genomes

import (
	"context"

	"github.com/suffixcl/suffixcl/device"
	"github.com/suffixcl/suffixcl/internal/call"
	"github.com/suffixcl/suffixcl/internal/prefixes"
)

// PrefixOptions of PrefixCounts.
type PrefixOptions struct {
	Letters int             // that suffixes are told apart by: 1 to prefixes.Longest
	Codes   *[256]uint8     // of the letters of the text, prefixes.NoLetter for all other bytes
	Parts   []prefixes.Part // of the text
	Counts  []uint32        // [prefixes.Sequences(Letters)] gets the counts
	// Counted is told, after each part, that Counts has those of this part and all before it. It is told of each sequence
	// whose count has passed 2^32, as often as that was.
	Counted func(part int, carries []int) error
}

// PrefixSizes are those of counting by first letters. Tests make them smaller.
var PrefixSizes = struct{ Room, Piece int }{1 << 31, 1 << 26}

// PrefixCounts counts the suffixes of a genome's both strands by what they begin with, part by part: how many begin
// with each sequence of Letters letters, or of fewer where what follows is no letter. Memory of the device: 3/8 bytes a
// character, and 4 for each sequence, of which there are parts where it is short. Errors: prefixes.New's; Counted's.
func PrefixCounts(e *call.Engine, text []byte, o PrefixOptions) call.Job[struct{}, struct{}] {
	return call.NewJob(e, func() (*prefixCounting, error) { return newPrefixCounting(e, len(text), o) },
		func(c *call.Call, p *prefixCounting, _ func(struct{}) error) error {
			if err := p.load(c, text); err != nil {
				return err
			}
			return p.count(c)
		}, func(run func(func(struct{}) error) error) (none struct{}, err error) {
			return none, run(nil)
		})
}

// prefixCounting is a table that is counted.
type prefixCounting struct {
	o      PrefixOptions
	n      int
	counts *prefixes.Plan
}

// newPrefixCounting plans a table as a whole, or parts of it that fit.
func newPrefixCounting(e *call.Engine, n int, o PrefixOptions) (p *prefixCounting, err error) {
	for room := PrefixSizes.Room; ; room /= 2 {
		p = &prefixCounting{o: o, n: n}
		if p.counts, err = prefixes.New(e.Session, n, o.Letters, room, PrefixSizes.Piece); err != nil {
			return nil, err
		}
		if p.Plan().Fits(e.Session) == nil || room <= 1<<20 {
			return p, nil
		}
	}
}

// Plan has the text and the table, which are the caller's, too.
func (p *prefixCounting) Plan() device.MemoryPlan {
	return device.MemoryPlan{call.PhaseOf(p.counts.Layout().Memory(), int64(p.n)+4*int64(prefixes.Sequences(p.o.Letters)))}
}

func (p *prefixCounting) Free(s *device.Session) { p.counts.Layout().Release(s) }

// load has the text on the device.
func (p *prefixCounting) load(c *call.Call, text []byte) error {
	if err := p.counts.Layout().Allocate(c.Session); err != nil {
		return err
	}
	p.counts.Begin(p.o.Codes)
	for at := 0; at < len(text); at += PrefixSizes.Piece {
		part := p.counts.Piece(min(PrefixSizes.Piece, len(text)-at))
		if err := call.Upload(c, part, text[at:at+part.Len()]); err != nil {
			return err
		}
		p.counts.Pack(part, at)
	}
	return c.Session.Check(c.Ctx)
}

// count counts all parts. Where the table does not fit, each piece of it has the parts before, too.
func (p *prefixCounting) count(c *call.Call) error {
	all, room := len(p.o.Counts), p.counts.Room()
	for part := range p.o.Parts {
		var carries []int
		for first := 0; first < all; first += room {
			c.Phase("first letters")
			err := c.Compute(func() error {
				next := part
				if room < all || part == 0 {
					p.counts.Clear()
					next = 0
				}
				for ; next <= part; next++ {
					p.counts.Count(p.o.Parts[next], first)
				}
				more, err := p.counts.Carries()
				carries = append(carries, more...)
				return err
			})
			if err != nil {
				return err
			}
			to := p.o.Counts[first:min(first+room, all)]
			if _, err := call.Download(c, to, p.counts.Counts().View(0, len(to))); err != nil {
				return err
			}
		}
		if err := p.o.Counted(part, carries); err != nil {
			return err
		}
	}
	return context.Cause(c.Ctx)
}
