package rlbwt

import (
	"context"
	"fmt"

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
	for _, k := range strings {
		if k >= x.counts[0] {
			return fmt.Errorf("rlbwt: string %d of %d", k, x.counts[0])
		}
	}
	n := len(strings)
	if n == 0 {
		return x.s.Check(ctx)
	}
	most := min(max(extractLetters/n, 16), x.k.Longest)
	at, err := device.Alloc[uint64](x.s, n)
	if err != nil {
		return err
	}
	defer at.Release()
	out, err := device.Alloc[uint8](x.s, n*most)
	if err != nil {
		return err
	}
	defer out.Release()
	counts, err := device.Alloc[uint32](x.s, n)
	if err != nil {
		return err
	}
	defer counts.Release()
	if err := at.Write(strings); err != nil { // the row of the $ of string k is k
		return err
	}
	out.Fill(0) // all of it is read
	texts, done := make([][]byte, n), make([]bool, n)
	letters, got := make([]byte, n*most), make([]uint32, n)
	x.s.Phase("extracting")
	for left := n; left > 0; {
		if err := x.s.Check(ctx); err != nil {
			return err
		}
		x.k.extract.Launch(x.k.each(n), int64(n*most)*(1+32+64), x.args(), at, uint64(n), uint32(most), out, counts)
		if err := counts.Read(got); err != nil {
			return err
		}
		if err := out.Read(letters); err != nil {
			return err
		}
		for i, c := range got {
			if done[i] {
				continue
			}
			texts[i] = append(texts[i], letters[i*most:][:c]...)
			if int(c) < most {
				done[i] = true
				left--
			}
			if uint64(len(texts[i])) > x.rows {
				return fmt.Errorf("rlbwt: string %d has no beginning", strings[i])
			}
		}
	}
	rows := make([]uint64, n)
	if err := at.Read(rows); err != nil {
		return err
	}
	for i, text := range texts {
		for a, b := 0, len(text)-1; a < b; a, b = a+1, b-1 {
			text[a], text[b] = text[b], text[a]
		}
		if err := yield(i, text, rows[i]); err != nil {
			return err
		}
		texts[i] = nil
	}
	return nil
}
