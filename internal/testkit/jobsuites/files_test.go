package jobsuites

import (
	"bytes"
	"context"
	"testing"

	"github.com/suffixcl/suffixcl/conformance"
)

func TestFiles(t *testing.T) {
	twice := func(text []byte) ([]byte, error) { return bytes.Repeat(text, 2), nil }
	conformance.Run(t, Files(func(_ context.Context, text []byte) ([]byte, error) { return twice(text) }, twice, small()))
	assertFails(t, Files(func(_ context.Context, text []byte) ([]byte, error) {
		text = bytes.Repeat(text, 2)
		return text[:min(len(text), 900)], nil
	}, twice, small()))
}
