package mpi

import (
	"fmt"
	"runtime"
	"sync"

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
			_, err = l.allows(ThreadSerialized)
		}
		if err == nil {
			made, err = l.adopt(t, handle)
		}
	})
	return made, err
}

// Visit is FromFortran for one piece of work in a program whose calls of MPI one OS thread makes, that of the caller:
// it makes those of f, too, which runs on another goroutine. MPI_Init is enough for that. The communicator is freed
// when f returns. All its ranks have to call Visit. Visits of several threads at once need MPI_THREAD_MULTIPLE, and a
// communicator each.
//
// Errors: those of f; as FromFortran, but for the thread level: the thread may not call MPI, or another visit goes on.
func Visit(handle int32, f func(c *Comm) error) error {
	l, err := load()
	if err != nil {
		return err
	}
	runtime.LockOSThread() // the one that is asked about makes the calls
	defer runtime.UnlockOSThread()
	level, err := l.allows(ThreadFunneled)
	if err != nil {
		return err
	}
	if level < l.abi.threadLevels[ThreadMultiple] {
		// Who waited could do so for ever: on another rank the other visit may be the first.
		if !visiting.TryLock() {
			return fmt.Errorf("mpi: another call uses MPI, which the program initialised for one thread at a time; "+
				"MPI_Init_thread with %v lets several call at once", ThreadMultiple)
		}
		defer visiting.Unlock()
	}
	t := newThread()
	t.serve(func() {
		var c *Comm
		t.do(func() { c, err = l.adopt(t, handle) })
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

// visiting is locked by the visit that goes on below MPI_THREAD_MULTIPLE.
var visiting sync.Mutex

// allows returns the thread level by the library's number, and an error unless this OS thread may call the library: any
// thread from MPI_THREAD_SERIALIZED on, and where `least` is less, the main thread of MPI. All threads may ask, at all
// times.
func (l *library) allows(least ThreadLevel) (level int, err error) {
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
			return 0, err
		}
		if (*out != 0) != check.want {
			return 0, check.err
		}
	}
	if err := l.call(mpiQueryThread, address(out)); err != nil {
		return 0, err
	}
	if level = int(*out); level >= l.abi.threadLevels[ThreadSerialized] {
		return level, nil
	}
	if least >= ThreadSerialized {
		return 0, fmt.Errorf("mpi: the program initialised MPI for its main thread only; MPI_Init_thread with %v or more "+
			"lets this one call", ThreadSerialized)
	}
	if err := l.call(mpiIsThreadMain, address(out)); err != nil {
		return 0, err
	}
	if *out == 0 {
		return 0, fmt.Errorf("mpi: the program initialised MPI for its main thread only, which this is not; "+
			"MPI_Init_thread with %v or more lets it call", ThreadSerialized)
	}
	return level, nil
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
	if err := l.replaceHandler(communicator); err != nil {
		return err
	}
	err := f()
	if failure := l.restoreHandler(communicator); err == nil {
		err = failure
	}
	return err
}

// replaced are the program's error handlers of communicators whose errors are returned for now. Several threads may
// want that of one, the world: the first takes the handler, the last gives it back.
var replaced = struct {
	sync.Mutex
	of map[uintptr]*replacedHandler
}{of: map[uintptr]*replacedHandler{}}

type replacedHandler struct {
	handle uint64
	users  int
}

func (l *library) replaceHandler(communicator uintptr) error {
	replaced.Lock()
	defer replaced.Unlock()
	h := replaced.of[communicator]
	if h == nil {
		h = new(replacedHandler)
		var pin runtime.Pinner
		defer pin.Unpin()
		pin.Pin(h)
		if err := l.call(mpiCommGetErrhandler, communicator, address(&h.handle)); err != nil {
			return err
		}
		if err := l.call(mpiCommSetErrhandler, communicator, l.abi.errorsReturn); err != nil {
			return err
		}
		replaced.of[communicator] = h
	}
	h.users++
	return nil
}

func (l *library) restoreHandler(communicator uintptr) error {
	replaced.Lock()
	defer replaced.Unlock()
	h := replaced.of[communicator]
	if h.users--; h.users > 0 {
		return nil
	}
	delete(replaced.of, communicator)
	var pin runtime.Pinner
	defer pin.Unpin()
	pin.Pin(h)
	err := l.call(mpiCommSetErrhandler, communicator, uintptr(h.handle))
	if failure := l.call(mpiErrhandlerFree, address(&h.handle)); err == nil {
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
