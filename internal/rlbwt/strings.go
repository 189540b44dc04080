package rlbwt

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"math"
	"math/bits"
	"slices"

	"github.com/suffixcl/suffixcl/device"
	"github.com/suffixcl/suffixcl/internal/parallel"
	"github.com/suffixcl/suffixcl/internal/tuned"
)

// Of kernels/rlbwt_strings.cl.
const (
	wholeRow  = 1 << 63
	noPiece   = math.MaxUint64
	nodeWords = 2
	walkWords = 3
)

// What Extract and Places take at most. Tests have less.
var (
	// rowsTogether are those whose strings are read together.
	rowsTogether = 1 << 24
	// mostSplitters bounds the memory of pieces: 16 bytes each, on the device and on the host.
	mostSplitters = 1 << 26
	// leastPiece is worth a splitter.
	leastPiece = 1 << 9
	// mostWindow bounds the letters that are downloaded at a time, leastWindow those of an index of many splitters.
	leastWindow, mostWindow = 1 << 26, 1 << 30
	// leastRoom is worth a launch, however few bytes the host may have.
	leastRoom int64 = 1 << 20
)

// piecesOfWalker is how many a walker gets in a window. Their lengths differ: of few of them most would wait for some.
const piecesOfWalker = 16

// StringBytes is the memory of the device, beside that of the index, for reading so many strings of an index of so many
// rows, and samples of so many bytes.
func StringBytes(rows, strings uint64, samples int64) (onDevice, host int64) {
	asked := min(int64(strings), int64(rowsTogether))
	pieces := asked + int64(rows)>>splitterLog(rows) + 1
	window := max(min(int64(rows), int64(mostWindow)), min(samples, 8*int64(placesTogether)))
	return pieces*8*nodeWords + asked*8 + window, pieces*8*nodeWords + 16*asked
}

// splitterLog is log2 of the rows that have a splitter.
func splitterLog(rows uint64) uint {
	return min(uint(bits.Len64(max(rows/uint64(mostSplitters), uint64(leastPiece), 2)-1)), 31)
}

// splitter is where the splitter of a block is: that of the kernels.
func splitter(every uint, block uint64) uint64 {
	hash := uint32(block) * 2654435761
	hash = (hash ^ hash>>15) * 2246822519
	return block<<every + uint64((hash^hash>>13)&(1<<every-1))
}

// Extract calls yield for what stands before each of some rows, in order: row k, less than the number of strings, has
// all of string k before it. letters are from 1 to 5, valid until yield returns; whole is the row of the whole string.
// Errors: a row that is not there, yield's, the context's, the device's.
//
// Strings are walked in pieces, all at once: the time is that of as many steps as there are letters, and again. Where
// few strings are asked for, and they are long, all of the index is walked once.
func (x *Index) Extract(
	ctx context.Context, rows []uint64, yield func(i int, letters []byte, whole uint64) error,
) error {
	return x.ExtractWithin(ctx, rows, math.MaxInt64, yield)
}

// ExtractWithin does what Extract does, and holds about so many bytes of strings on the host at a time, or one string.
func (x *Index) ExtractWithin(
	ctx context.Context, rows []uint64, bytes int64, yield func(i int, letters []byte, whole uint64) error,
) error {
	for first := 0; first < len(rows); first += rowsTogether {
		some := rows[first:min(first+rowsTogether, len(rows))]
		err := x.walked(ctx, some, func(p *survey) error {
			return p.read(ctx, bytes, func(i int, letters []byte) error { return yield(first+i, letters, p.whole[i]) })
		})
		if err != nil {
			return err
		}
	}
	return x.s.Check(ctx)
}

// walked cuts what stands before rows in pieces, for f.
func (x *Index) walked(ctx context.Context, rows []uint64, f func(p *survey) error) error {
	for _, row := range rows {
		if row >= x.rows {
			return fmt.Errorf("rlbwt: row %d of %d", row, x.rows)
		}
	}
	p := &survey{x: x, n: len(rows)}
	defer p.release()
	if err := p.find(ctx, rows); err != nil {
		return err
	}
	if err := p.measure(); err != nil {
		return err
	}
	return f(p)
}

// survey has the pieces of the strings before n rows.
type survey struct {
	x     *Index
	n     int
	every uint // log2 of the rows that have a splitter
	count int

	firsts *device.Buffer[uint64]
	walks  *device.Buffer[uint64]
	left   *device.Buffer[uint32]

	nodes  []uint64 // words of each piece
	whole  []uint64 // [n]: rows of whole strings
	length []uint64 // [n]: of the strings
}

func (p *survey) release() {
	p.firsts.Release()
	p.walks.Release()
	p.left.Release()
}

