package mpi

import (
	"fmt"
	"path/filepath"
	"reflect"
	"strings"
)

// abi has the constants of a family of libraries. Handles are words: pointers, or integers of 32 bits.
type abi struct {
	name string

	commWorld, commSelf, commNull uintptr
	infoNull, errorsReturn        uintptr
	typeByte                      uintptr
	types                         map[reflect.Kind]uintptr // of reductions
	ops                           [numOps]uintptr

	anySource, anyTag, procNull, undefined int
	commTypeShared                         int
	threadLevels                           [4]int // of ThreadLevel
	maxErrorString                         int

	// of a status, by words of 32 bits
	statusSource, statusTag int

	classes []Class // by the library's numbers; 0 where it means nothing here
}

// openMPI is the table of Open MPI 4 and 5, whose handles are addresses of symbols.
func openMPI(symbol func(string) uintptr) (*abi, error) {
	var missing string
	handle := func(name string) uintptr {
		address := symbol("ompi_" + name)
		if address == 0 && missing == "" {
			missing = "ompi_" + name
		}
		return address
	}
	a := &abi{
		name:         "Open MPI",
		commWorld:    handle("mpi_comm_world"),
		commSelf:     handle("mpi_comm_self"),
		commNull:     handle("mpi_comm_null"),
		infoNull:     handle("mpi_info_null"),
		errorsReturn: handle("mpi_errors_return"),
		typeByte:     handle("mpi_byte"),
		types: map[reflect.Kind]uintptr{
			reflect.Int8: handle("mpi_int8_t"), reflect.Uint8: handle("mpi_uint8_t"),
			reflect.Int16: handle("mpi_int16_t"), reflect.Uint16: handle("mpi_uint16_t"),
			reflect.Int32: handle("mpi_int32_t"), reflect.Uint32: handle("mpi_uint32_t"),
			reflect.Int64: handle("mpi_int64_t"), reflect.Uint64: handle("mpi_uint64_t"),
			reflect.Float32: handle("mpi_float"), reflect.Float64: handle("mpi_double"),
		},
		ops: [numOps]uintptr{
			Sum: handle("mpi_op_sum"), Prod: handle("mpi_op_prod"), Max: handle("mpi_op_max"), Min: handle("mpi_op_min"),
			And: handle("mpi_op_band"), Or: handle("mpi_op_bor"), Xor: handle("mpi_op_bxor"),
		},
		anySource: -1, anyTag: -1, procNull: -2, undefined: -32766,
		commTypeShared: 0,
		threadLevels:   [4]int{0, 1, 2, 3},
		maxErrorString: 256,
		statusSource:   0, statusTag: 1,
		classes: []Class{
			0, errBuffer, ErrCount, errType, ErrTag, ErrComm, ErrRank, errRequest, errRoot, errGroup, ErrOp, errTopology,
			errDims, errArg, errUnknown, ErrTruncate, errOther, errIntern, errInStatus, errPending, errAccess, errAmode,
			errAssert, errBadFile, errBase, errConversion, errDisp, errDupDatarep, errFileExists, errFileInUse, errFile,
			errInfoKey, errInfoNokey, errInfoValue, errInfo, errIO, errKeyval, errLocktype, errName, errNoMem, errNotSame,
			errNoSpace, errNoSuchFile, errPort, errQuota, errReadOnly, errRMAConflict, errRMASync, errService, ErrSize,
			errSpawn, errUnsupportedDatarep, errUnsupportedOperation, errWin,
			68: errRMARange, 69: errRMAAttach, 70: errRMAFlavor, 71: errRMAShared,
		},
	}
	if missing != "" {
		return nil, fmt.Errorf("an Open MPI without the symbol %s", missing)
	}
	return a, nil
}

