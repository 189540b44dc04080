package call

import (
	"unsafe"

	"github.com/suffixcl/suffixcl/device"
	"github.com/suffixcl/suffixcl/internal/async"
)

// Packed are some entries of a file, of as many bits each, the first in the lowest ones. Zeros may follow them.
type Packed struct {
	Bytes   []byte
	Entries int
}

// EachPacked calls use with blocks that pack makes in one of two buffers of the device, which it is told, until it
// returns none. While a block is used the next one is made and copied. A block is valid until use returns.
func (c *Call) EachPacked(
	pack func(buffer int) (packed *device.Buffer[uint32], entries int, err error), use func(Packed) error,
) error {
	var next Packed
	var flying async.Transfer
	land := func() (err error) {
		if flying != nil {
			err = c.Timed(&c.Stats.Download, flying.Wait)
			flying = nil
		}
		return err
	}
	defer land()
	for turn := 0; ; turn = 1 - turn {
		var packed *device.Buffer[uint32]
		var entries int
		err := c.Compute(func() (err error) {
			if packed, entries, err = pack(turn); err != nil {
				return err
			}
			return c.Session.Check(c.Ctx)
		})
		if err != nil {
			return err
		}
		if err := land(); err != nil {
			return err
		}
		done := next
		if next = (Packed{}); entries > 0 {
			words := c.Engine.HostMemory(turn, packed.Len())[:packed.Len()]
			next = Packed{unsafe.Slice((*byte)(unsafe.Pointer(unsafe.SliceData(words))), 4*len(words)), entries}
			flying = async.StartDownload(device.Reinterpret[uint8](packed), next.Bytes)
		}
		if done.Entries > 0 {
			if err := use(done); err != nil {
				return err
			}
		}
		if packed == nil {
			return nil
		}
	}
}
