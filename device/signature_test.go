package device_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/suffixcl/suffixcl/cl"
	"github.com/suffixcl/suffixcl/device"
	"github.com/suffixcl/suffixcl/internal/hooks"
	"github.com/suffixcl/suffixcl/internal/tuned"
)

// checked are the edits of a session that checks launches.
var checked = tuned.Edits{Hooks: hooks.Session{Signatures: true}}

// TestSignatures: a launch whose arguments the kernel does not declare fails and does nothing.
func TestSignatures(t *testing.T) {
	each(t, func(t *testing.T, d *cl.Device) {
		s := openWith(t, d, device.Config{}, checked)
		k := s.Program(scanSource(group)).Kernel("scan_reduce", group)
		b := from(t, s, []uint32{1, 2, 3, 99})
		out := from(t, s, []uint32{7})
		n := uint64(3)
		k.Launch(1, 0, out, n, b, nil)
		require.NoError(t, s.Err())
		require.Equal(t, []uint32{6}, read(t, out))
		if !k.Checked() {
			t.Skip("the driver does not tell signatures")
		}
		for name, args := range map[string][]any{
			"nulls":       {out, uint64(0), nil, (*device.Buffer[uint32])(nil)},
			"no elements": {out, uint64(0), alloc[uint32](t, s, 0), b.View(1, 0)},
			"listed":      {[]any{[]any{out}, n}, []any{}, []any{b, []any{nil}}},
			"memory":      {device.Reinterpret[device.Void](out), n, device.Reinterpret[device.Void](b), nil},
		} {
			k.Launch(1, 0, args...)
			require.NoError(t, s.Err(), name)
		}
		out.Fill(7)
		for name, c := range map[string]struct {
			args []any
			want string
		}{
			"narrow":               {[]any{out, uint32(3), b, nil}, "1 (n): uint, wants ulong"},
			"signed":               {[]any{out, int64(3), b, nil}, "1 (n): long, wants ulong"},
			"a vector":             {[]any{out, [2]uint32{3}, b, nil}, "1 (n): uint2, wants ulong"},
			"a scalar for memory":  {[]any{out, n, n, nil}, "2 (in): ulong, wants uint*"},
			"memory for a scalar":  {[]any{out, b, b, nil}, "1 (n): uint*, wants ulong"},
			"null for a scalar":    {[]any{out, nil, b, nil}, "1 (n): void*, wants ulong"},
			"void for a scalar":    {[]any{out, device.Reinterpret[device.Void](b), b, nil}, "1 (n): void*, wants ulong"},
			"wide elements":        {[]any{out, n, device.Reinterpret[uint64](b), nil}, "2 (in): ulong*, wants uint*"},
			"signed elements":      {[]any{out, n, device.Reinterpret[int32](b), nil}, "2 (in): int*, wants uint*"},
			"vectors":              {[]any{out, n, device.Reinterpret[[2]uint32](b), nil}, "2 (in): uint2*, wants uint*"},
			"bytes":                {[]any{out, n, device.Reinterpret[uint8](b), nil}, "2 (in): uchar*, wants uint*"},
			"null of another type": {[]any{out, n, b, (*device.Buffer[uint64])(nil)}, "3 (out): ulong*, wants uint*"},
			"in a list":            {[]any{out, []any{n, []any{b}}, []any{[]any{n}}}, "3 (out): ulong, wants uint*"},
		} {
			k.Launch(1, 0, c.args...)
			assert.ErrorContains(t, s.Err(), "kernel scan_reduce: argument "+c.want, name)
			s.Recover()
		}
		assert.Equal(t, []uint32{7}, read(t, out))
	})
}

// TestSignaturesOfDrivers: a driver that tells no signatures is no failure, one that fails is.
func TestSignaturesOfDrivers(t *testing.T) {
	each(t, func(t *testing.T, d *cl.Device) {
		for code, want := range map[cl.Code]error{
			cl.KernelArgInfoNotAvailable: nil,
			cl.OutOfHostMemory:           cl.OutOfHostMemory,
		} {
			s := openWith(t, d, device.Config{}, checked)
			restore := hooks.InjectFaults(func(call string) int32 {
				if call == "clGetKernelArgInfo" {
					return int32(code)
				}
				return 0
			})
			err := sumTo(s, 100)
			restore()
			if want == nil {
				assert.NoError(t, err)
				continue
			}
			assert.ErrorIs(t, err, want)
			s.Recover()
			assert.NoError(t, sumTo(s, 100))
		}
	})
}

// TestSignaturesOfBinaries: programs that come from the cache run, whether their kernels tell signatures or not.
func TestSignaturesOfBinaries(t *testing.T) {
	each(t, func(t *testing.T, d *cl.Device) {
		dir := t.TempDir()
		for range 2 {
			s := openWith(t, d, device.Config{CacheDir: dir}, checked)
			require.NoError(t, sumTo(s, 100))
		}
		require.NoError(t, sumTo(open(t, d, device.Config{CacheDir: dir}), 100), "a session that checks nothing")
	})
}
