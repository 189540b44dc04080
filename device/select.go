package device

import (
	"cmp"
	"errors"
	"fmt"
	"os"
	"runtime"
	"strconv"
	"strings"

	"github.com/suffixcl/suffixcl/cl"
	"github.com/suffixcl/suffixcl/internal/driver"
)

// noDevice makes an error of package cl match ErrNoDevice too.
type noDevice struct{ error }

func (e noDevice) Is(target error) bool { return target == ErrNoDevice }
func (e noDevice) Unwrap() error        { return e.error }

// List returns every device of every platform, in the order of the drivers. The index is that of [Config].Selector.
//
// Errors: [ErrNoDevice], with what is missing; a *[MemoryError] where the address space of the process leaves a driver
// no room.
func List() ([]*cl.Device, error) {
	if err := checkAddressSpace("the OpenCL driver", driverSpace()); err != nil {
		return nil, err
	}
	devices, err := cl.GetDevices(cl.DeviceTypeAll)
	if errors.Is(err, cl.ErrNoLibrary) || errors.Is(err, cl.ErrNoPlatform) || errors.Is(err, cl.ErrNoDevice) {
		return nil, noDevice{err}
	}
	return devices, err
}

// driverSpace is the address space that loading a driver takes. PoCL 3.1 maps 240 to 450 MiB, and has a thread for each
// processor.
func driverSpace() int64 { return 512<<20 + int64(runtime.NumCPU())*8<<20 }

// selectDevice chooses among all devices.
func selectDevice(selector string) (*cl.Device, error) {
	devices, err := List()
	if err != nil {
		return nil, err
	}
	i, err := choose(devices, selector)
	if err != nil {
		return nil, err
	}
	return devices[i], nil
}

// choose returns the index of the device that a selector means (see [Config]), or -1. Errors match [ErrNoDevice].
func choose(devices []*cl.Device, selector string) (int, error) {
	selector = strings.TrimSpace(selector)
	source := ""
	if environment := strings.TrimSpace(os.Getenv(selectorVariable)); selector == "" && environment != "" {
		selector, source = environment, " ("+selectorVariable+")"
	}
	selector = cmp.Or(selector, "auto")
	if i, err := strconv.Atoi(selector); err == nil {
		if i < 0 || i >= len(devices) {
			return -1, noDevice{fmt.Errorf("there is no device %d%s: found %s", i, source, names(devices))}
		}
		return i, nil
	}
	best, bestScore := -1, 0.0
	for i, d := range devices {
		if !matches(d, selector) {
			continue
		}
		if score := score(d); best < 0 || score > bestScore {
			best, bestScore = i, score
		}
	}
	if best < 0 {
		return -1, noDevice{fmt.Errorf("no device matches %q%s: found %s", selector, source, names(devices))}
	}
	return best, nil
}

const selectorVariable = "SUFFIXCL_DEVICE"

// useless says why a device cannot be used, and nothing of one that can.
func useless(d *cl.Device) string {
	switch {
	case !d.Available():
		return "not available"
	case !d.CompilerAvailable():
		return "its driver has no compiler"
	case !d.EndianLittle():
		return "big-endian"
	}
	return ""
}

func matches(d *cl.Device, selector string) bool {
	if useless(d) != "" {
		return false
	}
	selector = strings.ToLower(selector)
	c := Caps{kind: d.Type()}
	switch selector {
	case "auto":
		return true
	case "gpu", "cpu":
		return c.Kind() == selector
	}
	text := strings.ToLower(strings.Join([]string{d.Name(), d.Vendor(), d.Platform().Name(), d.Platform().Vendor()}, " "))
	for _, word := range strings.Fields(selector) {
		if !strings.Contains(text, word) {
			return false
		}
	}
	return true
}

func score(d *cl.Device) float64 {
	p := d.Platform()
	v := driver.Of(p.Name(), p.Vendor(), d.Vendor(), d.Name())
	return rate(d.Type(), v, d.MaxComputeUnits(), d.MaxClockFrequency(), d.HostUnifiedMemory())
}

// rate orders devices by expected speed: kind first (interpreters and software
// rasterisers last), then width times clock, then who drives it.
func rate(t cl.DeviceType, v string, units, megahertz int, unified bool) float64 {
	c := Caps{kind: t}
	kind := 1.0
	switch {
	case v == driver.Oclgrind:
		kind = 0
	case c.gpu():
		kind = 3
	case c.kind&cl.DeviceTypeAccelerator != 0 && c.kind&cl.DeviceTypeCPU == 0:
		kind = 2
	case v == driver.Mesa: // llvmpipe, the slowest of the CPU drivers
		kind = 0.5
	}
	// A compute unit of a discrete GPU of the large vendors is several times an
	// integrated one's: let memory decide among them. Some drivers do not know the
	// clock.
	speed := float64(max(units, 1)) * float64(max(megahertz, 1))
	if !unified {
		speed *= 8
	}
	if c.gpu() && (v == driver.PoCL || v == driver.Mesa) { // the maker's own driver, where there are two
		speed /= 2
	}
	return kind*1e12 + speed
}

func names(devices []*cl.Device) string {
	list := make([]string, len(devices))
	for i, d := range devices {
		of := d.Platform().Name()
		if why := useless(d); why != "" {
			of += ": " + why
		}
		list[i] = fmt.Sprintf("%d: %s (%s)", i, strings.TrimSpace(d.Name()), of)
	}
	return strings.Join(list, ", ")
}
