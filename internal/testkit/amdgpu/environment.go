package amdgpu

import (
	"fmt"
	"os"
	"strconv"
	"strings"
)

// Prefix of what [Variable] has makes a selector of a device.
const Prefix = "amdgpu:"

// Selector returns how a device with this name is asked for, with the schedule of this process if it is that device's.
func Selector(device string) string {
	target, _, _ := strings.Cut(device, ":")
	if value := os.Getenv(Variable); value == target || strings.HasPrefix(value, target+":") {
		return Prefix + value
	}
	return Prefix + target
}

// Variable names the environment variable that [InstallFromEnvironment] reads: a target and, after colons, the seed of
// the schedule and "aligned", as in "gfx942", "gfx942:7", "gfx942:7:aligned".
const Variable = "SUFFIXCL_AMDGPU"

// InstallFromEnvironment installs the device that the environment asks for, if it asks for one.
func InstallFromEnvironment() error {
	value := os.Getenv(Variable)
	if value == "" {
		return nil
	}
	return InstallNamed(value)
}

// sameValue are the kernels of this module in which several work-items write the same value to the same place, with
// no more order than that.
var sameValue = []string{
	"suffixsort_heads", // depth of a border of tiles, which both tiles know
	"skew_small",       // that two neighbours are equal, which one of them would do
	"smalltexts",       // marks of the characters that occur in a text
}

// InstallNamed installs a device by what [Variable] has; without a seed it is 1.
func InstallNamed(name string) error {
	target, rest, _ := strings.Cut(name, ":")
	options := Options{Seed: 1, SameValue: sameValue}
	for word := range strings.SplitSeq(rest, ":") {
		var err error
		switch word {
		case "":
		case "aligned":
			options.Aligned = true
		default:
			options.Seed, err = strconv.ParseUint(word, 10, 64)
		}
		if err != nil {
			return fmt.Errorf("amdgpu: %q in %q is no seed", word, name)
		}
	}
	d, err := New(target, options)
	if err != nil {
		return err
	}
	return d.Install()
}
