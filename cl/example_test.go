package cl_test

import (
	"fmt"
	"log"
	"unsafe"

	"github.com/suffixcl/suffixcl/cl"
)

func Example() {
	devices, err := cl.GetDevices(cl.DeviceTypeAll)
	if err != nil {
		log.Fatal(err)
	}
	context, err := cl.CreateContext(devices[:1])
	if err != nil {
		log.Fatal(err)
	}
	defer context.Release()
	queue, err := context.CreateCommandQueue(devices[0], 0)
	if err != nil {
		log.Fatal(err)
	}
	defer queue.Release()

	program, err := context.CreateProgramWithSource([]string{`
__kernel void add(__global const uchar *a, __global const uchar *b, __global uchar *sum) {
	size_t i = get_global_id(0);
	sum[i] = a[i] + b[i];
}`})
	if err != nil {
		log.Fatal(err)
	}
	defer program.Release()
	if err := program.BuildProgram(nil, "-cl-std=CL1.2"); err != nil {
		log.Fatal(err) // with the compiler's messages
	}
	add, err := program.CreateKernel("add")
	if err != nil {
		log.Fatal(err)
	}
	defer add.Release()

	a, b := upload(context, queue, []byte{1, 2, 3, 4}), upload(context, queue, []byte{10, 20, 30, 40})
	defer a.Release()
	defer b.Release()
	sum, err := context.CreateEmptyBuffer(cl.MemReadWrite, 4)
	if err != nil {
		log.Fatal(err)
	}
	defer sum.Release()
	if err := add.SetArgs(a, b, sum); err != nil {
		log.Fatal(err)
	}
	launched, err := queue.EnqueueNDRangeKernel(add, nil, []int{4}, nil, nil)
	if err != nil {
		log.Fatal(err)
	}
	defer launched.Release()

	result := make([]byte, 4)
	wait := []*cl.Event{launched}
	read, err := queue.EnqueueReadBuffer(sum, true, 0, len(result), unsafe.Pointer(&result[0]), wait)
	if err != nil {
		log.Fatal(err)
	}
	read.Release()
	fmt.Println(result)
	// Output: [11 22 33 44]
}

// upload makes a buffer of data.
func upload(context *cl.Context, queue *cl.CommandQueue, data []byte) *cl.MemObject {
	buffer, err := context.CreateEmptyBuffer(cl.MemReadWrite, len(data))
	if err != nil {
		log.Fatal(err)
	}
	written, err := queue.EnqueueWriteBuffer(buffer, true, 0, len(data), unsafe.Pointer(&data[0]), nil)
	if err != nil {
		log.Fatal(err)
	}
	written.Release()
	return buffer
}