// mpich is the table of MPICH and those of its ABI.
var mpich = &abi{
	name:         "MPICH",
	commWorld:    0x44000000,
	commSelf:     0x44000001,
	commNull:     0x04000000,
	infoNull:     0x1c000000,
	errorsReturn: 0x54000001,
	typeByte:     0x4c00010d,
	types: map[reflect.Kind]uintptr{
		reflect.Int8: 0x4c000137, reflect.Uint8: 0x4c00013b, reflect.Int16: 0x4c000238, reflect.Uint16: 0x4c00023c,
		reflect.Int32: 0x4c000439, reflect.Uint32: 0x4c00043d, reflect.Int64: 0x4c00083a, reflect.Uint64: 0x4c00083e,
		reflect.Float32: 0x4c00040a, reflect.Float64: 0x4c00080b,
	},
	ops: [numOps]uintptr{
		Sum: 0x58000003, Prod: 0x58000004, Max: 0x58000001, Min: 0x58000002,
		And: 0x58000006, Or: 0x58000008, Xor: 0x5800000a,
	},
	anySource: -2, anyTag: -1, procNull: -1, undefined: -32766,
	commTypeShared: 1,
	threadLevels:   [4]int{0, 1, 2, 3},
	maxErrorString: 1024,
	statusSource:   2, statusTag: 3,
	classes: []Class{
		0, errBuffer, ErrCount, errType, ErrTag, ErrComm, ErrRank, errRoot, errGroup, ErrOp, errTopology, errDims, errArg,
		errUnknown, ErrTruncate, errOther, errIntern, errInStatus, errPending, errRequest, errAccess, errAmode,
		errBadFile, errConversion, errDupDatarep, errFileExists, errFileInUse, errFile, errInfo, errInfoKey, errInfoValue,
		errInfoNokey, errIO, errName, errNoMem, errNotSame, errNoSpace, errNoSuchFile, errPort, errQuota, errReadOnly,
		errService, errSpawn, errUnsupportedDatarep, errUnsupportedOperation, errWin, errBase, errLocktype, errKeyval,
		errRMAConflict, errRMASync, ErrSize, errDisp, errAssert,
		55: errRMARange, 56: errRMAAttach, 57: errRMAShared, 58: errRMAFlavor,
		75: errSession, 76: errProcAborted, 77: errValueTooLarge,
	},
}

// standard is the table of the ABI of MPI 5. Its classes have the numbers that they have here.
var standard = &abi{
	name:         "MPI 5 ABI",
	commWorld:    0x101,
	commSelf:     0x102,
	commNull:     0x100,
	infoNull:     0x130,
	errorsReturn: 0x142,
	typeByte:     0x247,
	types: map[reflect.Kind]uintptr{
		reflect.Int8: 0x240, reflect.Uint8: 0x241, reflect.Int16: 0x248, reflect.Uint16: 0x249,
		reflect.Int32: 0x250, reflect.Uint32: 0x251, reflect.Int64: 0x258, reflect.Uint64: 0x259,
		reflect.Float32: 0x210, reflect.Float64: 0x214,
	},
	ops:       [numOps]uintptr{Sum: 0x21, Prod: 0x24, Max: 0x23, Min: 0x22, And: 0x28, Or: 0x29, Xor: 0x2a},
	anySource: -1, anyTag: -2, procNull: -3, undefined: -32766,
	commTypeShared: 221,
	threadLevels:   [4]int{0, 1024, 2048, 4096},
	maxErrorString: 512,
	statusSource:   0, statusTag: 1,
	classes: ownClasses(),
}

func ownClasses() []Class {
	all := make([]Class, numClasses)
	for c := range all {
		all[c] = Class(c)
	}
	return all
}

// identify tells which table a library needs, by its symbols, its file name and how it describes itself.
func identify(path, version string, symbol func(string) uintptr) (*abi, error) {
	switch {
	case strings.Contains(filepath.Base(path), "mpi_abi"):
		return standard, nil
	case symbol("ompi_mpi_comm_world") != 0:
		return openMPI(symbol)
	}
	for _, family := range []string{"MPICH", "Intel(R) MPI", "MVAPICH", "CRAY MPICH", "ParaStationMPI"} {
		if strings.Contains(strings.ToUpper(version), strings.ToUpper(family)) {
			return mpich, nil
		}
	}
	return nil, fmt.Errorf("a library whose ABI is not known: %q", version)
}