// args are PIECES_PARAMS.
func (p *survey) args() []any { return []any{p.firsts, uint64(p.n), uint32(p.every), uint64(p.count)} }

// find finds the pieces. What stands before few rows, or before rows with little before them, is walked without
// splitters, for as long as a walk over all rows takes at most.
func (p *survey) find(ctx context.Context, rows []uint64) (err error) {
	x := p.x
	if p.firsts, err = device.Alloc[uint64](x.s, p.n); err != nil {
		return err
	}
	if err := p.firsts.Write(rows); err != nil {
		return err
	}
	x.s.Phase("survey")
	p.count = p.n
	done, err := p.follow(ctx, wholeSteps(x))
	if done || err != nil {
		return err
	}
	p.every = splitterLog(x.rows)
	blocks := (x.rows + 1<<p.every - 1) >> p.every
	if splitter(p.every, blocks-1) >= x.rows {
		blocks--
	}
	p.count = p.n + int(blocks)
	_, err = p.follow(ctx, math.MaxUint64)
	return err
}

// wholeSteps is how many steps a walker of a whole string may take: the time in which all walkers take a step for each
// row.
var wholeSteps = func(x *Index) uint64 {
	caps, together := x.s.Caps(), x.k.Walkers
	if caps.CPUShape {
		together = caps.ComputeUnits
	}
	return max(x.rows/uint64(together), 1)
}

// follow follows the pieces, about so many steps with each walker at most. It tells whether it came to the end of all.
func (p *survey) follow(ctx context.Context, most uint64) (done bool, err error) {
	x := p.x
	nodes, err := device.Alloc[uint64](x.s, nodeWords*p.count)
	if err != nil {
		return false, err
	}
	defer nodes.Release()
	done, err = p.walk(ctx, p.count, most, func(groups int, walks []any) {
		x.k.survey.Launch(groups, 0, x.args(), p.args(), nodes, walks)
	})
	if !done || err != nil {
		return false, err
	}
	p.nodes = make([]uint64, nodeWords*p.count)
	return true, nodes.Read(p.nodes)
}

// Steps that all walkers take together in a launch: fractions of a second.
const (
	stepsTogetherCPU = 1 << 22
	stepsTogether    = 1 << 31
)

// steps is how many a walker takes in a launch.
func (x *Index) stepsOf(walkers int) uint64 {
	caps := x.s.Caps()
	most, together := uint64(1)<<15, uint64(stepsTogether)
	if !tuned.Quirks(caps).LongLoops {
		most = 1 << 10 // of several loops each
	}
	if caps.CPUShape {
		together = stepsTogetherCPU
	}
	return min(max(together/uint64(walkers), 64), most)
}

// walk launches walkers until they have gone through n pieces or parts, or taken so many steps each.
func (p *survey) walk(ctx context.Context, n int, most uint64, launch func(groups int, walks []any)) (bool, error) {
	x, walkers := p.x, min(n, p.x.k.Walkers)
	if walkers == 0 {
		return true, nil
	}
	if err := p.begin(walkers); err != nil {
		return false, err
	}
	steps := min(x.stepsOf(walkers), most)
	walks := []any{p.walks, uint64(walkers), uint32(steps), p.left}
	for taken := uint64(0); taken < most; taken += steps {
		p.left.Fill(0)
		launch(x.k.each(walkers), walks)
		if err := x.s.Check(ctx); err != nil {
			return false, err
		}
		var left [1]uint32
		if err := p.left.Read(left[:]); err != nil || left[0] == 0 {
			return err == nil, err
		}
	}
	return false, nil
}

// begin has each walker begin.
func (p *survey) begin(walkers int) (err error) {
	s := p.x.s
	if p.left == nil {
		if p.left, err = device.Alloc[uint32](s, 1); err != nil {
			return err
		}
	}
	if p.walks == nil || p.walks.Len() < walkWords*walkers {
		p.walks.Release()
		if p.walks, err = device.Alloc[uint64](s, walkWords*walkers); err != nil {
			return err
		}
	}
	state := make([]uint64, walkWords*walkers)
	for w := range walkers {
		state[walkWords*w], state[walkWords*w+2] = uint64(w), math.MaxUint64
	}
	return p.walks.View(0, len(state)).Write(state)
}

// of yields the pieces of a string, from its end to its beginning, and how many letters they have.
func (p *survey) of(i int) iter.Seq2[uint64, uint64] {
	return func(yield func(piece, letters uint64) bool) {
		for piece := uint64(i); piece < wholeRow; piece = p.nodes[nodeWords*piece] {
			if !yield(piece, p.nodes[nodeWords*piece+1]) {
				return
			}
		}
	}
}

