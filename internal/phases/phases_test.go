package phases_test

import (
	"testing"

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
