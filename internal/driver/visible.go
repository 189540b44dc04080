package driver

import (
	"os"
	"path/filepath"
)

// Unseen is a GPU that the system shows, by its device file, with what brings its OpenCL driver.
type Unseen struct{ File, Vendor, Advice string }

// gpus are the device files of GPUs.
var gpus = []Unseen{
	{"dev/nvidiactl", NVIDIA, "libnvidia-opencl.so.1 comes with the driver; containers need " +
		"NVIDIA_DRIVER_CAPABILITIES=compute,utility"},
	{"dev/kfd", AMD, "rocm-opencl-runtime has libamdocl64.so; where it is elsewhere, set ROCM_PATH"},
}

// Visible are the GPUs that the system below a root directory shows.
func Visible(root string) (there []Unseen) {
	for _, gpu := range gpus {
		gpu.File = filepath.Join(root, gpu.File)
		if _, err := os.Stat(gpu.File); err == nil {
			there = append(there, gpu)
		}
	}
	return there
}
