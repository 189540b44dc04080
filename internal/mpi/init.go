package mpi

import (
	"errors"
	"fmt"
	"math"
	"runtime"
	"sync/atomic"

	"github.com/ebitengine/purego"
)

// ThreadLevel says which threads may call the library.
type ThreadLevel int

// The levels of MPI_Init_thread.
const (
	ThreadSingle ThreadLevel = iota
	ThreadFunneled
	ThreadSerialized
	ThreadMultiple
)

var levelNames = []string{"MPI_THREAD_SINGLE", "MPI_THREAD_FUNNELED", "MPI_THREAD_SERIALIZED", "MPI_THREAD_MULTIPLE"}

// String is the standard's name.
func (l ThreadLevel) String() string {
	if l < 0 || int(l) >= len(levelNames) {
		return fmt.Sprintf("ThreadLevel(%d)", int(l))
	}
	return levelNames[l]
}

// Init initialises the library with MPI_Init_thread, for calls of one thread, and waits for the other ranks as that
// does. A process may do it once. Errors: ErrNoLibrary, an *Error; MPI is initialised already, by somebody else.
func Init() error {
	l, err := load()
	if err != nil {
		return err
	}
	ownThread().do(func() { err = initThread(l) })
	return err
}

func initThread(l *library) error {
	var pin runtime.Pinner
	defer pin.Unpin()
	out := new(int32)
	pin.Pin(out)
	if err := l.call(mpiInitialized, address(out)); err != nil {
		return err
	}
	if *out != 0 {
		return errors.New("mpi: the library is initialised already: a program that did it hands over a communicator")
	}
	if err := l.call(mpiInitThread, 0, 0, word(l.abi.threadLevels[ThreadFunneled]), address(out)); err != nil {
		return err
	}
	owner.Store(true)
	if int(*out) < l.abi.threadLevels[ThreadFunneled] {
		return fmt.Errorf("mpi: %s provides thread level %d only", l.version, *out)
	}
	for _, c := range []struct {
		handle uintptr
		comm   *atomic.Pointer[Comm]
	}{{l.abi.commWorld, &world}, {l.abi.commSelf, &self}} {
		made, err := newComm(l, ownThread(), c.handle)
		if err != nil {
			return err
		}
		c.comm.Store(made)
	}
	return nil
}

// Initialized tells whether Init has been called with success, and not Finalize.
func Initialized() bool { return world.Load() != nil && !ended.Load() }

// Finalize ends the use of MPI, if Init began it; it waits for the other ranks. Errors: ErrBroken where a call was
// left before its end: the library would wait for it for ever, and Abort is the way out; an *Error.
func Finalize() error {
	switch {
	case !owner.Load():
		return ErrNotInitialized
	case ended.Load():
		return nil
	case outstanding.Load() > 0:
		return fmt.Errorf("%w: MPI_Finalize would not return", ErrBroken)
	}
	var err error
	l := loaded.Load()
	ownThread().do(func() { err = l.call(mpiFinalize) })
	ended.Store(true)
	return err
}

// World is MPI_COMM_WORLD, nil before Init.
func World() *Comm { return world.Load() }

// Self is MPI_COMM_SELF, nil before Init.
func Self() *Comm { return self.Load() }

// LibraryVersion is how the library describes itself, and by which family's constants it is called. Errors:
// ErrNoLibrary.
func LibraryVersion() (version, family string, err error) {
	l, err := load()
	if err != nil {
		return "", "", err
	}
	return l.version, l.abi.name, nil
}

// Wtime is MPI_Wtime, in seconds; 0 without a library.
func Wtime() float64 {
	l := loaded.Load()
	if l == nil {
		return 0
	}
	var seconds float64
	ownThread().do(func() {
		var clock func() float64
		purego.RegisterFunc(&clock, l.address[mpiWtime])
		seconds = clock()
	})
	if math.IsNaN(seconds) {
		return 0
	}
	return seconds
}