// errNoBeginning is of transforms that are none of strings.
var errNoBeginning = errors.New("rlbwt: letters are in no string: the transform is none of a collection")

// measure finds the lengths of the strings, and their whole rows.
func (p *survey) measure() error {
	p.whole, p.length = make([]uint64, p.n), make([]uint64, p.n)
	return parallel.Try(p.n, 1, func(lo, hi int) error {
		for i := lo; i < hi; i++ {
			last := uint64(0)
			for piece, letters := range p.of(i) {
				if p.length[i] += letters; p.length[i] > p.x.rows {
					return errNoBeginning
				}
				last = piece
			}
			if last = p.nodes[nodeWords*last]; last == noPiece {
				return errNoBeginning
			}
			p.whole[i] = last &^ wholeRow
		}
		return nil
	})
}

// read yields the letters of all strings.
func (p *survey) read(ctx context.Context, bytes int64, yield func(i int, letters []byte) error) error {
	p.x.s.Phase("letters")
	total := uint64(0)
	for _, n := range p.length {
		if total += n; n > math.MaxInt {
			return fmt.Errorf("rlbwt: a string of %d letters", n)
		}
	}
	most := leastWindow
	if !p.x.s.Caps().CPUShape {
		most = min(max(most, piecesOfWalker*p.x.k.Walkers<<p.every), mostWindow)
	}
	w := &window{p: p, room: int(min(int64(most), max(bytes, leastRoom), int64(max(total, 1))))}
	var err error
	if w.text, err = device.Alloc[uint8](p.x.s, w.room); err != nil {
		return err
	}
	defer w.text.Release()
	for i := 0; i < p.n; {
		upto, n := i, 0
		for ; upto < p.n && n+int(p.length[upto]) <= w.room; upto++ {
			n += int(p.length[upto])
		}
		if upto > i {
			err = w.readTogether(ctx, i, upto, n, yield)
		} else {
			upto = i + 1
			err = w.readLong(ctx, i, yield)
		}
		if err != nil {
			return err
		}
		i = upto
	}
	return nil
}

// partWords is the words of a part of a piece: kernels/rlbwt_strings.cl.
const partWords = 4

// window is where letters come to.
type window struct {
	p     *survey
	room  int
	text  *device.Buffer[uint8]
	host  []byte
	parts []uint64
}

// add adds part of a piece: so many letters after those that are skipped, from its right end on. They end at a place.
func (w *window) add(piece, skip, letters uint64, end int) {
	w.parts = append(w.parts, piece, skip, letters, uint64(end))
}

// fetch reads the letters of the parts, which end with the window, and forgets these.
func (w *window) fetch(ctx context.Context, to []byte) error {
	x, n := w.p.x, len(w.parts)/partWords
	if len(to) == 0 {
		w.parts = w.parts[:0]
		return nil
	}
	parts, err := device.Alloc[uint64](x.s, len(w.parts))
	if err != nil {
		return err
	}
	defer parts.Release()
	if err := parts.Write(w.parts); err != nil {
		return err
	}
	_, err = w.p.walk(ctx, n, math.MaxUint64, func(groups int, walks []any) {
		x.k.letters.Launch(groups, int64(len(to))*(32+64+1), x.args(), w.p.args(), parts, uint64(n), w.text, walks)
	})
	if err != nil {
		return err
	}
	w.parts = w.parts[:0]
	return w.text.View(w.room-len(to), len(to)).Read(to)
}

// readTogether yields strings of so many letters, for which there is room.
func (w *window) readTogether(ctx context.Context, lo, hi, letters int, yield func(i int, letters []byte) error) error {
	w.host = slices.Grow(w.host[:0], letters)[:letters]
	end := w.room - letters
	for i := lo; i < hi; i++ {
		end += int(w.p.length[i])
		at := end
		for piece, n := range w.p.of(i) {
			w.add(piece, 0, n, at)
			at -= int(n)
		}
	}
	if err := w.fetch(ctx, w.host); err != nil {
		return err
	}
	w.tell(letters)
	for i, at := lo, 0; i < hi; i++ {
		n := int(w.p.length[i])
		if err := yield(i, w.host[at:at+n:at+n]); err != nil {
			return err
		}
		at += n
	}
	return nil
}

