package rlbwt

import (
	"context"
	"fmt"
	"math"
	"slices"

	"github.com/suffixcl/suffixcl/device"
	"github.com/suffixcl/suffixcl/internal/fmd"
)

// Rank is how often letters[i] is before row rows[i]. Errors: a letter or row that is not there, the context's, the
// device's.
func (x *Index) Rank(ctx context.Context, letters []byte, rows []uint64) ([]uint64, error) {
	n := len(rows)
	counts := make([]uint64, n)
	for i, row := range rows {
		if row > x.rows || letters[i] >= fmd.Letters {
			return nil, fmt.Errorf("rlbwt: letter %d before row %d of %d", letters[i], row, x.rows)
		}
	}
	if n == 0 {
		return counts, x.s.Check(ctx)
	}
	in, err := device.Alloc[uint8](x.s, n)
	if err != nil {
		return nil, err
	}
	defer in.Release()
	places, err := device.Alloc[uint64](x.s, n)
	if err != nil {
		return nil, err
	}
	defer places.Release()
	out, err := device.Alloc[uint64](x.s, n)
	if err != nil {
		return nil, err
	}
	defer out.Release()
	if err = in.Write(letters); err == nil {
		err = places.Write(rows)
	}
	if err != nil {
		return nil, err
	}
	x.s.Phase("ranks")
	x.k.rank.Launch(x.k.tiles(n), int64(n)*(17+32+64), x.args(), in, places, uint64(n), out)
	if err := x.s.Check(ctx); err != nil {
		return nil, err
	}
	return counts, out.Read(counts)
}

// extractLetters is how many letters of all strings are downloaded at a time.
const extractLetters = 1 << 24

// Extract calls yield for each of some strings, by their numbers, once for a string, in order; letters are its letters
// from 1 to 5, and row is that of the whole string. All strings are in the memory of the host at the same time.
// Errors: a string that is not there, yield's, the context's, the device's.
func (x *Index) Extract(
	ctx context.Context, strings []uint64, yield func(i int, letters []byte, row uint64) error,
) error {
	return x.ExtractWithin(ctx, strings, math.MaxInt64, yield)
}

// ExtractWithin does what Extract does, and holds about so many bytes of strings on the host at a time: as many strings
// as that has room for are walked together, and one at least. Those that find no room are walked again.
func (x *Index) ExtractWithin(
	ctx context.Context, strings []uint64, bytes int64, yield func(i int, letters []byte, row uint64) error,
) error {
	for _, k := range strings {
		if k >= x.counts[0] {
			return fmt.Errorf("rlbwt: string %d of %d", k, x.counts[0])
		}
	}
	if len(strings) == 0 {
		return x.s.Check(ctx)
	}
	average := int64(x.rows/x.counts[0]) + 1
	together := max(int(min(bytes/average/4*3, int64(len(strings)))), 1)
	for first := 0; first < len(strings); {
		e := extraction{x: x, numbers: strings[first:min(first+together, len(strings))], bytes: bytes}
		texts, rows, err := e.run(ctx)
		if err != nil {
			return err
		}
		if together = len(texts); together == len(e.numbers) {
			together *= 2
		}
		for i, text := range texts {
			slices.Reverse(text)
			if err := yield(first+i, text, rows[i]); err != nil {
				return err
			}
			texts[i] = nil
		}
		first += len(texts)
	}
	return nil
}

// held is told of the bytes of strings after each round. Tests have one.
var held func(bytes int64)

// extraction walks strings together, from their ends on.
type extraction struct {
	x       *Index
	numbers []uint64
	bytes   int64 // of the host that the strings may take

	at      *device.Buffer[uint64] // rows
	out     *device.Buffer[uint8]
	counts  *device.Buffer[uint32]
	texts   [][]byte // from the last letter on
	done    []bool
	left    int // of the strings
	held    int64
	letters []byte
	got     []uint32
}

// run returns the first strings, reversed, and the rows of the whole strings.
func (e *extraction) run(ctx context.Context) (texts [][]byte, rows []uint64, err error) {
	x, n := e.x, len(e.numbers)
	most := min(max(extractLetters/n, 16), x.k.Longest)
	defer func() {
		e.at.Release()
		e.out.Release()
		e.counts.Release()
	}()
	if e.at, err = device.Alloc[uint64](x.s, n); err != nil {
		return nil, nil, err
	}
	if e.out, err = device.Alloc[uint8](x.s, n*most); err != nil {
		return nil, nil, err
	}
	if e.counts, err = device.Alloc[uint32](x.s, n); err != nil {
		return nil, nil, err
	}
	if err := e.at.Write(e.numbers); err != nil { // the row of the $ of string k is k
		return nil, nil, err
	}
	e.out.Fill(0) // all of it is read
	e.texts, e.done, e.left = make([][]byte, n), make([]bool, n), n
	e.letters, e.got = make([]byte, n*most), make([]uint32, n)
	x.s.Phase("extracting")
	for e.left > 0 {
		if err := e.round(ctx); err != nil {
			return nil, nil, err
		}
		for e.held > e.bytes && len(e.texts) > 1 {
			e.halve()
		}
		if held != nil {
			held(e.held)
		}
	}
	rows = make([]uint64, len(e.texts))
	return e.texts, rows, e.at.View(0, len(rows)).Read(rows)
}

// round walks all strings on.
func (e *extraction) round(ctx context.Context) error {
	x, n := e.x, len(e.texts)
	if err := x.s.Check(ctx); err != nil {
		return err
	}
	most := min(len(e.letters)/n, x.k.Longest)
	x.k.extract.Launch(x.k.each(n), int64(n*most)*(1+32+64), x.args(), e.at, uint64(n), uint32(most), e.out, e.counts)
	if err := e.counts.View(0, n).Read(e.got[:n]); err != nil {
		return err
	}
	if err := e.out.View(0, n*most).Read(e.letters[:n*most]); err != nil {
		return err
	}
	for i, c := range e.got[:n] {
		if e.done[i] {
			continue
		}
		before := cap(e.texts[i])
		e.texts[i] = append(e.texts[i], e.letters[i*most:][:c]...)
		e.held += int64(cap(e.texts[i]) - before)
		if int(c) < most {
			e.done[i] = true
			e.left--
		}
		if uint64(len(e.texts[i])) > x.rows {
			return fmt.Errorf("rlbwt: string %d has no beginning", e.numbers[i])
		}
	}
	return nil
}

// halve gives up the second half of the strings.
func (e *extraction) halve() {
	half := (len(e.texts) + 1) / 2
	for i := half; i < len(e.texts); i++ {
		if e.held -= int64(cap(e.texts[i])); !e.done[i] {
			e.left--
		}
		e.texts[i] = nil
	}
	e.texts = e.texts[:half]
}
