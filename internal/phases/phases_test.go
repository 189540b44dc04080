package phases_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"

	"github.com/suffixcl/suffixcl/device"
	"github.com/suffixcl/suffixcl/internal/phases"
)

func TestSum(t *testing.T) {
	assert.Empty(t, phases.Sum(nil))
	assert.Equal(t, []phases.Total{
		{Phase: "sort", Calls: 5, Time: 40, Bytes: 7},
		{Phase: "merge", Calls: 3, Time: 20, Bytes: 5},
	}, phases.Sum([]device.KernelTime{
		{Phase: "sort", Kernel: "a", Calls: 1, Time: 10, Bytes: 3},
		{Phase: "merge", Kernel: "a", Calls: 3, Time: 20, Bytes: 5},
		{Phase: "sort", Kernel: "b", Calls: 4, Time: 30, Bytes: 4},
	}))
}

func TestGBps(t *testing.T) {
	assert.Equal(t, 2.5, phases.GBps(5000, 2*time.Microsecond))
	assert.Zero(t, phases.GBps(5, 0))
	assert.Zero(t, phases.GBps(5, -1))
}
