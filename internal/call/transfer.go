package call

import (
	"github.com/suffixcl/suffixcl/device"
	"github.com/suffixcl/suffixcl/internal/addressspace"
	"github.com/suffixcl/suffixcl/internal/hooks"
	"github.com/suffixcl/suffixcl/internal/tuned"
)

// Upload copies host memory to a buffer.
func Upload[T device.Element](c *Call, to *device.Buffer[T], from []T) error {
	c.Session.Phase("upload")
	defer hooks.Begin("upload")()
	return c.Timed(&c.Stats.Upload, func() error { return to.Upload(c.Ctx, from, c.progressOf("upload")) })
}

// Placed has a buffer be made in memory of the caller, where buffers are memory of the process: to upload a text from
// there, or to download a result, copies nothing then. It returns that memory, which is made if `to` is nil. To be
// called before the slot is allocated.
func Placed[T device.Element](c *Call, slot *device.Slot[T], to []T) []T {
	if !tuned.Quirks(c.Session.Caps()).HostBuffers {
		return to
	}
	if to == nil {
		to = addressspace.Make[T](slot.Buffer(c.Session).Len())
	}
	slot.In(to)
	return to
}

// PlacedOf is placed for n elements of an operation that prepare has planned, unless its memory is kept for more calls.
func PlacedOf[T device.Element](c *Call, o Operation, slot *device.Slot[T], n int, to []T) []T {
	if slot.Buffer(c.Session).Len() != n || o.Plan().Device() <= c.Engine.plans.limit {
		return to
	}
	return Placed(c, slot, to)
}

// Download copies a buffer to host memory, which is made if it is nil.
func Download[T device.Element](c *Call, to []T, from *device.Buffer[T]) ([]T, error) {
	c.Session.Phase("download")
	defer hooks.Begin("download")()
	if to == nil {
		to = addressspace.Make[T](from.Len())
	}
	err := c.Timed(&c.Stats.Download, func() error { return from.Download(c.Ctx, to, c.progressOf("download")) })
	if err != nil {
		return nil, err
	}
	return to, nil
}
