package tuned

import (
	"errors"
	"fmt"

	"github.com/suffixcl/suffixcl/device"
	"github.com/suffixcl/suffixcl/internal/tune"
)

// Unusable marks an error of device.Open as device.ErrNoDevice, for exit codes. A bad tuning file is not the device's
// fault, and neither is too little memory.
func Unusable(err error) error {
	var file *tune.FileError
	if err == nil || device.IsTooLarge(err) || errors.Is(err, device.ErrNoDevice) || errors.As(err, &file) {
		return err
	}
	return fmt.Errorf("%w: %w", device.ErrNoDevice, err)
}
