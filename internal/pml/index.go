package pml

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/bits"
	"slices"

	"github.com/suffixcl/suffixcl/device"
	"github.com/suffixcl/suffixcl/internal/fmd"
	"github.com/suffixcl/suffixcl/internal/rlbwt"
	"github.com/suffixcl/suffixcl/internal/runfiles"
	"github.com/suffixcl/suffixcl/internal/tune"
	"github.com/suffixcl/suffixcl/internal/tuned"
)

// Those of kernels/pml.cl.
const (
	keyBits = 24
	keyMask = 1<<keyBits - 1
)

// bases are those of letters 1 to 4; other is the letter of all others.
const (
	bases = "ACGT"
	other = 5
)

// letterOf is the letter of each byte of heads.
var letterOf = func() (letter [256]byte) {
	for c := range letter {
		letter[c] = other
	}
	for i, c := range []byte(bases) {
		letter[c] = byte(1 + i)
	}
	return letter
}()

// Survey is what is to be known of files before they are brought to the device.
type Survey struct {
	Runs int
	rows [256]uint64 // with each letter
	runs [256]uint64
	all  uint64
}

// maxRuns is how many runs of bases there are at most: thresholds have numbers of 32 bits.
const maxRuns = math.MaxUint32 - 1

// Look reads the files. Errors: those of runfiles.Files.Each; too many runs.
func Look(files runfiles.Files) (*Survey, error) {
	v := &Survey{}
	err := files.Each(func(p *runfiles.Part) error {
		for i, head := range p.Heads {
			v.rows[head] += p.Lengths[i]
			v.runs[head]++
		}
		v.Runs += len(p.Heads)
		return nil
	})
	if err != nil {
		return nil, err
	}
	for _, rows := range v.rows {
		v.all += rows
	}
	if v.known() > maxRuns {
		return nil, fmt.Errorf("pml: %d runs of A, C, G and T, at most %d are taken", v.known(), maxRuns)
	}
	return v, nil
}

// known is the number of runs of bases.
func (v *Survey) known() (runs uint64) {
	for _, c := range []byte(bases) {
		runs += v.runs[c]
	}
	return runs
}

// shift is log2 of the keys of a cell, in which about 2 to 4 runs begin.
func (v *Survey) shift() int {
	const runs = 4
	return min(max(bits.Len64(v.all/max(v.known(), 1)*runs)-1, 0), keyBits)
}

// Pieces is an upper bound of the runs, if those are counted for several that package rlbwt divides.
func (v *Survey) Pieces() int { return v.Runs + int(v.all>>16) }

// first is the first row that begins with a byte.
func (v *Survey) first(c int) (row uint64) {
	for _, rows := range v.rows[:c] {
		row += rows
	}
	return row
}

// Index is a transform with thresholds on the device. One goroutine uses it at a time.
type Index struct {
	s          *device.Session
	layout     *device.Layout
	letters    *device.Slot[[2]uint64]
	thresholds *device.Slot[uint64]
	cells      *device.Slot[uint32]
	shift      int
	runs       *rlbwt.Index
}

func newIndex(s *device.Session, v *Survey) *Index {
	x := &Index{s: s, layout: device.NewLayout("index"), shift: v.shift()}
	x.letters = device.Reserve[[2]uint64](x.layout, "letters", 256)
	x.thresholds = device.Reserve[uint64](x.layout, "thresholds", int(max(v.known(), 1)))
	x.cells = device.Reserve[uint32](x.layout, "keys", int(v.all>>x.shift+2))
	return x
}

// Prepare plans the program, which the session can build then.
func Prepare(s *device.Session) {
	rlbwt.Prepare(s)
	program(s)
}

// program has the kernel.
func program(s *device.Session) (*device.Kernel, tune.SMEM) {
	t := tuned.Of(s).SMEM
	p := s.Program(device.Source{Files: []string{"rlbwt.cl", "pml.cl"}, Defines: device.Defines{
		"WG": t.WG, "TOGETHER": t.Together}})
	return p.Kernel("pml", t.WG), t
}

// Memory is an upper bound of the device memory of an index. Host is that of what is made on the host.
func (v *Survey) Memory(s *device.Session) device.PhaseMemory {
	const run, others = 3, 1024 // bytes, of package rlbwt
	Prepare(s)
	x := newIndex(s, v)
	m := x.layout.Memory()
	m.Buffers = append(m.Buffers, device.BufferMemory{Name: "transform", Bytes: run*int64(v.Pieces()) + others})
	m.Host = 4 * int64(v.all>>x.shift)
	return m
}

