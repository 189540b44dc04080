// Package device is what the algorithms program against: one OpenCL device, its
// capabilities, typed buffers, workspaces, programs and profile.
//
// A [Session] owns one device, one context and one in-order queue. Work is
// enqueued by [Kernel.Launch] and runs in order; nothing waits until data is
// read back ([Buffer.Read], [Session.Finish]).
//
// Errors of enqueued work are sticky, as in bufio.Writer: the first one is kept,
// later launches do nothing, and it is returned by the next read-back, by
// [Session.Finish] and by [Session.Err]. An algorithm therefore reads as its
// paper does and checks once per round. [Session.Recover] clears the error when
// an operation has reported it.
//
// Memory is planned before it is allocated: a [Layout] lists the buffers of a
// pipeline, says their bytes, and allocates them; the plan that a user sees and
// the allocation are the same list.
//
// A Session is not safe for concurrent use. Several sessions may coexist, on the
// same device too.
package device
