//go:build !linux && !darwin && !freebsd

package cl

import "errors"

func privateDirectory() (string, error) { return "", errors.ErrUnsupported }

func freeSpace(string) (bytes int64, known bool) { return 0, false }
