package device_test

import (
	"errors"
	"fmt"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/suffixcl/suffixcl/cl"
	"github.com/suffixcl/suffixcl/device"
	"github.com/suffixcl/suffixcl/internal/limits"
)

func TestErrors(t *testing.T) {
	memory := &device.MemoryError{What: `buffer "keys"`, Need: 3 << 30, Have: 1 << 30, Limit: "memory limit"}
	assert.EqualError(t, memory,
		`buffer "keys" needs 3.0 GiB (3221225472 bytes), but the memory limit is 1.0 GiB (1073741824 bytes)`)
	assert.True(t, device.IsTooLarge(fmt.Errorf("sorting: %w", memory)))
	assert.True(t, device.IsTooLarge(&device.PhaseError{Err: cl.MemObjectAllocationFailure}))
	assert.True(t, device.IsTooLarge(&cl.Error{Code: cl.OutOfHostMemory}))
	assert.False(t, device.IsTooLarge(cl.OutOfResources))

	require.NoError(t, limits.CheckLen("text", 10, 10))
	length := limits.CheckLen("text", 11, 10)
	assert.Equal(t, &device.LengthError{What: "text", Len: 11, Max: 10}, length)
	assert.EqualError(t, limits.CheckLen("text", 5<<30, 1<<32-2),
		"text of 5.0 GiB (5368709120 bytes) is too long: 4.0 GiB (4294967294 bytes) are possible")
	assert.True(t, device.IsTooLarge(fmt.Errorf("sorting: %w", length)))
	assert.False(t, errors.As(length, &memory), "memory is not what is missing")
	assert.False(t, device.IsTooLarge(limits.CheckLen("text", -1, 10)))
	assert.False(t, device.IsTooLarge(nil))

	lost := &device.LostError{Kernels: []string{"scan", "sort"}, Err: cl.OutOfResources}
	assert.ErrorContains(t, lost, "the device has stopped: CL_OUT_OF_RESOURCES (-5); the last kernels, of which one may "+
		"have gone outside of its memory: scan, sort; please report")
	assert.ErrorContains(t, &device.LostError{Err: cl.OutOfResources}, "no kernel was launched since it last answered")
	assert.ErrorIs(t, lost, cl.OutOfResources)

	cause := errors.New("cause")
	assert.EqualError(t, &device.PhaseError{Phase: "rank", Err: cause}, `phase "rank": cause`)
	assert.EqualError(t, &device.PhaseError{Err: cause}, "cause")
	assert.ErrorIs(t, &device.PhaseError{Phase: "rank", Err: cause}, cause)
}
