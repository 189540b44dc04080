package rlbwt

import (
	"cmp"
	"context"

	"github.com/suffixcl/suffixcl/device"
	"github.com/suffixcl/suffixcl/internal/async"
)

// pieces cuts strings into pieces, whose beginnings it returns, and the end. ends are the places of the ends of
// strings, the last one that of the text.
func pieces(ends []uint32, length int) []uint32 {
	var from []uint32
	begin := 0
	for _, end := range ends {
		whole := int(end) + 1 - begin
		first := begin + whole%length // pieces of full length are the right ones
		if first > begin {
			from = append(from, uint32(begin))
		}
		for at := first; at <= int(end); at += length {
			from = append(from, uint32(at))
		}
		begin = int(end) + 1
	}
	return append(from, uint32(begin))
}

// pieceLength is that for n letters: enough pieces to hide what memory takes, few enough that most find their interval
// empty.
func (k *kernels) pieceLength(n int) int { return min(max(n/k.Walkers, k.Shortest), k.Longest) }

// place writes to ranks [n] how many rows of x are before each suffix of text. Meanwhile is called while the device
// walks.
func (x *Index) place(
	ctx context.Context, text *device.Buffer[uint8], ends []uint32, ranks *device.Buffer[uint64],
	meanwhile func(context.Context) error,
) error {
	k, s, n := x.k, x.s, text.Len()
	from := pieces(ends, k.pieceLength(n))
	count := len(from) - 1
	var memory walkMemory
	defer memory.release()
	if err := memory.allocate(s, count, k.Events); err != nil {
		return err
	}
	if err := memory.from.Write(from); err != nil {
		return err
	}
	s.Phase("walking")
	args := []any{
		text, memory.from, uint64(count), x.counts[0], ranks, memory.events, memory.counts, memory.state, memory.opened,
	}
	k.walk.Launch(k.each(count), int64(n)*(1+8+2*32+64), x.args(), args)
	async.Flush(s)
	if err := cmp.Or(meanwhile(ctx), s.Check(ctx)); err != nil {
		return err
	}
	k.resolve.Launch(k.each(count), 0, x.args(), args, memory.start, memory.shifts)
	k.apply.Launch(min(count, k.Walkers), 16*int64(n), memory.from, uint64(count), ranks, memory.events, memory.counts,
		memory.opened, memory.start, memory.shifts)
	return s.Check(ctx)
}

// walkMemory is what pieces need.
type walkMemory struct {
	from, events, counts, state, opened *device.Buffer[uint32]
	start, shifts                       *device.Buffer[uint64]
}

func (m *walkMemory) release() {
	for _, b := range []*device.Buffer[uint32]{m.from, m.events, m.counts, m.state, m.opened} {
		b.Release()
	}
	m.start.Release()
	m.shifts.Release()
}

func (m *walkMemory) allocate(s *device.Session, count, events int) (err error) {
	for _, b := range []struct {
		to **device.Buffer[uint32]
		n  int
	}{{&m.from, count + 1}, {&m.events, count * events}, {&m.counts, count}, {&m.state, count}, {&m.opened, count}} {
		if *b.to, err = device.Alloc[uint32](s, b.n); err != nil {
			return err
		}
	}
	if m.start, err = device.Alloc[uint64](s, count); err == nil {
		m.shifts, err = device.Alloc[uint64](s, count*events)
	}
	return err
}
