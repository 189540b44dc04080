package device_test

import (
	"errors"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/suffixcl/suffixcl/device"
)

func TestLaunch(t *testing.T) {
	sessions(t, func(t *testing.T, s *device.Session) {
		k := scanKernel(t, s)
		b := from(t, s, []uint32{1, 2, 3, 99})
		k.Launch(0, 0, b, uint64(3)) // no groups
		k.Launch(0, 0)
		assert.Equal(t, []uint32{1, 2, 3, 99}, read(t, b))
		k.Launch(1, 0, b, uint64(3))
		assert.Equal(t, []uint32{0, 1, 3, 6}, read(t, b))
		k.Launch(1, 0, []any{b, uint64(3)})
		assert.Equal(t, []uint32{0, 0, 1, 4}, read(t, b))
		k.Launch(1, 0, []any{[]any{}, []any{b}}, []any(nil), []any{[]any{uint64(3)}})
		assert.Equal(t, []uint32{0, 0, 0, 1}, read(t, b))
	})
}

// TestLaunchNull: nil, a nil buffer and a buffer without elements are null pointers.
func TestLaunchNull(t *testing.T) {
	sessions(t, func(t *testing.T, s *device.Session) {
		k := s.Program(scanSource(group)).Kernel("scan_reduce", group)
		partials := from(t, s, []uint32{99})
		for _, null := range []any{nil, (*device.Buffer[uint32])(nil), alloc[uint32](t, s, 0), partials.View(1, 0)} {
			k.Launch(1, 0, partials, uint64(0), null, null) // no elements: nothing is read
			assert.Equal(t, []uint32{0}, read(t, partials))
			partials.Fill(99)
		}
	})
}

func TestLaunchErrors(t *testing.T) {
	sessions(t, func(t *testing.T, s *device.Session) {
		k := scanKernel(t, s)
		b := from(t, s, []uint32{1, 2, 3, 99})
		s.Phase("testing")
		for name, c := range map[string]struct {
			groups int
			args   []any
			want   string
		}{
			"too few":         {1, []any{b}, "1 arguments, wants 2"},
			"too many":        {1, []any{b, uint64(3), uint64(3)}, "3 arguments, wants 2"},
			"none":            {1, nil, "0 arguments, wants 2"},
			"too many listed": {1, []any{[]any{b, []any{uint64(3), nil}}}, "3 arguments, wants 2"},
			"a listed int":    {1, []any{b, []any{[]any{3}}}, "argument 1: "},
			"an int":          {1, []any{b, 3}, "argument 1: "},
			"a bool":          {1, []any{b, true}, "argument 1: "},
			"a slice":         {1, []any{[]uint32{1}, uint64(3)}, "argument 0: "},
			"too narrow":      {1, []any{b, uint32(3)}, "argument 1: "},
			"negative groups": {-1, []any{b, uint64(3)}, "clEnqueueNDRangeKernel"},
		} {
			k.Launch(c.groups, 0, c.args...)
			var phase *device.PhaseError
			require.ErrorAs(t, s.Err(), &phase, name)
			assert.Equal(t, "testing", phase.Phase)
			assert.ErrorContains(t, phase, "kernel scan_partials: ", name)
			assert.ErrorContains(t, phase, c.want, name)
			s.Recover()
		}
		assert.Equal(t, []uint32{1, 2, 3, 99}, read(t, b))
		k.Launch(1, 0, b, uint64(3))
		assert.Equal(t, []uint32{0, 1, 3, 6}, read(t, b), "the kernel is none the worse for it")
	})
}

func TestKernelErrors(t *testing.T) {
	sessions(t, func(t *testing.T, s *device.Session) {
		p := s.Program(scanSource(group))
		b := from(t, s, iota32(4))
		p.Kernel("no_such_kernel", group).Launch(1, 0, b)
		assert.ErrorIs(t, s.Err(), invalidKernelName)
		assert.ErrorContains(t, s.Err(), "no_such_kernel")
		s.Recover()
		for _, wg := range []int{1, 2 * group, 0, -1} {
			p.Kernel("scan_partials", wg).Launch(1, 0, b, uint64(3))
			assert.ErrorContains(t, s.Err(), "compiled for work-groups of [8 1 1]")
			s.Recover()
		}
		k := p.Kernel("scan_partials", group)
		assert.Same(t, k, s.Program(scanSource(group)).Kernel("scan_partials", group), "the session keeps kernels")
		k.Launch(1, 0, b, uint64(3))
		assert.Equal(t, []uint32{0, 0, 1, 3}, read(t, b))
	})
}

// TestWorkGroupTooLarge: what a device cannot run is an error before the launch.
func TestWorkGroupTooLarge(t *testing.T) {
	sessions(t, func(t *testing.T, s *device.Session) {
		wg := 1 << 20
		require.Less(t, s.Caps().MaxWorkGroup, wg)
		err := func() error {
			k := s.Program(scanSource(wg)).Kernel("scan_partials", wg)
			k.Launch(1, 0, from(t, s, iota32(4)), uint64(3))
			return s.Finish()
		}()
		assert.Error(t, err)
		s.Recover()
		assert.NoError(t, sumTo(s, 10))
	})
}

func TestStickyErrors(t *testing.T) {
	sessions(t, func(t *testing.T, s *device.Session) {
		k := scanKernel(t, s)
		b, other := from(t, s, []uint32{1, 2, 3, 99}), from(t, s, make([]uint32, 4))
		failure := errors.New("failure")
		s.Fail(nil)
		require.NoError(t, s.Err())
		s.Phase("first")
		k.Launch(1, 0, b, uint64(3)) // runs
		s.Fail(failure)
		s.Phase("second")
		s.Fail(errors.New("later"))
		k.Launch(1, 0, b, uint64(3)) // these do not
		k.Launch(1, 0, b)
		b.Fill(7)
		device.Copy(b, other, 4)
		values := []uint32{42}
		for name, err := range map[string]error{
			"Err": s.Err(), "Finish": s.Finish(), "Read": b.Read(values), "Write": b.Write(values),
			"Check": s.Check(t.Context()),
		} {
			assert.ErrorIs(t, err, failure, name)
			assert.EqualError(t, err, `phase "first": failure`, "%s: the first error, in its phase", name)
		}
		assert.Equal(t, []uint32{42}, values)
		s.Recover()
		s.Recover()
		require.NoError(t, s.Err())
		require.NoError(t, s.Finish())
		assert.Equal(t, []uint32{0, 1, 3, 6}, read(t, b))

		s.Phase("outer")
		s.Fail(&device.PhaseError{Phase: "inner", Err: failure})
		assert.EqualError(t, s.Err(), `phase "inner": failure`, "an error that has a phase keeps it")
		s.Recover()
	})
}
