package cli

import (
	"os"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/pflag"

	"github.com/suffixcl/suffixcl/cl"
	"github.com/suffixcl/suffixcl/device"
	"github.com/suffixcl/suffixcl/internal/bytesize"
	"github.com/suffixcl/suffixcl/internal/tuned"
)

// DeviceFlags choose a device and its memory.
type DeviceFlags struct {
	Device    string
	MaxMemory Size
}

// Add declares the flags.
func (f *DeviceFlags) Add(flags *pflag.FlagSet) {
	flags.Var((*Word)(&f.Device), "device",
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

// OpenDevice opens the device of a configuration. Errors lead to ExitNoDevice, see tuned.Unusable, but for that of an
// environment variable, which is wrong usage.
func OpenDevice(c device.Config) (*device.Session, error) {
	if err := CheckEnvironment(); err != nil {
		return nil, err
	}
	s, err := device.Open(c)
	return s, tuned.Unusable(err)
}

// CheckEnvironment tells of an environment variable that package device leaves out of account, as it is no number.
func CheckEnvironment() error {
	value := os.Getenv(device.HelpersVariable)
	if _, err := strconv.Atoi(value); err != nil && value != "" {
		return Usage("%s=%s: want a number of processes; 0 and -1: none", device.HelpersVariable, value)
	}
	return nil
}

// IsDevice tells whether a device has that name.
func IsDevice(name string) bool {
	list, err := device.List()
	return err == nil && slices.ContainsFunc(list, func(d *cl.Device) bool {
		return strings.EqualFold(strings.TrimSpace(d.Name()), strings.TrimSpace(name))
	})
}

// Alike are the other devices of the platform and kind of one, which is the first of its name.
func Alike(of device.Caps) (alike []*cl.Device, err error) {
	list, err := device.List()
	if err != nil {
		return nil, err
	}
	first := true
	var kind cl.DeviceType
	for _, d := range list {
		if d.Platform().Name() == of.Platform && d.Name() == of.Name && first {
			first, kind = false, d.Type()
		}
	}
	first = true
	for _, d := range list {
		switch {
		case d.Platform().Name() != of.Platform || d.Type() != kind || !d.Available():
		case first && d.Name() == of.Name:
			first = false
		default:
			alike = append(alike, d)
		}
	}
	return alike, nil
}

// OpenAlike opens so many devices of one kind, the first by the selector. Shared: where there are fewer, several
// sessions share them.
func OpenAlike(c device.Config, devices int, shared bool) (sessions []*device.Session, err error) {
	defer func() {
		if err != nil {
			for _, s := range sessions {
				s.Close()
			}
		}
	}()
	first, err := OpenDevice(c)
	if err != nil {
		return nil, err
	}
	sessions = append(sessions, first)
	others, err := Alike(*first.Caps())
	if err != nil {
		return sessions, err
	}
	if have := len(others) + 1; devices > have && !shared {
		return sessions, Usage("there are %s of the kind of %s, not %d", bytesize.Count(have, "device"),
			first.Caps().Name, devices)
	}
	for len(sessions) < devices {
		next := c
		if k := len(sessions) % (len(others) + 1); k > 0 {
			next = device.Config{Device: others[k-1], MaxMemory: c.MaxMemory, Profile: c.Profile, Helper: c.Helper}
		}
		s, err := OpenDevice(next)
		if err != nil {
			return sessions, err
		}
		sessions = append(sessions, s)
	}
	return sessions, nil
}
