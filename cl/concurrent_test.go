package cl_test

import (
	"errors"
	"fmt"
	"os"
	"sync"
	"testing"
	"unsafe"

	"github.com/suffixcl/suffixcl/cl"
)

// Goroutines that find devices before any other call, all at once, find the same as one alone, and can use
// them. PoCL 3.1 crashes, or has no devices, for those that ask while it initialises.
func TestConcurrentFirstUse(t *testing.T) {
	allDevices(t)
	for range 3 {
		child(t, "concurrent")
	}
}

// firstUse is the child of TestConcurrentFirstUse.
func firstUse() {
	const goroutines = 50
	start := make(chan struct{})
	failures := make([]error, goroutines)
	var wg sync.WaitGroup
	for i := range failures {
		wg.Go(func() {
			<-start
			failures[i] = useAll()
		})
	}
	close(start)
	wg.Wait()
	if err := errors.Join(failures...); err != nil {
		fmt.Println(err)
		os.Exit(1)
	}
}

// using is held by a test that uses a device: PoCL 5.0 fails an assertion of its own where many
// build and release at once.
var using sync.Mutex

// useAll finds all devices, and runs a kernel on each.
func useAll() error {
	devices, err := cl.GetDevices(cl.DeviceTypeAll)
	if err != nil {
		return err
	}
	using.Lock()
	defer using.Unlock()
	for _, d := range devices {
		if d.Name() == "" || d.Platform().Name() == "" {
			return errors.New("a device without a name")
		}
		if err := use(d); err != nil {
			return fmt.Errorf("%s: %w", d.Name(), err)
		}
	}
	return nil
}

func use(d *cl.Device) error {
	context, err := cl.CreateContext([]*cl.Device{d})
	if err != nil {
		return err
	}
	defer context.Release()
	queue, err := context.CreateCommandQueue(d, 0)
	if err != nil {
		return err
	}
	defer queue.Release()
	program, err := context.CreateProgramWithSource([]string{"__kernel void seven(__global uint *out) { out[0] = 7; }"})
	if err != nil {
		return err
	}
	defer program.Release()
	if err := program.BuildProgram(nil, "-cl-std=CL1.2"); err != nil {
		return err
	}
	kernel, err := program.CreateKernel("seven")
	if err != nil {
		return err
	}
	defer kernel.Release()
	buffer, err := context.CreateEmptyBuffer(cl.MemReadWrite, 4)
	if err != nil {
		return err
	}
	defer buffer.Release()
	if err := kernel.SetArgs(buffer); err != nil {
		return err
	}
	if err := queue.EnqueueNDRangeKernelNoEvent(kernel, nil, []int{1}, []int{1}, nil); err != nil {
		return err
	}
	var got uint32
	if _, err := queue.EnqueueReadBuffer(buffer, true, 0, 4, unsafe.Pointer(&got), nil); err != nil {
		return err
	}
	if got != 7 {
		return fmt.Errorf("the kernel wrote %d", got)
	}
	return nil
}
