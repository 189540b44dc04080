package distributed

import (
	"cmp"
	"os"
	"strconv"

	"github.com/suffixcl/suffixcl/cl"
	"github.com/suffixcl/suffixcl/device"
	"github.com/suffixcl/suffixcl/internal/tuned"
	"github.com/suffixcl/suffixcl/mpi"
)

// Selector is what this rank should give device.Config. That is selector, if somebody chose by it or by
// SUFFIXCL_DEVICE; else the ranks of a node are spread over its GPUs, and where there is none it is empty. All ranks
// call it. Errors: MPI's; those of device.List.
func Selector(c *mpi.Comm, selector string) (string, error) {
	node, err := c.SplitShared()
	if err != nil {
		return "", err
	}
	defer node.Free()
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
	return strconv.Itoa(gpus[node.Rank()%len(gpus)]), nil
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
