package repeats

import (
	"github.com/suffixcl/suffixcl/internal/call"
	"github.com/suffixcl/suffixcl/internal/input"
	"github.com/suffixcl/suffixcl/seqio"
)

// Repeat is a substring that occurs more than once: Length characters of the text from position Start on. Length 0 says
// that there is none.
type Repeat struct{ Start, Length uint32 }

// Options of longest repeats. The zero value finds the leftmost in a text of one sequence.
type Options struct {
	// MinLength is the length in characters from which on repeats count; 0 and 1 take all.
	MinLength int
	// Records, if there are any, are the parts of the text: repeats lie inside of one, and positions outside of all have
	// none. They ascend and do not overlap; together they leave at least one byte value unused.
	Records seqio.Table
	// ReverseComplement: the text is DNA in the codes of IUPAC, and what occurs on the other strand is a repeat, too. A
	// substring that is its own reverse complement, such as ACGT, occurs there. Time and memory are doubled.
	ReverseComplement bool
	// All: every longest repeat of each position is found, not only the leftmost.
	All bool
}

// Repeats are the longest repeats that cover n consecutive positions of a text: of all of it, or of a part.
type Repeats struct {
	First  int      // position in the text of the first of them
	Start  []uint32 // [n]: start of the leftmost longest repeat of each position; 0 where there is none
	Length []uint32 // [n]: of the longest repeats of each position; 0 where there is none
	// Offsets [n+1] and Starts are all longest repeats, with RepeatOptions.All; else nil. Those of position First+i start
	// at Starts[Offsets[i]:Offsets[i+1]], ascending.
	Offsets []uint64
	Starts  []uint32
}

// Repeats are the longest repeats that cover each position of a text, in consecutive parts, from left to right. A part
// lies in one record. Starts and lengths count symbols, those of a set as its positions do. Repeats of a set lie inside
// of one of its texts, which may hold any bytes; terminators have none.
//
// Memory: 33 bytes of device memory a character while suffixes are sorted, and 12.3 for the queries. All takes 8 bytes
// of host memory a character. With RepeatOptions.All there are up to 2 log2(n) for each position in the mean, of 4
// bytes each, and offsets of 8. Errors: those of Build; *RecordError; a negative MinLength; records that use all byte
// values; *ComplementError, with ReverseComplement; these two options with a text that is not of bytes.
func Find(e *call.Engine, text input.Text, o Options) call.Job[*Repeats, *Repeats] {
	if wrong := text.InMemory(); wrong != nil {
		return call.Refused[*Repeats, *Repeats](e, wrong)
	}
	j, err := repeatsOf(e, text, o)
	if err != nil {
		return call.Refused[*Repeats, *Repeats](e, err)
	}
	j.Collect = func(run func(yield func(*Repeats) error) error) (*Repeats, error) {
		return collectRepeats(text.Len(), o, run)
	}
	return j
}

func repeatsOf(e *call.Engine, text input.Text, o Options) (call.Job[*Repeats, *Repeats], error) {
	layout := layText
	if !text.IsSet() && text.SymbolBytes() == 1 {
		layout = layBytes
	}
	p, err := layout(text, o)
	if err != nil {
		return call.Job[*Repeats, *Repeats]{}, err
	}
	j := call.NewJob[*repeating, *Repeats, *Repeats](e, func() (*repeating, error) { return newTextRepeats(e, text, p, o) },
		func(c *call.Call, op *repeating, yield func(*Repeats) error) error {
			if err := op.join(p, text, o); err != nil {
				return err
			}
			x, ws, err := op.index(c, p.ends)
			if err != nil {
				return err
			}
			if o.All {
				return op.eachRow(c, x, ws, p, yield)
			}
			return op.eachLeftmost(c, x, p, yield)
		}, nil)
	return j.NeedsSymbols(text), nil
}

// collectRepeats are the repeats of all parts of a text of n symbols.
func collectRepeats(n int, o Options, run func(yield func(*Repeats) error) error) (*Repeats, error) {
	r := &Repeats{}
	room := func() { // not for a text that is refused
		if r.Start != nil {
			return
		}
		r.Start, r.Length = make([]uint32, n), make([]uint32, n)
		if o.All {
			r.Offsets = make([]uint64, n+1)
		}
	}
	row := 0 // of the next position
	skip := func(to int) {
		for ; o.All && row < to; row++ {
			r.Offsets[row+1] = r.Offsets[row]
		}
	}
	err := run(func(part *Repeats) error {
		room()
		copy(r.Start[part.First:], part.Start)
		copy(r.Length[part.First:], part.Length)
		skip(part.First) // positions between records
		for i := 1; i < len(part.Offsets); i++ {
			r.Offsets[row+1] = r.Offsets[row] + part.Offsets[i] - part.Offsets[i-1]
			row++
		}
		r.Starts = append(r.Starts, part.Starts...)
		return nil
	})
	if err != nil {
		return nil, err
	}
	room()
	skip(n)
	return r, nil
}
