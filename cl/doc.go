// Package cl is a small, faithful binding of the OpenCL 1.2 host API, without cgo.
//
// The names are those of the specification: clEnqueueReadBuffer is [CommandQueue.EnqueueReadBuffer], CL_MEM_READ_WRITE
// is [MemReadWrite]. It has what this module needs of OpenCL. The first call loads the OpenCL library: there is nothing
// to initialise and nothing to link against.
//
//	devices, err := cl.GetDevices(cl.DeviceTypeAll)
//	context, err := cl.CreateContext(devices[:1])
//	defer context.Release()
//	queue, err := context.CreateCommandQueue(devices[0], 0)
//	defer queue.Release()
//
// # Environment
//
// SUFFIXCL_OPENCL_LIBRARY names another library than the system's, or a driver.
//
// On Linux drivers are found without a library, too: those that are registered, and those that are known by name. The
// suffixcl command has another process load each of them first. Other programs load them at once: a driver may end the
// process that loads it.
//
// PoCL, a driver for CPUs, has no devices where it cannot write its cache. Before the library is loaded, the
// variable POCL_CACHE_DIR of the process is set, if all of this holds: PoCL is registered; the variable is not set;
// PoCL's own directory (XDG_CACHE_HOME/pocl or HOME/.cache/pocl) cannot be written, or has less than 32 MiB free.
// The directory is suffixcl-pocl-UID among the temporary files, and only the user can read it.
//
// # Errors
//
// A call refused by the driver returns an [*Error] with the name of the function and its status, and
// errors.Is(err, cl.OutOfResources) tells which one. A program that does not compile returns a
// [*BuildError] with the compiler's log. [ErrNoLibrary], [ErrNoPlatform] and [ErrNoDevice] say that
// there is nothing to run on, and what to install.
//
// # Lifetimes
//
// Objects are released by Release, which may be called more than once and on nil. An object that is
// dropped without it is released some time after garbage collection, as a safety net only. Do not use an
// object while another goroutine releases it. A nil receiver is allowed for Release alone.
//
// # Concurrency
//
// As in the specification, everything may be used by several goroutines at once, except a [Kernel]:
// setting arguments and launching it is one sequence, and belongs to one goroutine at a time.
//
// # Host memory
//
// The non-blocking transfers keep the Go memory they use pinned until their event is known to be
// complete: by [Event.Wait], or by [Event.Release], which waits first if it has to.
package cl
