package cli

import (
	"github.com/spf13/pflag"

	"github.com/suffixcl/suffixcl/device"
	"github.com/suffixcl/suffixcl/internal/tuned"
)

// DeviceFlags choose a device and its memory.
type DeviceFlags struct {
	Device    string
	MaxMemory Size
}

// Add declares the flags.
func (f *DeviceFlags) Add(flags *pflag.FlagSet) {
	flags.StringVar(&f.Device, "device", "",
		`device: index, words of its name, "gpu", "cpu" or "auto" (default $SUFFIXCL_DEVICE, else auto)`)
	flags.Var(&f.MaxMemory, "max-mem", "most device memory to use, such as 512M or 2GiB; 0: what the device has")
}

// Config is what the flags ask for.
func (f *DeviceFlags) Config() device.Config {
	return device.Config{Selector: f.Device, MaxMemory: int64(f.MaxMemory)}
}

// OpenDevice opens the device that the flags choose. With profile it measures every kernel.
func (f *DeviceFlags) OpenDevice(profile bool) (*device.Session, error) {
	c := f.Config()
	c.Profile = profile
	return OpenDevice(c)
}

// OpenDevice opens the device of a configuration. Errors lead to ExitNoDevice; see tuned.Unusable.
func OpenDevice(c device.Config) (*device.Session, error) {
	s, err := device.Open(c)
	return s, tuned.Unusable(err)
}
