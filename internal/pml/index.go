package pml

import (
	"context"
	"fmt"
	"math"
	"math/bits"
	"runtime"
	"slices"
	"sync"

	"github.com/suffixcl/suffixcl/device"
	"github.com/suffixcl/suffixcl/internal/fmd"
	"github.com/suffixcl/suffixcl/internal/parallel"
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
type Survey struct{ files *runfiles.Survey }

// maxRuns is how many runs of bases there are at most: thresholds have numbers of 32 bits.
const maxRuns = math.MaxUint32 - 1

// Look reads the files. Errors: those of runfiles.Files.Survey; too many runs.
func Look(files runfiles.Files) (*Survey, error) {
	of, err := files.Survey()
	if err != nil {
		return nil, err
	}
	v := &Survey{of}
	if v.known() > maxRuns {
		return nil, fmt.Errorf("pml: %d runs of A, C, G and T, at most %d are taken", v.known(), maxRuns)
	}
	return v, nil
}

// known is the number of runs of bases.
func (v *Survey) known() (runs uint64) {
	for _, c := range []byte(bases) {
		runs += v.files.Letters[c].Runs
	}
	return runs
}

// shift is log2 of the keys of a cell, in which about 2 to 4 runs begin.
func (v *Survey) shift() int {
	const runs = 4
	return min(max(bits.Len64(v.files.Rows/max(v.known(), 1)*runs)-1, 0), keyBits)
}

// Pieces is an upper bound of the runs, if those are counted for several that package rlbwt divides.
func (v *Survey) Pieces() int { return int(v.files.Runs) + int(v.files.Rows>>16) }

// first is the first row that begins with a byte.
func (v *Survey) first(c int) (row uint64) {
	for _, of := range v.files.Letters[:c] {
		row += of.Rows
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
	x.cells = device.Reserve[uint32](x.layout, "keys", int(v.files.Rows>>x.shift+2))
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
	m.Host = 4*int64(v.files.Rows>>x.shift) + 2*int64(runtime.GOMAXPROCS(0))*(runfiles.PartBytes+partBytes)
	return m
}

// Open brings the files to the device. Errors: those of runfiles.Each; a *device.MemoryError; the context's, the
// device's.
func (v *Survey) Open(ctx context.Context, s *device.Session) (*Index, error) {
	x := newIndex(s, v)
	if err := x.layout.Allocate(s); err != nil {
		return nil, err
	}
	l := newLister(x, v)
	err := x.writeLetters(v)
	if err == nil {
		x.runs, err = rlbwt.Load(ctx, s, func(yield fmd.Yield) error {
			return runfiles.Each(v.files, l.list, func(_ *runfiles.Part, of *listed) error {
				if err := yield(of.runs); err != nil {
					return err
				}
				return l.upload(ctx, of)
			})
		})
	}
	if err == nil {
		err = l.end(ctx)
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
			letters[c][1] += v.files.Letters[upper].Rows
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

// lister lists thresholds by key: of each letter they come by key while runs come in their order.
type lister struct {
	x       *Index
	cells   []uint32 // the number of the first threshold of each, or noThreshold
	known   uint32   // thresholds in all
	letters [len(bases) + 1]struct {
		byte
		next uint32 // the number of its first threshold
		key  uint64 // of that
	}
	shared []cell
	made   sync.Pool // of *listed
}

// listed is what a part of the runs has.
type listed struct {
	runs    []fmd.Run
	letters [len(bases) + 1]struct {
		next uint32
		list []uint64
	}
	shared [len(bases) + 1]cell
}

// cell is the cell of the first run of a letter in a part. Runs of the part before or of another letter may be in the
// same one, so it is filled in when all parts are there. Each other cell belongs to one part.
type cell struct {
	at    uint64
	first uint32
}

// partBytes is the memory of what is listed of a part.
const partBytes = runfiles.PartRuns * (16 + 8)

// noThreshold is in cells that no threshold is in.
const noThreshold = math.MaxUint32

func newLister(x *Index, v *Survey) *lister {
	l := &lister{x: x, cells: make([]uint32, v.files.Rows>>x.shift+2), known: uint32(v.known())}
	l.made.New = func() any { return &listed{} }
	parallel.Do(len(l.cells), 1<<20, func(lo, hi int) {
		for i := range l.cells[lo:hi] {
			l.cells[lo+i] = noThreshold
		}
	})
	next := uint32(0)
	for i, c := range []byte(bases) {
		l.letters[i+1].byte, l.letters[i+1].next, l.letters[i+1].key = c, next, v.first(int(c))
		next += uint32(v.files.Letters[c].Runs)
	}
	return l
}

// list lists those of a part.
func (l *lister) list(p *runfiles.Part) *listed {
	made := l.made.Get().(*listed)
	made.runs = slices.Grow(made.runs[:0], len(p.Heads))[:len(p.Heads)]
	var keys, last [len(bases) + 1]uint64
	for i := range made.letters {
		of, before := &made.letters[i], &p.Before[l.letters[i].byte]
		of.next, of.list = l.letters[i].next+uint32(before.Runs), of.list[:0]
		keys[i], last[i] = l.letters[i].key+before.Rows, math.MaxUint64
	}
	for i, head := range p.Heads {
		letter, n := letterOf[head], p.Lengths[i]
		made.runs[i] = fmd.Run{Letter: letter, Len: n}
		if letter == other {
			continue
		}
		of, key := &made.letters[letter], keys[letter]
		number, at := of.next+uint32(len(of.list)), key>>l.x.shift
		switch {
		case len(of.list) == 0:
			made.shared[letter] = cell{at, number}
		case at != last[letter]:
			l.cells[at] = number
		}
		last[letter] = at
		of.list = append(of.list, p.Thresholds[i]<<keyBits|key&keyMask)
		keys[letter] += n
	}
	return made
}

// upload takes what was listed of a part.
func (l *lister) upload(ctx context.Context, made *listed) error {
	defer l.made.Put(made)
	thresholds := l.x.thresholds.Buffer(l.x.s)
	for i := range made.letters {
		of := &made.letters[i]
		if len(of.list) == 0 {
			continue
		}
		l.shared = append(l.shared, made.shared[i])
		if err := thresholds.View(int(of.next), len(of.list)).Upload(ctx, of.list, nil); err != nil {
			return err
		}
	}
	return nil
}

// end writes the cells.
func (l *lister) end(ctx context.Context) error {
	for _, of := range l.shared {
		l.cells[of.at] = min(l.cells[of.at], of.first)
	}
	after := l.known
	for i, first := range slices.Backward(l.cells) {
		if first == noThreshold {
			l.cells[i] = after
		}
		after = l.cells[i]
	}
	return l.x.cells.Buffer(l.x.s).Upload(ctx, l.cells, nil)
}
