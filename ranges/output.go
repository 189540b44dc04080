package ranges

import (
	"github.com/suffixcl/suffixcl/device"
	"github.com/suffixcl/suffixcl/internal/async"
)

// output hands out ranges. While one is copied to the host, the next is sorted.
type output[P uint32 | uint64] struct {
	run    *run[P]
	blocks [2][]P
	pinned [2]*device.Pinned[P] // nil where there is no such memory
	turn   int

	transfer async.Transfer // nil where there is none
	block    []P            // of the transfer
}

func newOutput[P uint32 | uint64](r *run[P]) (*output[P], error) {
	o := &output[P]{run: r}
	for k := range o.blocks {
		capacity := min(r.memory.lists.capacity, r.n)
		pinned, err := device.AllocPinned[P](r.session, capacity)
		if err == nil {
			o.pinned[k], o.blocks[k] = pinned, pinned.Slice()
			continue
		}
		if err := r.session.Err(); err != nil {
			return nil, err
		}
		o.blocks[k] = make([]P, capacity)
	}
	return o, nil
}

// start hands out the range before, and begins to copy one of m suffixes.
func (o *output[P]) start(sa *device.Buffer[P], m int) error {
	if err := o.run.session.Finish(); err != nil {
		return err
	}
	if err := o.flush(true); err != nil {
		return err
	}
	o.block = o.blocks[o.turn][:m]
	o.turn = 1 - o.turn
	o.transfer = async.StartDownload(sa, o.block)
	return nil
}

// flush waits for the copy, and hands the range out.
func (o *output[P]) flush(wanted bool) error {
	if o.transfer == nil {
		return nil
	}
	err := o.transfer.Wait()
	o.transfer = nil
	if err != nil || !wanted {
		return err
	}
	r := o.run
	if err := r.yield(r.done, o.block); err != nil {
		return err
	}
	r.done += len(o.block)
	return nil
}

// close hands out the last range, if it is wanted.
func (o *output[P]) close(wanted bool) error {
	err := o.flush(wanted)
	for _, pinned := range o.pinned {
		pinned.Release()
	}
	return err
}
