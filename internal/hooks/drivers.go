package hooks

import (
	"slices"
	"sync"
)

// Driver is an OpenCL driver: the name or path by which it is loaded, and the file that this is.
type Driver struct{ Name, File string }

// Drivers is what the command and package cl do for each other. The command sets Try before the first use of cl, and cl
// sets Load.
var Drivers struct {
	// Try has another process load the drivers, one after the other, and returns which of them this process must not
	// load, and why, by their names. nil tries none.
	Try func(list []Driver) map[string]error
	// Load is the work of that process. It calls begin and end before and after each driver that it loads.
	Load func(names []string, begin, end func(i int))
}

var leftOut struct {
	sync.Mutex
	list []error
}

// LeaveOut notes, once, why a driver that is there is not used.
func LeaveOut(why error) {
	leftOut.Lock()
	defer leftOut.Unlock()
	if !slices.ContainsFunc(leftOut.list, func(e error) bool { return e.Error() == why.Error() }) {
		leftOut.list = append(leftOut.list, why)
	}
}

// LeftOut returns what LeaveOut was given.
func LeftOut() []error {
	leftOut.Lock()
	defer leftOut.Unlock()
	return slices.Clone(leftOut.list)
}