// readLong yields a string for which there is no room, from its end to its beginning.
func (w *window) readLong(ctx context.Context, i int, yield func(i int, letters []byte) error) error {
	text, filled := make([]byte, w.p.length[i]), 0
	w.tell(len(text))
	end := len(text)
	fetch := func() error {
		to := text[end-filled : end]
		end, filled = end-filled, 0
		return w.fetch(ctx, to)
	}
	for piece, letters := range w.p.of(i) {
		for done := uint64(0); done < letters; {
			n := min(letters-done, uint64(w.room-filled))
			if n < letters && letters <= uint64(w.room) { // it is walked at once, in the next window
				n = 0
			}
			if n > 0 {
				w.add(piece, done, n, w.room-filled)
				done += n
				filled += int(n)
			}
			if n == 0 || filled == w.room {
				if err := fetch(); err != nil {
					return err
				}
			}
		}
	}
	if err := fetch(); err != nil {
		return err
	}
	return yield(i, text)
}

// tell tells held.
func (w *window) tell(bytes int) {
	if held != nil {
		held(int64(bytes))
	}
}

// held is told of the bytes of strings that the host has. Tests have one.
var held func(bytes int64)

// placesTogether are samples that are downloaded at a time.
var placesTogether = 1 << 27

// Places tells where the suffixes of rows begin: of every 2^rate-th one, from the number of strings on. Begin is called
// first, with the rows of the whole strings and the number of rows of all strings, then yield, with many places at a
// time, in the order of the rows: the offset in the string << shift | the number of the string. They are valid until
// yield returns. Errors: those of begin and yield, the context's, the device's.
func (x *Index) Places(
	ctx context.Context, rate, shift int, begin func(wholes []uint64, rows uint64) error,
	yield func(places []uint64) error,
) error {
	m := x.counts[0]
	numbers := make([]uint64, m)
	for i := range numbers {
		numbers[i] = uint64(i)
	}
	p := &placing{x: x, rate: uint(rate), shift: shift, all: (x.rows - m + 1<<rate - 1) >> rate}
	if m > uint64(rowsTogether) {
		return p.run(ctx, begin, yield, func(f func(first int, some *survey) error) error {
			for first := 0; first < int(m); first += rowsTogether {
				some := numbers[first:min(first+rowsTogether, int(m))]
				if err := x.walked(ctx, some, func(s *survey) error { return f(first, s) }); err != nil {
					return err
				}
			}
			return nil
		})
	}
	return x.walked(ctx, numbers, func(all *survey) error {
		return p.run(ctx, begin, yield, func(f func(first int, some *survey) error) error { return f(0, all) })
	})
}

// placing tells the places of sampled rows.
type placing struct {
	x     *Index
	rate  uint
	shift int
	all   uint64 // samples

	places *device.Buffer[uint64]
}

// run tells them by surveys of some strings each, which each gives.
func (p *placing) run(
	ctx context.Context, begin func(wholes []uint64, rows uint64) error, yield func(places []uint64) error,
	each func(func(first int, some *survey) error) error,
) error {
	wholes, rows := make([]uint64, p.x.counts[0]), uint64(0)
	err := each(func(first int, some *survey) error {
		copy(wholes[first:], some.whole)
		for _, n := range some.length {
			rows += n + 1
		}
		return nil
	})
	if err == nil {
		err = begin(wholes, rows)
	}
	if err != nil || p.all == 0 {
		return err
	}
	p.x.s.Phase("places")
	room := min(p.all, uint64(placesTogether))
	if p.places, err = device.Alloc[uint64](p.x.s, int(room)); err != nil {
		return err
	}
	defer p.places.Release()
	host := make([]uint64, room)
	for from := uint64(0); from < p.all; from += room {
		err := each(func(first int, some *survey) error { return p.find(ctx, first, some, from) })
		if err != nil {
			return err
		}
		some := host[:min(room, p.all-from)]
		if err := p.places.View(0, len(some)).Read(some); err != nil {
			return err
		}
		if err := yield(some); err != nil {
			return err
		}
	}
	return nil
}

// find finds the places of samples from one on that are in the strings of a survey.
func (p *placing) find(ctx context.Context, first int, some *survey, from uint64) error {
	var list []uint64
	for i, at := range some.length {
		for piece, letters := range some.of(i) {
			list = append(list, piece, at<<p.shift|uint64(first+i))
			at -= letters
		}
	}
	parts, err := device.Alloc[uint64](p.x.s, len(list))
	if err != nil {
		return err
	}
	defer parts.Release()
	if err := parts.Write(list); err != nil {
		return err
	}
	n := len(list) / 2
	_, err = some.walk(ctx, n, math.MaxUint64, func(groups int, walks []any) {
		p.x.k.places.Launch(groups, 0, p.x.args(), some.args(), parts, uint64(n), p.places, from, uint64(p.places.Len()),
			p.x.counts[0], uint32(p.rate), uint32(p.shift), walks)
	})
	return err
}
