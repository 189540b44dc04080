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
//
// # Files
//
//	session.go     Session and Config; open.go: from opening to closing; select.go: which device
//	caps.go        what a device can do; probe.go and selftest.go measure it, tuning.go adds what fits it
//	queue.go       the queue: failure.go, profile.go; launchlock.go: one queue at a time
//	buffer.go      buffers: element.go, memory.go; layout.go, workspace.go: plans of them
//	upload.go      transfers: staging.go, hostmemory.go, pinned.go; transfer.go: asynchronous ones; zerocopy.go,
//	               answer.go: of a few words
//	program.go     programs and kernels: source.go, signature.go; launch.go, lookback.go
//	builder.go     builds programs: compile.go, cache.go; prepare.go: before the first launch, by helpers: helper.go,
//	               rehearsal.go, and serve.go, which is what a helper does
//	bounds.go      checks of tests that kernels stay inside of their buffers: redzones.go
//	hooks.go       what other packages of the module may do besides
//	errors.go      and length.go: errors
package device
