package arrays

import (
	"github.com/suffixcl/suffixcl/device"
	"github.com/suffixcl/suffixcl/internal/call"
	"github.com/suffixcl/suffixcl/internal/ranges"
	"github.com/suffixcl/suffixcl/internal/sorter"
)

// Packed is the suffix array of a text of n bytes, sorted in one piece, whose positions the device packs. Its blocks
// come in order. text is nil where it is only planned. Errors: those of the sorters; entries that are not possible.
func Packed(e *call.Engine, n int, text []byte, entries *ranges.Entries) call.Job[call.Packed, struct{}] {
	return call.NewJob(e, func() (*packing, error) { return newPacking(e, n, entries) },
		func(c *call.Call, o *packing, yield func(call.Packed) error) error { return o.run(c, text, yield) },
		func(run func(func(call.Packed) error) error) (none struct{}, err error) {
			return none, run(func(call.Packed) error { return nil })
		})
}

// packing sorts a text, and packs its suffix array.
type packing struct {
	*Building[uint8]
	packer *ranges.Packer
}

func newPacking(e *call.Engine, n int, entries *ranges.Entries) (*packing, error) {
	made, err := NewBuilding(e, n, Want{}, sorter.OfBytes)
	if err != nil {
		return nil, err
	}
	packer, err := ranges.NewPacker(e.Session, entries, min(call.BlockLength, n))
	if err != nil {
		return nil, err
	}
	host := int64(n)
	made.Phases = append(made.Phases, call.PhaseOf(packer.Layout().Memory(), host, made.Arrays))
	return &packing{made, packer}, nil
}

func (o *packing) Free(s *device.Session) {
	o.packer.Layout().Release(s)
	o.Building.Free(s)
}

func (o *packing) run(c *call.Call, text []byte, yield func(call.Packed) error) error {
	if err := o.Sort(c, text); err != nil {
		return err
	}
	o.loader.Release()
	if err := o.packer.Layout().Allocate(c.Session); err != nil {
		return err
	}
	o.packer.Begin()
	_, sa := o.buffers(c.Session)
	first := 0
	return c.EachPacked(func(buffer int) (packed *device.Buffer[uint32], entries int, err error) {
		n := min(call.BlockLength, o.n-first)
		if n == 0 {
			return nil, 0, nil
		}
		packed, entries, err = o.packer.Pack(sa, first, n, buffer)
		first += n
		return packed, entries, err
	}, func(block call.Packed) error {
		c.Progress("download", int64(first), int64(o.n))
		return yield(block)
	})
}
