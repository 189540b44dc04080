package rlbwt_test

import (
	"bytes"
	"fmt"
	"io"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/suffixcl/suffixcl/device"
	"github.com/suffixcl/suffixcl/internal/fmd"
	"github.com/suffixcl/suffixcl/internal/rlbwt"
	"github.com/suffixcl/suffixcl/internal/testkit/devicetest"
	"github.com/suffixcl/suffixcl/internal/tune"
	"github.com/suffixcl/suffixcl/internal/tuned"
)

// fileOf is the file of runs, as the host makes it, and of the index of these runs, as the device does.
func fileOf(t *testing.T, s *device.Session, runs []fmd.Run) (host, made []byte) {
	t.Helper()
	var e fmd.Encoder
	e.AddAll(runs)
	var out bytes.Buffer
	_, err := e.WriteTo(&out)
	require.NoError(t, err)
	x, err := rlbwt.Load(t.Context(), s, func(yield fmd.Yield) error {
		return yield(runs)
	})
	require.NoError(t, err)
	defer x.Release()
	before := s.LiveBytes()
	f, err := x.File(t.Context())
	require.NoError(t, err)
	require.EqualValues(t, e.Runs(), f.Runs)
	require.EqualValues(t, out.Len(), f.Bytes)
	var got, again bytes.Buffer
	n, err := f.WriteTo(t.Context(), &got)
	require.NoError(t, err)
	require.EqualValues(t, got.Len(), n)
	_, err = f.WriteTo(t.Context(), &again)
	require.NoError(t, err)
	require.True(t, bytes.Equal(got.Bytes(), again.Bytes()))
	f.Release()
	require.Equal(t, before, s.LiveBytes())
	return out.Bytes(), got.Bytes()
}

// madeFile is the file of an index.
func madeFile(t *testing.T, x *rlbwt.Index) []byte {
	t.Helper()
	f, err := x.File(t.Context())
	require.NoError(t, err)
	defer f.Release()
	var out bytes.Buffer
	_, err = f.WriteTo(t.Context(), &out)
	require.NoError(t, err)
	return out.Bytes()
}

// checkFile compares the two.
func checkFile(t *testing.T, s *device.Session, runs []fmd.Run, what string) {
	t.Helper()
	want, got := fileOf(t, s, runs)
	if !bytes.Equal(want, got) {
		at := 0
		for at < min(len(want), len(got)) && want[at] == got[at] {
			at++
		}
		require.Fail(t, fmt.Sprintf("%s: files of %d and %d bytes differ at %d", what, len(want), len(got), at))
	}
}

// lengths are kinds of runs.
var lengths = []struct {
	name string
	of   func(rng *rand.Rand) uint64
}{
	{"ones", func(*rand.Rand) uint64 { return 1 }},
	{"twos", func(*rand.Rand) uint64 { return 2 }},
	{"short", func(rng *rand.Rand) uint64 { return 1 + rng.Uint64N(1<<rng.IntN(6)) }},
	{"around 2^14 rows in a block", func(rng *rand.Rand) uint64 { return 1 + rng.Uint64N(1<<rng.IntN(13)) }},
	{"longer than a slot", func(rng *rand.Rand) uint64 { return 1 + rng.Uint64N(1<<rng.IntN(19)) }},
	{"few long", func(rng *rand.Rand) uint64 {
		if rng.IntN(200) == 0 {
			return 1 + rng.Uint64N(1<<20)
		}
		return 1 + rng.Uint64N(8)
	}},
}

func someRuns(rng *rand.Rand, n int, length func(rng *rand.Rand) uint64) (runs []fmd.Run) {
	last := byte(9)
	for len(runs) < n {
		letter := byte(rng.IntN(fmd.Letters))
		if letter == 0 && rng.IntN(50) > 0 || letter == last {
			continue
		}
		r := fmd.Run{Letter: letter, Len: length(rng)}
		if letter == 0 {
			r.Len = 1
		}
		runs, last = append(runs, r), letter
	}
	return runs
}

// The file of an index is that of the host.
func TestFile(t *testing.T) {
	devicetest.Each(t, func(t *testing.T, e devicetest.Env) { testFiles(t, e.Session, 30_000) })
}

