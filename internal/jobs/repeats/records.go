package repeats

import (
	"fmt"
	"slices"

	"github.com/suffixcl/suffixcl/internal/input"
	"github.com/suffixcl/suffixcl/internal/limits"
	"github.com/suffixcl/suffixcl/internal/nucleotide"
	"github.com/suffixcl/suffixcl/lrq"
	"github.com/suffixcl/suffixcl/seqio"
)

// recordLayout is the text that goes to the device: that given, or its records, each with
// a separator after it, and after those their reverse complements.
type recordLayout struct {
	records seqio.Table
	whole   bool     // the text as it is
	length  int      // of the text on the device
	ends    []uint32 // of records, there
}

func layRecords(n int, o Options) (*recordLayout, error) {
	if o.MinLength < 0 {
		return nil, fmt.Errorf("suffixcl: a shortest repeat of %d characters", o.MinLength)
	}
	if n < 0 || n > limits.MaxLen {
		return nil, limits.CheckLen("text", n, limits.MaxLen)
	}
	p := &recordLayout{records: o.Records}
	if len(o.Records) == 0 {
		p.records = seqio.Table{{Length: n}}
		if p.whole = !o.ReverseComplement; p.whole {
			p.length = n
			return p, nil
		}
	}
	if err := input.CheckRecords(p.records, n); err != nil {
		return nil, err
	}
	strands := 1
	if o.ReverseComplement {
		strands = 2
	}
	for range strands {
		for _, r := range p.records {
			p.length += r.Length + 1
			if err := limits.CheckLen("text with separators", p.length, limits.MaxLen); err != nil {
				return nil, err
			}
			p.ends = append(p.ends, uint32(p.length-1))
		}
	}
	return p, nil
}

func (p *recordLayout) query(o Options) repeatQuery {
	return repeatQuery{o.All, len(p.ends), lrq.Options{MinLength: uint32(min(o.MinLength, limits.MaxLen))}}
}

// join makes the text for the device.
func (p *recordLayout) join(text []byte, o Options) ([]byte, error) {
	if p.whole {
		return text, nil
	}
	var used [256]bool
	for _, r := range p.records {
		for i, c := range text[r.Offset:r.End()] {
			if used[c] = true; !o.ReverseComplement {
				continue
			}
			if _, ok := nucleotide.Complement(c); !ok {
				return nil, &input.TextError{Text: -1, Offset: r.Offset + i,
					Why: fmt.Sprintf("%q is no nucleotide, and has no complement", c)}
			}
		}
	}
	separator := slices.Index(used[:], false)
	if separator < 0 {
		return nil, fmt.Errorf("records that use all 256 byte values leave none to separate them")
	}
	joined := make([]byte, 0, p.length)
	for _, r := range p.records {
		joined = append(append(joined, text[r.Offset:r.End()]...), byte(separator))
	}
	if !o.ReverseComplement {
		return joined, nil
	}
	for _, r := range p.records {
		for i := r.End() - 1; i >= r.Offset; i-- {
			other, _ := nucleotide.Complement(text[i])
			joined = append(joined, other)
		}
		joined = append(joined, byte(separator))
	}
	return joined, nil
}

// forward is how many positions of the device's text are the text's.
func (p *recordLayout) forward() int {
	if p.whole {
		return p.length
	}
	return int(p.ends[len(p.records)-1])
}

// begin is where record r begins in the device's text.
func (p *recordLayout) begin(r int) int {
	if r == 0 {
		return 0
	}
	return int(p.ends[r-1]) + 1
}

// blocks cuts b, which holds positions of the device's text from first on, by records, and
// yields the parts with positions of the text. It changes b.
func (p *recordLayout) blocks(first int, b *Repeats, yield func(*Repeats) error) error {
	if p.whole {
		b.First = first
		return yield(b)
	}
	for at, after := first, first+len(b.Length); at < after; {
		r := p.recordAt(at)
		end := min(int(p.ends[r]), after)
		if end > at {
			shift := uint32(p.records[r].Offset - p.begin(r)) // wraps around
			i, j := at-first, end-first
			part := &Repeats{First: p.records[r].Offset + at - p.begin(r), Start: b.Start[i:j], Length: b.Length[i:j]}
			for i, length := range part.Length {
				if length > 0 {
					part.Start[i] += shift
				}
			}
			if b.Offsets != nil {
				part.Starts = b.Starts[b.Offsets[i]:b.Offsets[j]]
				for i := range part.Starts {
					part.Starts[i] += shift
				}
				part.Offsets = slices.Clone(b.Offsets[i : j+1])
				for i := range part.Offsets {
					part.Offsets[i] -= b.Offsets[at-first]
				}
			}
			if err := yield(part); err != nil {
				return err
			}
		}
		at = int(p.ends[r]) + 1
	}
	return nil
}

// recordAt is the record that holds position k of the device's text, its separator
// included.
func (p *recordLayout) recordAt(k int) int {
	r, _ := slices.BinarySearch(p.ends[:len(p.records)], uint32(k))
	return r
}
