package device

import (
	"github.com/suffixcl/suffixcl/internal/driver"
	"github.com/suffixcl/suffixcl/internal/tune"
)

// loadTuning loads the tuning parameters of a device.
func loadTuning(c *Caps, file string) (tune.State, error) {
	t := tune.State{Key: c.tuneKey(), Device: c.tuneDevice()}
	var err error
	t.Set, err = tune.Load(file, t.Key, c.DriverVersion, t.Device)
	return t, err
}

// tuneKey is how the tuning table knows the device.
func (c *Caps) tuneKey() tune.Key {
	kind := "gpu"
	if c.CPUShape {
		kind = "cpu"
	}
	return tune.Key{Device: c.Name, Arch: c.Arch, Vendor: c.Vendor, Kind: kind}
}

// tuneDevice is what tuning parameters may ask of the device.
func (c *Caps) tuneDevice() tune.Device {
	d := tune.Device{
		CPU: c.CPUShape, MaxWorkGroup: c.MaxWorkGroup, LocalMem: c.LocalMem,
		Lanes: c.quirks.Lanes != driver.LanesLocal, LookBack: c.ForwardProgress,
		Resident: c.quirks.PTX,
	}
	if c.quirks.PTX {
		// What a kernel declares may exceed what the driver reports, up to this on an
		// H200; where it is less, the build fails.
		d.LocalMem = max(d.LocalMem, 226<<10)
	}
	return d
}