// Chunks and superblocks of any size.
func TestFileChunks(t *testing.T) {
	for _, d := range devicetest.Devices(t) {
		for _, blocks := range []int{2, 1, 7} {
			s := devicetest.Open(t, d, devicetest.Variant{Name: fmt.Sprintf("%d blocks", blocks), Edits: tuned.Edits{
				Set: func(_ *device.Caps, set *tune.Set) { set.RLBWT.FileBlocks, set.RLBWT.Segment = blocks, 95+blocks },
			}})
			testFiles(t, s, 250*blocks)
			if slow(s) {
				break
			}
		}
	}
}

func testFiles(t *testing.T, s *device.Session, many int) {
	t.Helper()
	if tuned.Of(s).RLBWT.FileBlocks < 1000 {
		many = min(many, 1500)
	}
	if slow(s) {
		many = min(many, 500)
	}
	rng := rand.New(rand.NewPCG(1, 2))
	for _, words := range []uint64{1 << 23, 8, 64, 1 << 10} {
		defer fmd.SetSuperblock(words)()
		for _, length := range lengths {
			if words < 1<<23 && length.name != "short" && length.name != "longer than a slot" {
				continue
			}
			checkFile(t, s, someRuns(rng, many, length.of), length.name)
		}
		fmd.SetSuperblock(1 << 23)
	}
	for _, n := range []int{0, 1, 2, 60, 94, 95, 96, 97, 300} {
		checkFile(t, s, someRuns(rng, n, lengths[0].of), fmt.Sprint(n, " runs"))
	}
	checkFile(t, s, []fmd.Run{{Letter: 1, Len: 1 << 18}}, "one letter")
	if slow(s) {
		return
	}
	runs := someRuns(rng, many, lengths[2].of)
	huge := []int{0, 1, 700, 1000, 1001, 1400, many - 1}
	if many < 1000 {
		huge = []int{many / 2}
	}
	for _, i := range huge {
		runs[i].Len = 1<<30 + rng.Uint64N(1<<28)
	}
	checkFile(t, s, runs, "2^30 rows in a block")
}

// The index of strings has the file of its transform.
func TestFileOfStrings(t *testing.T) {
	devicetest.Native(t, func(t *testing.T, e devicetest.Env) {
		for _, c := range collections(rand.New(rand.NewPCG(3, 4)), 200) {
			x, err := rlbwt.New(e.Session)
			require.NoError(t, err)
			require.NoError(t, x.Append(t.Context(), set(c.strings...)))
			var host fmd.Encoder
			host.AddAll(allRuns(t, x))
			var want bytes.Buffer
			_, err = host.WriteTo(&want)
			require.NoError(t, err)
			require.Equal(t, want.Bytes(), madeFile(t, x), c.name)
			x.Release()
		}
	})
}

// The format has no room for some transforms.
func TestFileRefused(t *testing.T) {
	devicetest.Native(t, func(t *testing.T, e devicetest.Env) {
		defer fmd.SetSuperblock(8)()
		x, err := rlbwt.Load(t.Context(), e.Session, func(yield fmd.Yield) error {
			return yield([]fmd.Run{{Letter: 1, Len: 1 << 30}})
		})
		require.NoError(t, err)
		defer x.Release()
		before := e.Session.LiveBytes()
		_, err = x.File(t.Context())
		require.ErrorContains(t, err, "2^30 rows")
		require.Equal(t, before, e.Session.LiveBytes())
	})
}

func BenchmarkFile(b *testing.B) {
	for _, d := range devicetest.Devices(b) {
		s := devicetest.Open(b, d, devicetest.Variant{Name: "native"})
		runs := someRuns(rand.New(rand.NewPCG(5, 6)), 1<<22, lengths[2].of)
		x, err := rlbwt.Load(b.Context(), s, func(yield fmd.Yield) error {
			return yield(runs)
		})
		require.NoError(b, err)
		b.Run("device", func(b *testing.B) {
			b.SetBytes(int64(len(runs))) // so that MB/s are runs
			for b.Loop() {
				f, err := x.File(b.Context())
				require.NoError(b, err)
				_, err = f.WriteTo(b.Context(), io.Discard)
				require.NoError(b, err)
				f.Release()
			}
		})
		b.Run("host", func(b *testing.B) {
			b.SetBytes(int64(len(runs)))
			for b.Loop() {
				var e fmd.Encoder
				require.NoError(b, x.RunParts(b.Context(), func(parts ...[]fmd.Run) error {
					e.AddAll(slices.Concat(parts...))
					return nil
				}))
				_, err := e.WriteTo(io.Discard)
				require.NoError(b, err)
			}
		})
		x.Release()
	}
}
