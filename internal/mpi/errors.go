package mpi

import (
	"errors"
	"fmt"
)

// Class is a class of errors. The numbers are those of the ABI of MPI 5, whatever the library.
type Class int

// The classes of errors. Those without a name here have the one of the standard in their messages.
const (
	errBuffer Class = 1 + iota
	ErrCount
	errType
	ErrTag
	ErrComm
	ErrRank
	errRequest
	errRoot
	errGroup
	ErrOp
	errTopology
	errDims
	errArg
	errUnknown
	ErrTruncate
	errOther
	errIntern
	errPending
	errInStatus
	errAccess
	errAmode
	errAssert
	errBadFile
	errBase
	errConversion
	errDisp
	errDupDatarep
	errFileExists
	errFileInUse
	errFile
	errInfoKey
	errInfoNokey
	errInfoValue
	errInfo
	errIO
	errKeyval
	errLocktype
	errName
	errNoMem
	errNotSame
	errNoSpace
	errNoSuchFile
	errPort
	errQuota
	errReadOnly
	errRMAAttach
	errRMAConflict
	errRMARange
	errRMAShared
	errRMASync
	errService
	ErrSize
	errSpawn
	errUnsupportedDatarep
	errUnsupportedOperation
	errWin
	errRMAFlavor
	errProcAborted
	errValueTooLarge
	errSession
	errErrhandler
	numClasses
)

var classNames = [numClasses]string{
	"MPI_SUCCESS", "MPI_ERR_BUFFER", "MPI_ERR_COUNT", "MPI_ERR_TYPE", "MPI_ERR_TAG", "MPI_ERR_COMM", "MPI_ERR_RANK",
	"MPI_ERR_REQUEST", "MPI_ERR_ROOT", "MPI_ERR_GROUP", "MPI_ERR_OP", "MPI_ERR_TOPOLOGY", "MPI_ERR_DIMS", "MPI_ERR_ARG",
	"MPI_ERR_UNKNOWN", "MPI_ERR_TRUNCATE", "MPI_ERR_OTHER", "MPI_ERR_INTERN", "MPI_ERR_PENDING", "MPI_ERR_IN_STATUS",
	"MPI_ERR_ACCESS", "MPI_ERR_AMODE", "MPI_ERR_ASSERT", "MPI_ERR_BAD_FILE", "MPI_ERR_BASE", "MPI_ERR_CONVERSION",
	"MPI_ERR_DISP", "MPI_ERR_DUP_DATAREP", "MPI_ERR_FILE_EXISTS", "MPI_ERR_FILE_IN_USE", "MPI_ERR_FILE",
	"MPI_ERR_INFO_KEY", "MPI_ERR_INFO_NOKEY", "MPI_ERR_INFO_VALUE", "MPI_ERR_INFO", "MPI_ERR_IO", "MPI_ERR_KEYVAL",
	"MPI_ERR_LOCKTYPE", "MPI_ERR_NAME", "MPI_ERR_NO_MEM", "MPI_ERR_NOT_SAME", "MPI_ERR_NO_SPACE", "MPI_ERR_NO_SUCH_FILE",
	"MPI_ERR_PORT", "MPI_ERR_QUOTA", "MPI_ERR_READ_ONLY", "MPI_ERR_RMA_ATTACH", "MPI_ERR_RMA_CONFLICT",
	"MPI_ERR_RMA_RANGE", "MPI_ERR_RMA_SHARED", "MPI_ERR_RMA_SYNC", "MPI_ERR_SERVICE", "MPI_ERR_SIZE", "MPI_ERR_SPAWN",
	"MPI_ERR_UNSUPPORTED_DATAREP", "MPI_ERR_UNSUPPORTED_OPERATION", "MPI_ERR_WIN", "MPI_ERR_RMA_FLAVOR",
	"MPI_ERR_PROC_ABORTED", "MPI_ERR_VALUE_TOO_LARGE", "MPI_ERR_SESSION", "MPI_ERR_ERRHANDLER",
}

// Error is the name that the standard gives the class.
func (c Class) Error() string {
	if c < 0 || c >= numClasses {
		return fmt.Sprintf("MPI error class %d", int(c))
	}
	return classNames[c]
}

// Error is a call that failed. It unwraps to its Class.
type Error struct {
	Call  string // the function, such as MPI_Ialltoall
	Class Class
	Code  int    // the library's
	Text  string // the library's
}

// Error returns everything known in one line.
func (e *Error) Error() string {
	return fmt.Sprintf("%s: %v (code %d): %s", e.Call, e.Class, e.Code, e.Text)
}

// Unwrap returns the Class.
func (e *Error) Unwrap() error { return e.Class }

// The errors that calls return without asking the library.
var (
	// ErrNotInitialized says that neither Init nor FromFortran was called.
	ErrNotInitialized = errors.New("mpi: not initialised")
	// ErrFinalized says that Finalize was called.
	ErrFinalized = errors.New("mpi: finalised")
	// ErrBroken says that a call on the communicator or window was left before its end, or that it is freed.
	ErrBroken = errors.New("mpi: unusable, since a call was left before its end")
	// ErrFreed says that the communicator or window is freed.
	ErrFreed = errors.New("mpi: freed")
	// ErrNotPlain says that values of a type cannot be sent, since they hold pointers.
	ErrNotPlain = errors.New("mpi: not a plain type")
)
