package driver_test

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/suffixcl/suffixcl/internal/driver"
)

func TestOf(t *testing.T) {
	for _, c := range []struct {
		platform, platformVendor, deviceVendor, device string
		want                                           string
	}{
		{"NVIDIA CUDA", "NVIDIA Corporation", "NVIDIA Corporation", "NVIDIA H200", driver.NVIDIA},
		{"AMD Accelerated Parallel Processing", "Advanced Micro Devices, Inc.", "Advanced Micro Devices, Inc.",
			"gfx90a:sramecc+:xnack-", driver.AMD},
		{"AMD Accelerated Parallel Processing", "Advanced Micro Devices, Inc.", "AuthenticAMD", "AMD EPYC", driver.AMD},
		{"Intel(R) OpenCL Graphics", "Intel(R) Corporation", "Intel(R) Corporation", "Intel(R) Arc(TM) A770 Graphics",
			driver.Intel},
		{"Intel(R) OpenCL", "Intel(R) Corporation", "GenuineIntel", "Intel(R) Xeon(R)", driver.Intel},
		{"Apple", "Apple", "Apple", "Apple M2 Max", driver.Apple},
		{"Apple", "Apple", "AMD", "AMD Radeon Pro 5500M Compute Engine", driver.Apple},
		{"Apple", "Apple", "NVIDIA", "GeForce GT 750M", driver.Apple},
		{"Apple", "Apple", "Intel", "Intel(R) Core(TM) i7", driver.Apple},
		{"ARM Platform", "ARM", "ARM", "Mali-G78", driver.ARM},
		{"Portable Computing Language", "The pocl project", "GenuineIntel", "pthread-skylake-avx512-Intel(R) Xeon(R)",
			driver.PoCL},
		{"Portable Computing Language", "The pocl project", "NVIDIA Corporation", "NVIDIA GeForce RTX 3090", driver.PoCL},
		{"rusticl", "Mesa/X.org", "Mesa/X.org", "llvmpipe (LLVM 15.0.6, 256 bits)", driver.Mesa},
		{"rusticl", "Mesa/X.org", "AMD", "AMD Radeon RX 6800 (navi21)", driver.Mesa},
		{"Clover", "Mesa", "AMD", "AMD Radeon RX 580", driver.Mesa},
		{"Oclgrind", "University of Bristol", "University of Bristol", "Oclgrind Simulator", driver.Oclgrind},
		{"QUALCOMM Snapdragon(TM)", "QUALCOMM", "QUALCOMM", "QUALCOMM Adreno(TM)", driver.Other},
		{"", "", "", "", driver.Other},
	} {
		assert.Equal(t, c.want, driver.Of(c.platform, c.platformVendor, c.deviceVendor, c.device), c)
	}
}
