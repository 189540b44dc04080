package hooks

import "context"

// Async reaches into package device, which sets it when it is initialised: transfers on queues of their own.
// The parameters of type any are sessions and buffers of package device; package async names their types. Host memory
// is that of a buffer's elements.
var Async struct {
	StartUpload, StartDownload, BeginRead func(buffer any, host []byte) Transfer

	Upload     func(ctx context.Context, buffer any, host []byte, progress func(done, total int64)) error
	Flush      func(session any)
	OpenReader func(session any) (Reader, error)
}

// Reader downloads for another goroutine than that of the session.
type Reader interface {
	// Start begins to copy the start of a buffer to host memory.
	Start(buffer any, host []byte) Transfer
	// Close waits for the transfers.
	Close()
}

// Transfer is an asynchronous copy. Until Wait returns, neither memory may be used otherwise, or released.
type Transfer interface {
	// Wait returns when the copy has ended. The first failure sticks to the session. Waiting again returns the same.
	Wait() error
}
