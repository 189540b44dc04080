package cl_test

import (
	"os"
	"os/exec"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/suffixcl/suffixcl/cl"
)

// Kernels and the sub-buffers that are their arguments may be released in any order.
// In child processes: a driver that minds it crashes.
func TestReleaseOrder(t *testing.T) {
	const variable = "CL_TEST_RELEASE_ORDER"
	orders := []string{"kernel sub buffer", "sub kernel buffer", "sub buffer kernel", "kernel buffer sub"}
	if order := os.Getenv(variable); order != "" {
		eachDevice(t, func(t *testing.T, s *setup) {
			for range 20 {
				align := max(s.device.MemBaseAddrAlign()/8, 4)
				k := s.kernel(t, "__kernel void set(__global uint *a, __global uint *b) { a[get_global_id(0)] = 1; b[get_global_id(0)] = 2; }", "set")
				b, err := s.context.CreateEmptyBuffer(cl.MemReadWrite, 4*align)
				require.NoError(t, err)
				sub, err := b.CreateSubBuffer(cl.MemReadWrite, align, align)
				require.NoError(t, err)
				for range 3 {
					require.NoError(t, k.SetArgs(sub, b))
					require.NoError(t, s.queue.EnqueueNDRangeKernelNoEvent(k, nil, []int{1}, []int{1}, nil))
				}
				require.NoError(t, s.queue.Finish())
				for _, what := range strings.Fields(order) {
					map[string]func(){"kernel": k.Release, "sub": sub.Release, "buffer": b.Release}[what]()
				}
			}
		})
		return
	}
	allDevices(t)
	for _, order := range orders {
		t.Run(order, func(t *testing.T) {
			c := exec.Command(os.Args[0], "-test.run", "^TestReleaseOrder$")
			c.Env = append(os.Environ(), variable+"="+order)
			out, err := c.CombinedOutput()
			require.NoError(t, err, string(out))
		})
	}
}
