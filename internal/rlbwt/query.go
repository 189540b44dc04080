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
