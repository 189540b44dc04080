package runfiles

import (
	"errors"
	"fmt"
	"hash/maphash"
	"runtime"
	"sync"

	"github.com/suffixcl/suffixcl/internal/parallel"
)

// Totals are those of runs of a letter.
type Totals struct {
	Runs, Rows uint64
	After      uint64 // the row after the last of them; 0: there is none
}

// Survey is what heads and lengths have. By it the runs are read in parts, on all processors.
type Survey struct {
	Runs    int64
	Rows    uint64
	Letters [256]Totals

	files Files
	seed  maphash.Seed
	parts []before
}

// before is what is before a part, of the letters that occur there, and the hash of the part.
type before struct {
	row     uint64
	letters []letterTotals
	hash    uint64
}

type letterTotals struct {
	letter byte
	Totals
}

// Part are runs that follow each other, and what is before them.
type Part struct {
	First               int64 // its first run
	Row                 uint64
	Before              [256]Totals
	Heads               []byte
	Lengths, Thresholds []uint64

	lengths, thresholds []byte // as in the files
}

// PartRuns are the runs of a part, but for the last one.
const PartRuns = 1 << 18

// PartBytes is the memory of a part: at most twice as many as there are processors are held at once.
const PartBytes = PartRuns * (1 + 2*(Width+8))

// ErrChanged says that files are no longer those of the survey.
var ErrChanged = errors.New("the files of runs have changed while they were read")

// count is the number of parts of runs.
func count(runs int64) int { return int((runs + PartRuns - 1) / PartRuns) }

// parts has parts that are used again.
var parts = sync.Pool{New: func() any {
	return &Part{
		Heads: make([]byte, PartRuns), Lengths: make([]uint64, PartRuns), Thresholds: make([]uint64, PartRuns),
		lengths: make([]byte, PartRuns*Width), thresholds: make([]byte, PartRuns*Width),
	}
}}

// read reads heads and lengths of a part. It must be put back.
func (v *Survey) read(k int) (p *Part, hash uint64, err error) {
	p = parts.Get().(*Part)
	p.First = int64(k) * PartRuns
	n := int(min(v.Runs-p.First, PartRuns))
	p.Heads, p.Lengths, p.Thresholds = p.Heads[:n], p.Lengths[:n], p.Thresholds[:n]
	p.lengths, p.thresholds = p.lengths[:n*Width], p.thresholds[:n*Width]
	if err = v.files.read(0, p.First, p.Heads); err == nil {
		err = v.files.read(1, p.First, p.lengths)
	}
	if err != nil {
		return p, 0, err
	}
	numbers(p.Lengths, p.lengths)
	var h maphash.Hash
	h.SetSeed(v.seed)
	h.Write(p.Heads)
	h.Write(p.lengths)
	return p, h.Sum64(), nil
}

// sums is what a part has. Rows of Totals are counted from its first one.
type sums struct {
	letters [256]Totals
	rows    uint64
	wrong   bool // a run of no rows or of the letter before, an end of several rows
}

func (p *Part) sums() (s sums) {
	last := -1
	for i, head := range p.Heads {
		n := p.Lengths[i]
		s.wrong = s.wrong || int(head) == last || n == 0 || head == 0 && n > 1
		last = int(head)
		s.rows += n
		of := &s.letters[head]
		of.Runs++
		of.Rows += n
		of.After = s.rows
	}
	return s
}

// Survey reads heads and lengths. Memory: that of parts, and 32 bytes for each of them and letter. Errors: those of
// the files; an *Error for files that are damaged, or do not belong together: runs of no rows or of the letter before,
// no end or several, more than MaxRows rows.
func (f Files) Survey() (*Survey, error) {
	if err := f.check(); err != nil {
		return nil, err
	}
	v := &Survey{Runs: f[0].Size(), files: f, seed: maphash.MakeSeed()}
	type looked struct {
		p    *Part
		hash uint64
		sums sums
		err  error
	}
	last := -1 // the letter of the run before
	err := parallel.InOrder(count(v.Runs), runtime.GOMAXPROCS(0), func(k int) *looked {
		var of looked
		if of.p, of.hash, of.err = v.read(k); of.err == nil {
			of.sums = of.p.sums()
		}
		return &of
	}, func(_ int, of *looked) error {
		defer parts.Put(of.p)
		if of.err != nil {
			return of.err
		}
		p, s := of.p, &of.sums
		if s.wrong || last == int(p.Heads[0]) || v.Letters[0].Runs+s.letters[0].Runs > 1 || v.Rows+s.rows > MaxRows {
			return v.wrong(p, last)
		}
		v.add(s, of.hash)
		last = int(p.Heads[len(p.Heads)-1])
		return nil
	}, func(of *looked) { parts.Put(of.p) })
	if err != nil {
		return nil, err
	}
	if ends := v.Letters[0].Runs; ends != 1 {
		return nil, &Error{HeadsSuffix, v.Runs, fmt.Sprintf("has %d ends of the text, not 1", ends)}
	}
	return v, nil
}

