package distributed

import (
	"cmp"
	"os"
	"strconv"

	"github.com/suffixcl/suffixcl/cl"
	"github.com/suffixcl/suffixcl/device"
	"github.com/suffixcl/suffixcl/internal/tuned"
)

// Selector is what this rank should give device.Config. That is selector, if somebody chose by it or by
// SUFFIXCL_DEVICE; else the ranks are spread over the GPUs, under MPI those of each node over its own, and where there
// is none it is empty. All ranks call it. Errors: MPI's; those of device.List.
func Selector(c Communicator, selector string) (string, error) {
	place := c.Rank()
	if m, ok := c.(overMPI); ok {
		var err error
		if place, err = m.place(); err != nil {
			return "", err
		}
	}
	if cmp.Or(selector, os.Getenv("SUFFIXCL_DEVICE")) != "" {
		return selector, nil
	}
	devices, err := device.List()
	if err != nil {
		return "", err
	}
	var gpus []int
	for i, d := range devices {
		if d.Type()&(cl.DeviceTypeGPU|cl.DeviceTypeCPU) == cl.DeviceTypeGPU {
			gpus = append(gpus, i)
		}
	}
	if len(gpus) == 0 {
		return "", nil
	}
	return strconv.Itoa(gpus[place%len(gpus)]), nil
}

// identity tells the device of a rank from those of others. Two ranks that are equal in it share one.
type identity struct {
	Leader     uint64     // the least rank of its node
	Device     [16]byte   // a GPU's UUID
	Processors [16]uint64 // those that a CPU device may run on
	Known      bool
}

// identify is set by tests.
var identify = func(s *device.Session) (id identity) {
	d := tuned.CLDevice(s)
	if d.Type()&cl.DeviceTypeCPU != 0 {
		id.Processors, id.Known = processors()
	} else {
		id.Device, id.Known = d.UUID()
	}
	return id
}
