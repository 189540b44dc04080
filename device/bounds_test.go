package device_test

import (
	"slices"
	"testing"
	"testing/fstest"

	"github.com/stretchr/testify/require"

	"github.com/suffixcl/suffixcl/cl"
	"github.com/suffixcl/suffixcl/device"
	"github.com/suffixcl/suffixcl/internal/hooks"
	"github.com/suffixcl/suffixcl/internal/testkit/harness"
	"github.com/suffixcl/suffixcl/internal/tuned"
)

// touching has a kernel that copies n words, and then one from the place `from` to the place `to`, counted from where
// its views begin.
var touching = device.Source{Files: []string{"touching.cl"}, FS: fstest.MapFS{"touching.cl": {Data: []byte(`
KERNEL_WG(WG) touching(__global const uint *in, ulong in_at, __global uint *out, ulong out_at, uint n, int from, int to)
{
    if (get_local_id(0) == 0) {
        for (uint i = 0; i < n; i++)
            out[out_at + i] = in[in_at + i];
        out[(long)out_at + to] = in[(long)in_at + from];
    }
}
`)}}, Defines: device.Defines{"WG": group}}

// A launch that writes beyond a view by one element fails. One that reads there has another result each time. What is
// around the views stays as it was.
func TestBounds(t *testing.T) {
	each(t, func(t *testing.T, d *cl.Device) {
		random := harness.RandomFill()
		poison := func(bytes int64) []byte { // no byte of it is one that the kernel writes: the first written one is seen
			memory := slices.Clone(random(bytes))
			for i := range memory {
				memory[i] |= 0x80
			}
			return memory
		}
		s := openWith(t, d, device.Config{}, tuned.Edits{Hooks: hooks.Session{Bounds: poison}})
		const n, all = 5, 40
		words := iota32(all)
		in, out, last := from(t, s, words), from(t, s, words), from(t, s, words[:n])
		k := s.Program(touching).Kernel("touching", group)
		launch := func(in, out *device.Buffer[uint32], from, to int32) (result []uint32, err error) {
			k.Launch(1, 0, in.Args(), out.Args(), uint32(n), from, to)
			defer s.Recover()
			if err := s.Err(); err != nil {
				return nil, err
			}
			result = make([]uint32, n)
			return result, out.Read(result)
		}
		view := in.View(7, n)
		for name, c := range map[string]struct {
			out *device.Buffer[uint32]
			to  int32
			err string // "" passes
		}{
			"within a view":         {out.View(11, n), n - 1, ""},
			"after a view":          {out.View(11, n), n, `written byte 64 of buffer of 160 bytes, and was given [[44, 64)]`},
			"before a view":         {out.View(11, n), -1, `written byte 40 of buffer of 160 bytes, and was given [[44, 64)]`},
			"in a buffer":           {last, 0, ""},
			"after a buffer":        {last, n, `written byte 20 of buffer of 20 bytes, and was given [[0, 20)]`},
			"at the end of a view":  {out.View(all-n, n), n, `written byte 160 of buffer of 160 bytes`},
			"the middle of another": {out.View(0, n), 9, `written byte 36 of buffer of 160 bytes`},
		} {
			_, err := launch(view, c.out, 0, c.to)
			if c.err == "" {
				require.NoError(t, err, name)
			} else {
				require.ErrorContains(t, err, "kernel touching: it has "+c.err, name)
			}
		}
		require.Equal(t, words, read(t, in))
		got := read(t, out)
		require.Equal(t, []uint32{20, 21, 22, 23, 24, 25}, got[20:26], "what is around a view is as before")

		for name, from := range map[string]int32{"before": -1, "after": n} {
			first, err := launch(view, out.View(0, n), from, 0)
			require.NoError(t, err)
			second, err := launch(view, out.View(0, n), from, 0)
			require.NoError(t, err)
			require.NotEqual(t, first[0], second[0], "%s a view is poison, another each time", name)
			require.NotEqual(t, words[7+from], first[0], name)
		}
		same, err := launch(view, out.View(0, n), n-1, 0)
		require.NoError(t, err)
		require.Equal(t, words[7+n-1], same[0])

		// Two views of a buffer in a launch: both may be touched.
		_, err = launch(out.View(0, n), out.View(n, n), 0, 0)
		require.NoError(t, err)
		_, err = launch(out.View(0, n), out.View(n, n), 0, -1)
		require.NoError(t, err, "the end of the other")
		_, err = launch(out.View(0, n), out.View(n+1, n), 0, -1)
		require.ErrorContains(t, err, "given [[0, 20) [24, 44)]")
	})
}
