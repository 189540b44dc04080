package mpi

import (
	"errors"
	"fmt"
	"os"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"unsafe"

	"github.com/ebitengine/purego"

	"github.com/suffixcl/suffixcl/internal/hooks"
)

// function numbers the functions of the library that this package calls.
type function int

const (
	mpiGetLibraryVersion function = iota
	mpiInitThread
	mpiInitialized
	mpiFinalized
	mpiFinalize
	mpiQueryThread
	mpiIsThreadMain
	mpiAbort
	mpiWtime
	mpiErrorClass
	mpiErrorString
	mpiCommGetErrhandler
	mpiCommSetErrhandler
	mpiErrhandlerFree
	mpiCommRank
	mpiCommSize
	mpiCommSplit
	mpiCommSplitType
	mpiCommDup
	mpiCommFree
	mpiTest
	mpiGetCount
	mpiIsend
	mpiIrecv
	mpiIbarrier
	mpiIbcast
	mpiIgather
	mpiIallgather
	mpiIallgatherv
	mpiIalltoall
	mpiIallreduce
	mpiWinAllocateShared
	mpiWinSharedQuery
	mpiWinFree
	mpiIalltoallvC // from here on what a library may lack
	mpiCommF2c
	mpiCommFromint
	numFunctions
)

const firstOptional = mpiIalltoallvC

var functions = [numFunctions]string{
	mpiGetLibraryVersion: "MPI_Get_library_version",
	mpiInitThread:        "MPI_Init_thread",
	mpiInitialized:       "MPI_Initialized",
	mpiFinalized:         "MPI_Finalized",
	mpiFinalize:          "MPI_Finalize",
	mpiQueryThread:       "MPI_Query_thread",
	mpiIsThreadMain:      "MPI_Is_thread_main",
	mpiAbort:             "MPI_Abort",
	mpiWtime:             "MPI_Wtime",
	mpiErrorClass:        "MPI_Error_class",
	mpiErrorString:       "MPI_Error_string",
	mpiCommGetErrhandler: "MPI_Comm_get_errhandler",
	mpiCommSetErrhandler: "MPI_Comm_set_errhandler",
	mpiErrhandlerFree:    "MPI_Errhandler_free",
	mpiCommRank:          "MPI_Comm_rank",
	mpiCommSize:          "MPI_Comm_size",
	mpiCommSplit:         "MPI_Comm_split",
	mpiCommSplitType:     "MPI_Comm_split_type",
	mpiCommDup:           "MPI_Comm_dup",
	mpiCommFree:          "MPI_Comm_free",
	mpiTest:              "MPI_Test",
	mpiGetCount:          "MPI_Get_count",
	mpiIsend:             "MPI_Isend",
	mpiIrecv:             "MPI_Irecv",
	mpiIbarrier:          "MPI_Ibarrier",
	mpiIbcast:            "MPI_Ibcast",
	mpiIgather:           "MPI_Igather",
	mpiIallgather:        "MPI_Iallgather",
	mpiIallgatherv:       "MPI_Iallgatherv",
	mpiIalltoall:         "MPI_Ialltoall",
	mpiIallreduce:        "MPI_Iallreduce",
	mpiWinAllocateShared: "MPI_Win_allocate_shared",
	mpiWinSharedQuery:    "MPI_Win_shared_query",
	mpiWinFree:           "MPI_Win_free",
	mpiIalltoallvC:       "MPI_Ialltoallv_c",
	mpiCommF2c:           "MPI_Comm_f2c",
	mpiCommFromint:       "MPI_Comm_fromint",
}

// ErrNoLibrary says that no MPI library could be loaded. The errors returned wrap it, and say what was tried and what
// to install.
var ErrNoLibrary = errors.New("no MPI library")

const (
	libraryVariable = "SUFFIXCL_MPI_LIBRARY"
	installLibrary  = "to install one: Debian and Ubuntu: openmpi-bin or mpich; Fedora: openmpi or mpich; Homebrew: " +
		"open-mpi; clusters have a module"
)

// library is the loaded library.
type library struct {
	path    string
	version string // as the library describes itself
	abi     *abi
	address [numFunctions]uintptr // 0 where it lacks an optional function
}

var (
	loaded  atomic.Pointer[library] // set once, when loading succeeds
	loading sync.Mutex
)

// load makes sure that the library is loaded. It tries again after a failure.
func load() (*library, error) {
	if l := loaded.Load(); l != nil {
		return l, nil
	}
	loading.Lock()
	defer loading.Unlock()
	if l := loaded.Load(); l != nil {
		return l, nil
	}
	if path := os.Getenv(libraryVariable); path != "" {
		l, err := loadFrom(path)
		if err != nil {
			return nil, fmt.Errorf("%w: tried %s (%w); %s is set, so nothing else was tried",
				ErrNoLibrary, path, err, libraryVariable)
		}
		loaded.Store(l)
		return l, nil
	}
	if l := inProgram(); l != nil {
		loaded.Store(l)
		return l, nil
	}
	var failures []string
	for _, path := range candidates(os.LookupEnv) {
		l, err := loadFrom(path)
		if err == nil {
			loaded.Store(l)
			return l, nil
		}
		failures = append(failures, fmt.Sprintf("%s (%v)", path, err))
	}
	return nil, fmt.Errorf("%w: tried %s; set %s to use a library elsewhere; %s",
		ErrNoLibrary, strings.Join(failures, ", "), libraryVariable, installLibrary)
}