// add adds a part.
func (v *Survey) add(s *sums, hash uint64) {
	b := before{row: v.Rows, hash: hash}
	for c := range v.Letters {
		of, more := &v.Letters[c], &s.letters[c]
		if of.Runs > 0 {
			b.letters = append(b.letters, letterTotals{byte(c), *of})
		}
		of.Runs += more.Runs
		of.Rows += more.Rows
		if more.Runs > 0 {
			of.After = v.Rows + more.After
		}
	}
	v.parts = append(v.parts, b)
	v.Rows += s.rows
}

// wrong is what is wrong with a part that is: the first run of the letter before, or with an end too many, and then the
// first one of a length that cannot be.
func (v *Survey) wrong(p *Part, last int) error {
	ends := v.Letters[0].Runs
	for i, head := range p.Heads {
		run := p.First + int64(i)
		if int(head) == last {
			return p.wrong(0, i, "has the letter %q in runs %d and %d", head, run-1, run)
		}
		if last = int(head); head == 0 {
			if ends++; ends > 1 {
				return p.wrong(0, i, "has %d ends of the text, not 1", ends)
			}
		}
	}
	rows := v.Rows
	for i, length := range p.Lengths {
		rows += length
		switch {
		case length == 0:
			return p.wrong(1, i, "has no rows in run %d", p.First+int64(i))
		case p.Heads[i] == 0 && length > 1:
			return p.wrong(1, i, "has %d rows in run %d, the end", length, p.First+int64(i))
		case rows > MaxRows:
			return p.wrong(1, i, "has more than %d rows", uint64(MaxRows))
		}
	}
	return nil
}

func (p *Part) wrong(k, i int, format string, args ...any) error {
	return &Error{suffixes[k], (p.First + int64(i)) * widths[k], fmt.Sprintf(format, args...)}
}

// Each reads all runs. It calls f for many parts at once, and use for what f made of them, in their order, on the
// goroutine of its caller. A part is valid until use returns. Errors: those of use, those of the files; ErrChanged; an
// *Error for a threshold after the first row of the run, or before the end of that letter's run before it.
func Each[T any](v *Survey, f func(p *Part) T, use func(p *Part, made T) error) error {
	type read struct {
		p    *Part
		made T
		err  error
	}
	return parallel.InOrder(len(v.parts), runtime.GOMAXPROCS(0), func(k int) (of read) {
		if of.p, of.err = v.load(k); of.err == nil {
			of.made = f(of.p)
		}
		return of
	}, func(_ int, of read) error {
		defer parts.Put(of.p)
		if of.err != nil {
			return of.err
		}
		return use(of.p, of.made)
	}, func(of read) { parts.Put(of.p) })
}

// load reads a part.
func (v *Survey) load(k int) (*Part, error) {
	p, hash, err := v.read(k)
	if err != nil {
		return p, err
	}
	b := &v.parts[k]
	if hash != b.hash {
		return p, ErrChanged
	}
	p.Row, p.Before = b.row, [256]Totals{}
	for _, of := range b.letters {
		p.Before[of.letter] = of.Totals
	}
	if err := v.files.read(2, p.First, p.thresholds); err != nil {
		return p, err
	}
	numbers(p.Thresholds, p.thresholds)
	return p, p.check()
}

// check tells what is wrong with the thresholds.
func (p *Part) check() error {
	row := p.Row
	var after [256]uint64
	for c := range after {
		after[c] = p.Before[c].After
	}
	for i, threshold := range p.Thresholds {
		least, most := after[p.Heads[i]], row
		if least == 0 {
			most = 0
		}
		if threshold < least || threshold > most {
			return p.wrong(2, i, "has threshold %d for run %d, which has %d to %d", threshold, p.First+int64(i), least,
				most)
		}
		row += p.Lengths[i]
		after[p.Heads[i]] = row
	}
	return nil
}
