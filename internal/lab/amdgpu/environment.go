package amdgpu

import (
	"fmt"
	"os"
	"strconv"
	"strings"
)

// Variable names the environment variable that [InstallFromEnvironment] reads: a target and, after a colon, the seed of
// the schedule, as in "gfx942:7".
const Variable = "SUFFIXCL_AMDGPU"

// InstallFromEnvironment installs the device that the environment asks for, if it asks for one.
func InstallFromEnvironment() error {
	value := os.Getenv(Variable)
	if value == "" {
		return nil
	}
	return InstallNamed(value)
}

// InstallNamed installs a device by a target and, after a colon, a seed; without one the seed is 1.
func InstallNamed(name string) error {
	target, seedText, seeded := strings.Cut(name, ":")
	options := Options{Seed: 1}
	if seeded {
		var err error
		if options.Seed, err = strconv.ParseUint(seedText, 10, 64); err != nil {
			return fmt.Errorf("amdgpu: %q has no seed behind the colon", name)
		}
	}
	d, err := New(target, options)
	if err != nil {
		return err
	}
	return d.Install()
}
