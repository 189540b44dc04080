// Package async is the part of package device for transfers while a session works: copies on queues of their own, reads
// for which the queue does not run dry, and the flush of the session's queue. Only this module sees it. Package device
// fills hooks.Async, and this package gives its functions their types, as package tuned does for tuning parameters.
package async

import (
	"context"
	"unsafe"

	"github.com/suffixcl/suffixcl/device"
	"github.com/suffixcl/suffixcl/internal/hooks"
)

// Transfer is an asynchronous copy, begun by StartUpload or StartDownload, while the queue of the session works.
// Uploads come one after the other, and so do downloads.
type Transfer = hooks.Transfer

// StartUpload begins to copy src to the start of the buffer. Commands that use the buffer must have ended before
// (Finish): a transfer does not wait for them. Only [device.Pinned] memory is fast, and is copied while the caller goes
// on.
func StartUpload[T device.Element](b *device.Buffer[T], src []T) Transfer {
	return hooks.Async.StartUpload(b, bytesOf(src))
}

// StartDownload begins to copy the start of the buffer to dst, as StartUpload.
func StartDownload[T device.Element](b *device.Buffer[T], dst []T) Transfer {
	return hooks.Async.StartDownload(b, bytesOf(dst))
}

// BeginRead begins a Buffer.Read of the start of the buffer to dst, as the buffer is when the work before has run. Wait
// does not wait for work that is enqueued later, on which the device goes on meanwhile. Wait has to come before the
// next read from the session.
func BeginRead[T device.Element](b *device.Buffer[T], dst []T) Transfer {
	return hooks.Async.BeginRead(b, bytesOf(dst))
}

// Upload is Buffer.Upload on a queue of its own, which does not wait for enqueued work. That work must not use a part
// of the buffer before progress tells that the part has been copied.
func Upload[T device.Element](
	ctx context.Context, b *device.Buffer[T], src []T, progress func(done, total int64),
) error {
	return hooks.Async.Upload(ctx, b, bytesOf(src), progress)
}

// Reader downloads for another goroutine than that of the session, which goes on. It has a queue and failures of its
// own, which do not stick to the session. Several goroutines may wait for its transfers.
type Reader struct{ reader hooks.Reader }

// OpenReader opens a reader. It must be closed before the session is.
func OpenReader(s *device.Session) (*Reader, error) {
	r, err := hooks.Async.OpenReader(s)
	return &Reader{r}, err
}

// Read begins to copy the start of the buffer to dst, as StartDownload.
func Read[T device.Element](r *Reader, b *device.Buffer[T], dst []T) Transfer {
	return r.reader.Start(b, bytesOf(dst))
}

// Close waits for the transfers.
func (r *Reader) Close() { r.reader.Close() }

// Flush hands enqueued work to the device, for a host that goes on with other work. If Finish does not wait for work
// that was flushed before, Flush does nothing.
func Flush(s *device.Session) { hooks.Async.Flush(s) }

// bytesOf views a slice as bytes, without copying.
func bytesOf[T device.Element](v []T) []byte {
	return unsafe.Slice((*byte)(unsafe.Pointer(unsafe.SliceData(v))), len(v)*int(unsafe.Sizeof(*new(T))))
}