// candidates are the names of libraries in the order in which they are tried: first those of the launcher that left
// its variables in the environment.
func candidates(lookup func(string) (string, bool)) []string {
	openMPI := []string{"libmpi.so.40"}
	mpich := []string{"libmpich.so.12", "libmpi.so.12"}
	standard := []string{"libmpi_abi.so.0", "libmpi_abi.so"}
	if runtime.GOOS == "darwin" {
		openMPI, mpich = []string{"libmpi.40.dylib"}, []string{"libmpi.12.dylib", "libpmpi.12.dylib"}
		standard = []string{"libmpi_abi.0.dylib", "libmpi_abi.dylib"}
	}
	any := func(names ...string) bool {
		for _, name := range names {
			if _, ok := lookup(name); ok {
				return true
			}
		}
		return false
	}
	families := [][]string{openMPI, mpich, standard}
	if any("PMI_RANK", "PMI_FD", "PMI_SIZE", "MPI_LOCALRANKID") && !any("OMPI_COMM_WORLD_SIZE", "PMIX_RANK") {
		families = [][]string{mpich, standard, openMPI}
	}
	var all []string
	for _, f := range families {
		all = append(all, f...)
	}
	return all
}

func loadFrom(path string) (*library, error) {
	handle, err := openLibrary(path)
	if err != nil {
		return nil, err
	}
	l, err := bind(path, handle)
	if err != nil {
		closeLibrary(handle)
	}
	return l, err
}

// inProgram is the library that the program has loaded already, under one of the usual names or another, or nil. A
// library in a program of MPICH may not choose Open MPI.
func inProgram() *library {
	for _, path := range candidates(os.LookupEnv) {
		if handle := openedLibrary(path); handle != 0 {
			if l, err := bind(path, handle); err == nil {
				return l
			}
			closeLibrary(handle)
		}
	}
	if address, err := findSymbol(wholeProgram, functions[mpiInitialized]); err != nil || address == 0 {
		return nil
	}
	l, err := bind("the program", wholeProgram)
	if err != nil {
		return nil
	}
	return l
}

// bind finds the functions and the family of an open library.
func bind(path string, handle uintptr) (*library, error) {
	symbol := func(name string) uintptr {
		address, err := findSymbol(handle, name)
		if err != nil {
			return 0
		}
		return address
	}
	l := &library{path: path}
	for f := range l.address {
		if l.address[f] = symbol(functions[f]); l.address[f] == 0 && function(f) < firstOptional {
			return nil, fmt.Errorf("not a library of MPI 3.1: it has no %s", functions[f])
		}
	}
	l.version = l.describe()
	// A program that was linked with the library may have copies of its data, which are used instead.
	var err error
	l.abi, err = identify(path, l.version, func(name string) uintptr {
		if address, err := findSymbol(wholeProgram, name); err == nil && address != 0 {
			return address
		}
		return symbol(name)
	})
	return l, err
}

// describe asks for the version, which needs no initialisation.
func (l *library) describe() string {
	var pin runtime.Pinner
	defer pin.Unpin()
	text, length := make([]byte, 8192), new(int32)
	pin.Pin(&text[0])
	pin.Pin(length)
	purego.SyscallN(l.address[mpiGetLibraryVersion], address(&text[0]), address(length))
	return strings.TrimRight(string(text[:max(0, min(int(*length), len(text)))]), "\x00\n ")
}

// address is the address of pinned memory.
func address[T any](p *T) uintptr { return uintptr(unsafe.Pointer(p)) }

// word is an argument of type int.
func word(i int) uintptr { return uintptr(i) }

// free calls f, which frees the object of a handle.
func (l *library) free(t *thread, f function, handle uintptr) (err error) {
	t.do(func() {
		var pin runtime.Pinner
		defer pin.Unpin()
		object := new(uint64)
		*object = uint64(handle)
		pin.Pin(object)
		err = l.call(f, address(object))
	})
	return err
}

// call calls f, which returns a status. It runs on the thread of MPI; the arguments point to pinned memory.
func (l *library) call(f function, args ...uintptr) error {
	if code := hooks.Ask(functions[f]); code != 0 {
		return &Error{Call: functions[f], Class: errOther, Code: int(code), Text: "injected"}
	}
	r, _, _ := purego.SyscallN(l.address[f], args...)
	if code := int(int32(r)); code != 0 {
		return l.explain(functions[f], code)
	}
	return nil
}

// explain asks the library about a code. It runs on the thread of MPI.
func (l *library) explain(call string, code int) *Error {
	var pin runtime.Pinner
	defer pin.Unpin()
	out := new([2]int32)
	text := make([]byte, l.abi.maxErrorString)
	pin.Pin(out)
	pin.Pin(&text[0])
	e := &Error{Call: call, Class: errUnknown, Code: code}
	if r, _, _ := purego.SyscallN(l.address[mpiErrorClass], word(code), address(&out[0])); int32(r) == 0 {
		if class := int(out[0]); class > 0 && class < len(l.abi.classes) && l.abi.classes[class] != 0 {
			e.Class = l.abi.classes[class]
		}
	}
	r, _, _ := purego.SyscallN(l.address[mpiErrorString], word(code), address(&text[0]), address(&out[1]))
	if int32(r) == 0 {
		e.Text = strings.TrimSpace(string(text[:max(0, min(int(out[1]), len(text)))]))
	}
	return e
}
