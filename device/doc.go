// Package device is what the algorithms program against: one OpenCL device, its capabilities, typed buffers,
// workspaces, programs and profile.
//
// A [Session] owns one device, one context and one in-order queue. [Kernel.Launch] enqueues work, which runs in order.
// The host waits only where it reads data back ([Buffer.Read], [Session.Finish]).
//
// Errors of enqueued work are sticky, as in bufio.Writer. The first one is kept, and later launches do nothing. The
// next read-back, [Session.Finish] and [Session.Err] return it. So an algorithm reads as its paper does, and checks
// once a round. [Session.Recover] clears the error when an operation has reported it.
//
// Memory is planned before it is allocated. A [Layout] lists the buffers of a pipeline, tells their bytes, and
// allocates them. The plan that a user sees and the allocation are the same list. Where buffers are memory of the
// process, one may be memory of the caller ([Slot.In]): then transfers between the two copy nothing.
//
// A session is made of parts: the queue with its first failure and its profile, the device memory, page-locked host
// memory, the builder of programs and its cache on disk, the staging of transfers, the queues of asynchronous
// transfers, and the copies of a few words by kernels. Each part knows those that it uses, and none the session.
//
// A session is not safe for concurrent use. Several sessions may coexist, on the same device too.
package device
