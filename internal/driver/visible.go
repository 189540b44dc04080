package driver

import (
	"os"
	"path/filepath"
)

// GPU is one that the system shows by its device file. Library is its OpenCL driver's, without what follows ".so", and
// Advice says what brings it.
type GPU struct{ File, Vendor, Library, Advice string }

// gpus are the device files of GPUs.
var gpus = []GPU{
	{"dev/nvidiactl", NVIDIA, "libnvidia-opencl", "libnvidia-opencl.so.1 comes with the driver; containers need " +
		"NVIDIA_DRIVER_CAPABILITIES=compute,utility"},
	{"dev/kfd", AMD, "libamdocl64", "rocm-opencl-runtime has libamdocl64.so; where it is elsewhere, set ROCM_PATH"},
}

// Visible are the GPUs that the system below a root directory shows.
func Visible(root string) (there []GPU) {
	for _, gpu := range gpus {
		gpu.File = filepath.Join(root, gpu.File)
		if _, err := os.Stat(gpu.File); err == nil {
			there = append(there, gpu)
		}
	}
	return there
}
