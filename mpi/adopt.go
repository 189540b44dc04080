package mpi

import (
	"fmt"
	"runtime"

	"github.com/ebitengine/purego"
)

// FromFortran is for a library in a program that has initialised MPI itself: it duplicates the communicator with that
// handle, which is what MPI_Comm_c2f returns, so that messages never mix. All its ranks have to call it, and
// [Comm.Free] on the result. MPI_Init and MPI_Finalize are left to the program. Calls are made by an OS thread of this
// package; [Visit] makes them on the caller's.
//
// Errors: ErrNoLibrary, ErrNotInitialized, ErrFinalized; the program's thread level is less than
// MPI_THREAD_SERIALIZED; an *Error, with ErrComm for the handle of no communicator.
func FromFortran(handle int32) (*Comm, error) {
	l, err := load()
	if err != nil {
		return nil, err
	}
	var made *Comm
	t := ownThread()
	t.do(func() {
		if !owner.Load() { // else this is the thread that initialised it
			err = l.allows(ThreadSerialized)
		}
		if err == nil {
			made, err = l.adopt(t, handle)
		}
	})
	return made, err
}

// Visit is FromFortran for one piece of work in a program whose calls of MPI one OS thread makes, that of the caller:
// it makes those of f, too, which runs on another goroutine. MPI_Init is enough for that. The communicator is freed
// when f returns. All its ranks have to call Visit.
//
// Errors: those of f; as FromFortran, but for the thread level: the thread may not call MPI.
func Visit(handle int32, f func(c *Comm) error) error {
	l, err := load()
	if err != nil {
		return err
	}
	t := newThread()
	t.serve(func() {
		var c *Comm
		t.do(func() {
			if err = l.allows(ThreadFunneled); err == nil {
				c, err = l.adopt(t, handle)
			}
		})
		if err != nil {
			return
		}
		err = f(c)
		if failure := c.Free(); err == nil {
			err = failure
		}
	})
	return err
}

// allows returns an error unless this OS thread may call the library: any thread from MPI_THREAD_SERIALIZED on, and
// where `least` is less, the main thread of MPI.
func (l *library) allows(least ThreadLevel) error {
	var pin runtime.Pinner
	defer pin.Unpin()
	out := new(int32)
	pin.Pin(out)
	for _, check := range []struct {
		f    function
		want bool
		err  error
	}{{mpiInitialized, true, ErrNotInitialized}, {mpiFinalized, false, ErrFinalized}} {
		if err := l.call(check.f, address(out)); err != nil {
			return err
		}
		if (*out != 0) != check.want {
			return check.err
		}
	}
	if err := l.call(mpiQueryThread, address(out)); err != nil {
		return err
	}
	if int(*out) >= l.abi.threadLevels[ThreadSerialized] {
		return nil
	}
	if least >= ThreadSerialized {
		return fmt.Errorf("mpi: the program initialised MPI for its main thread only; MPI_Init_thread with %v or more "+
			"lets this one call", ThreadSerialized)
	}
	if err := l.call(mpiIsThreadMain, address(out)); err != nil {
		return err
	}
	if *out == 0 {
		return fmt.Errorf("mpi: the program initialised MPI for its main thread only, which this is not; "+
			"MPI_Init_thread with %v or more lets it call", ThreadSerialized)
	}
	return nil
}

// adopt duplicates a communicator of the program. Failures are returned, whatever error handlers the program has.
func (l *library) adopt(t *thread, fortran int32) (*Comm, error) {
	handle, err := l.fromFortran(fortran)
	if err != nil {
		return nil, err
	}
	if handle == 0 || handle == l.abi.commNull {
		return nil, &Error{Call: functions[mpiCommF2c], Class: ErrComm, Text: fmt.Sprintf("%d is no communicator", fortran)}
	}
	var made *Comm
	// Where the handle is none, that of the world is asked.
	err = l.returning(l.abi.commWorld, func() error {
		return l.returning(handle, func() (err error) {
			made, err = (&Comm{l: l, thread: t, handle: handle}).dup()
			return err
		})
	})
	return made, err
}

// returning runs f while errors of a communicator are returned, instead of ending the program.
func (l *library) returning(communicator uintptr, f func() error) error {
	var pin runtime.Pinner
	defer pin.Unpin()
	handler := new(uint64)
	pin.Pin(handler)
	if err := l.call(mpiCommGetErrhandler, communicator, address(handler)); err != nil {
		return err
	}
	if err := l.call(mpiCommSetErrhandler, communicator, l.abi.errorsReturn); err != nil {
		return err
	}
	err := f()
	if failure := l.call(mpiCommSetErrhandler, communicator, uintptr(*handler)); err == nil {
		err = failure
	}
	if failure := l.call(mpiErrhandlerFree, address(handler)); err == nil {
		err = failure
	}
	return err
}

// fromFortran is MPI_Comm_f2c: MPICH has a macro of that name, since its handles are integers anyhow, and the ABI of
// MPI 5 prefers MPI_Comm_fromint.
func (l *library) fromFortran(handle int32) (uintptr, error) {
	if l.abi == mpich {
		return uintptr(uint32(handle)), nil
	}
	for _, f := range []function{mpiCommFromint, mpiCommF2c} {
		if l.address[f] != 0 {
			r, _, _ := purego.SyscallN(l.address[f], word(int(handle)))
			return r, nil
		}
	}
	return 0, fmt.Errorf("mpi: %s has no %s", l.version, functions[mpiCommF2c])
}