// Open brings files to the device, of which v is known. Errors: those of the files, if they are others by now; a
// *device.MemoryError; the context's, the device's.
func (v *Survey) Open(ctx context.Context, s *device.Session, files runfiles.Files) (*Index, error) {
	x := newIndex(s, v)
	if err := x.layout.Allocate(s); err != nil {
		return nil, err
	}
	l := newLister(ctx, x, v)
	err := x.writeLetters(v)
	if err == nil {
		var runs []fmd.Run
		x.runs, err = rlbwt.Load(ctx, s, func(yield func([]fmd.Run) error) error {
			return files.Each(func(p *runfiles.Part) error {
				runs = runs[:0]
				for i, head := range p.Heads {
					runs = append(runs, fmd.Run{Letter: letterOf[head], Len: p.Lengths[i]})
				}
				if err := yield(runs); err != nil {
					return err
				}
				return l.add(p)
			})
		})
	}
	if err == nil {
		err = l.end()
	}
	if err != nil {
		x.Release()
		return nil, err
	}
	return x, nil
}

// writeLetters writes what rows begin with each byte: lower case is as upper case, and what is no base begins none.
func (x *Index) writeLetters(v *Survey) error {
	var letters [256][2]uint64
	for c := range letters {
		upper := c
		if c >= 'a' && c <= 'z' {
			upper -= 'a' - 'A'
		}
		row := v.first(upper)
		letters[c] = [2]uint64{row, row}
		if letterOf[upper] != other {
			letters[c][1] += v.rows[upper]
		}
	}
	return x.letters.Buffer(x.s).Write(letters[:])
}

// Release frees the memory.
func (x *Index) Release() {
	if x != nil {
		x.layout.Release(x.s)
		x.runs.Release()
	}
}

// lister lists thresholds by key, while runs come in their order: of each letter they come by key.
type lister struct {
	ctx     context.Context
	x       *Index
	cells   []uint32
	known   uint32 // thresholds in all
	letters [len(bases) + 1]listed
}

// listed is a letter of a lister.
type listed struct {
	next, key  uint64 // of its next run: the number of the threshold, and the key
	runs, rows uint64 // that are to come
	list       []uint64
}

// noThreshold is in cells that no threshold is in yet.
const noThreshold = math.MaxUint32

func newLister(ctx context.Context, x *Index, v *Survey) *lister {
	l := &lister{ctx: ctx, x: x, cells: make([]uint32, v.all>>x.shift+2), known: uint32(v.known())}
	for i := range l.cells {
		l.cells[i] = noThreshold
	}
	next := uint64(0)
	for i, c := range []byte(bases) {
		l.letters[i+1] = listed{next: next, key: v.first(int(c)), runs: v.runs[c], rows: v.rows[c]}
		next += v.runs[c]
	}
	return l
}

// errChanged says that files are no longer those of the survey.
var errChanged = errors.New("pml: the files of the index have changed while they were read")

// add lists those of a part of the runs.
func (l *lister) add(p *runfiles.Part) error {
	for i, head := range p.Heads {
		letter := letterOf[head]
		if letter == other {
			continue
		}
		of := &l.letters[letter]
		if of.runs == 0 || of.rows < p.Lengths[i] {
			return errChanged
		}
		cell := &l.cells[of.key>>l.x.shift]
		*cell = min(*cell, uint32(of.next)+uint32(len(of.list)))
		of.list = append(of.list, p.Thresholds[i]<<keyBits|of.key&keyMask)
		of.key += p.Lengths[i]
		of.rows -= p.Lengths[i]
		of.runs--
	}
	thresholds := l.x.thresholds.Buffer(l.x.s)
	for i := range l.letters {
		of := &l.letters[i]
		if n := len(of.list); n > 0 {
			if err := thresholds.View(int(of.next), n).Upload(l.ctx, of.list, nil); err != nil {
				return err
			}
			of.next += uint64(n)
			of.list = of.list[:0]
		}
	}
	return nil
}

// end writes the cells.
func (l *lister) end() error {
	for _, of := range l.letters {
		if of.runs > 0 || of.rows > 0 {
			return errChanged
		}
	}
	after := l.known
	for i, first := range slices.Backward(l.cells) {
		if first == noThreshold {
			l.cells[i] = after
		}
		after = l.cells[i]
	}
	return l.x.cells.Buffer(l.x.s).Upload(l.ctx, l.cells, nil)
}
