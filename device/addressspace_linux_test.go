package device_test

import (
	"errors"
	"fmt"
	"os"
	"runtime"
	"testing"

	"github.com/stretchr/testify/require"
	"golang.org/x/sys/unix"

	"github.com/suffixcl/suffixcl/device"
	"github.com/suffixcl/suffixcl/internal/addressspace"
	"github.com/suffixcl/suffixcl/internal/testkit/devicetest"
	"github.com/suffixcl/suffixcl/internal/tuned"
)

const childLimited = "limited" // plan under a limit of the address space

func init() { children[childLimited] = planLimited }

// Where the address space is limited, what does not fit into it is an error with the numbers: drivers and Go's
// runtime would end the process.
func TestAddressSpace(t *testing.T) {
	devicetest.Devices(t)
	output, err := child(t, childLimited)
	require.NoError(t, err, output)
	_, ok := addressspace.Check(1 << 62)
	require.True(t, ok, "no limit here")
}

// limitAddressSpace leaves so many bytes.
func limitAddressSpace(bytes int64) error {
	statm, err := os.ReadFile("/proc/self/statm")
	if err != nil {
		return err
	}
	var pages int64
	if _, err := fmt.Sscan(string(statm), &pages); err != nil {
		return err
	}
	limit := unix.Rlimit{Cur: uint64(pages*int64(os.Getpagesize()) + bytes), Max: unix.RLIM_INFINITY}
	return unix.Setrlimit(unix.RLIMIT_AS, &limit)
}

func planLimited() error {
	if err := limitAddressSpace(300 << 20); err != nil {
		return err
	}
	if _, err := device.List(); !isAddressSpace(err) || !device.IsTooLarge(err) {
		return fmt.Errorf("listed devices without room for a driver: %v", err)
	}
	if err := limitAddressSpace(1 << 40); err != nil { // NVIDIA's driver takes some for each GPU of the host
		return err
	}
	s, err := device.Open(device.Config{CacheDir: "off"})
	if err != nil {
		return err
	}
	defer s.Close()
	if err := limitAddressSpace(1 << 30); err != nil {
		return err
	}
	host := func(bytes int64) error { return device.MemoryPlan{{Phase: "p", Host: bytes}}.Fits(s) }
	if err := host(1 << 20); err != nil {
		return err
	}
	if err := host(1 << 30); !isAddressSpace(err) {
		return fmt.Errorf("a plan that does not fit: %v", err)
	}
	if tuned.Quirks(s.Caps()).UnifiedMemory {
		buffers := []device.BufferMemory{{Name: "b", Bytes: 500 << 20}}
		err := device.MemoryPlan{{Phase: "p", Host: 500 << 20, Buffers: buffers}}.Fits(s)
		if !isAddressSpace(err) {
			return fmt.Errorf("a plan that does not fit in addition to the device's: %v", err)
		}
	}
	runtime.KeepAlive(make([]byte, 500<<20))
	return host(500 << 20) // garbage is no obstacle
}

func isAddressSpace(err error) bool {
	var memory *device.MemoryError
	return errors.As(err, &memory) && memory.Limit == "address space left to the process (ulimit -v)" &&
		memory.Need > memory.Have && memory.Have > 0
}
