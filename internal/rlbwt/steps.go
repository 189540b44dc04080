package rlbwt

import (
	"context"
	"fmt"

	"github.com/suffixcl/suffixcl/device"
)

// Walkers take steps to the left with random letters, all at once: what rank costs. They are for measuring.
type Walkers struct {
	x      *Index
	places *device.Buffer[uint64]
	walked uint32
}

// Walkers begin at rows. They must be released. Errors: a row that is not there, the device's.
func (x *Index) Walkers(rows []uint64) (*Walkers, error) {
	for _, row := range rows {
		if row >= x.rows {
			return nil, fmt.Errorf("rlbwt: row %d of %d", row, x.rows)
		}
	}
	places, err := device.Alloc[uint64](x.s, len(rows))
	if err != nil {
		return nil, err
	}
	w := &Walkers{x: x, places: places}
	if err := places.Write(rows); err != nil {
		w.Release()
		return nil, err
	}
	return w, nil
}

// Walk takes so many steps: of one row, or of an interval of size rows, if that is not 0, whose middle is the next row.
// Errors: the context's, the device's.
func (w *Walkers) Walk(ctx context.Context, steps int, size uint64) error {
	x, n := w.x, w.places.Len()
	x.s.Phase("steps")
	x.k.steps.Launch(x.k.each(n), int64(n)*int64(steps)*(32+64), x.args(), w.walked, uint32(steps), size, w.places,
		uint64(n))
	w.walked += uint32(steps)
	return x.s.Check(ctx)
}

// Letters are those that the walker of a number takes in the next call of Walk.
func (w *Walkers) Letters(walker, steps int) []byte {
	letters := make([]byte, steps)
	random := w.walked + uint32(walker)*2654435761
	for i := range letters {
		random = random*1664525 + 1013904223
		letters[i] = byte(1 + random>>30)
	}
	return letters
}

// Rows are those where the walkers are.
func (w *Walkers) Rows() ([]uint64, error) {
	rows := make([]uint64, w.places.Len())
	return rows, w.places.Read(rows)
}

// Release frees the memory.
func (w *Walkers) Release() { w.places.Release() }
