package hooks

import "sync/atomic"

// Function is a function of OpenCL in Go. It takes the arguments of the function in C as words. It returns the result
// of that, as a word, and the reason of a failure. Memory that an argument points to is kept alive for the call only.
type Function func(args []uintptr) (result uintptr, detail string)

// Functions are an OpenCL implementation in Go, by the names of the specification.
type Functions map[string]Function

var implementation atomic.Pointer[Functions]

// Implement has cl use these functions instead of the OpenCL library of the system. It is called before the first use
// of cl, and holds for the rest of the process.
func Implement(table Functions) { implementation.Store(&table) }

// Implementation returns the functions that Implement was given, or nil.
func Implementation() Functions {
	if table := implementation.Load(); table != nil {
		return *table
	}
	return nil
}
