package bsdiff_test

import (
	"bytes"
	"context"
	"encoding/binary"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/suffixcl/suffixcl"
	"github.com/suffixcl/suffixcl/device"
	"github.com/suffixcl/suffixcl/internal/bsdiff"
	"github.com/suffixcl/suffixcl/internal/testkit/devicetest"
	"github.com/suffixcl/suffixcl/internal/testkit/needed"
	"github.com/suffixcl/suffixcl/internal/testkit/opticks"
)

func TestMain(m *testing.M) { devicetest.Main(m) }

func engine(t testing.TB) *suffixcl.Engine {
	s, err := device.Open(device.Config{Device: devicetest.Devices(t)[0]})
	require.NoError(t, err)
	e, err := suffixcl.New(s, suffixcl.EngineOptions{})
	require.NoError(t, err)
	t.Cleanup(func() { e.Close() })
	return e
}

var random = rand.New(rand.NewPCG(7, 7))

func noise(n int) []byte {
	b := make([]byte, n)
	for i := range b {
		b[i] = byte(random.Uint32())
	}
	return b
}

// edited is a text with changed bytes, and pieces put in, taken out and moved.
func edited(text []byte, edits int) []byte {
	text = bytes.Clone(text)
	for range edits {
		at := random.IntN(len(text))
		size := min(random.IntN(3000), len(text)-at)
		switch random.IntN(4) {
		case 0:
			text = append(text[:at:at], text[at+size:]...)
		case 1:
			text = append(append(text[:at:at], noise(size)...), text[at:]...)
		case 2:
			piece := bytes.Clone(text[at : at+size])
			text = append(text, piece...)
		default:
			for i := at; i < at+size; i += 1 + random.IntN(40) {
				text[i]++
			}
		}
	}
	return text
}

// pairs are old and new files.
func pairs() map[string][2][]byte {
	book := opticks.Text
	code := make([]byte, 0, 1<<18) // addresses that all move by the same
	for i := range 1 << 15 {
		code = binary.LittleEndian.AppendUint64(code, uint64(i*i)<<20|uint64(random.IntN(9)))
	}
	moved := bytes.Clone(code)
	for i := 2; i < len(moved); i += 8 {
		moved[i] += 16
	}
	return map[string][2][]byte{
		"both empty":  {nil, nil},
		"old empty":   {nil, []byte("new")},
		"new empty":   {[]byte("old"), nil},
		"one byte":    {[]byte("a"), []byte("b")},
		"equal":       {book, book},
		"edited":      {book, edited(book, 40)},
		"more edited": {book, edited(book, 400)},
		"swapped":     {book, append(bytes.Clone(book[70_000:]), book[:70_000]...)},
		"strangers":   {noise(50_000), noise(60_000)},
		"zeros":       {make([]byte, 100_000), append(make([]byte, 70_000), edited(make([]byte, 50_000), 5)...)},
		"code":        {code, moved},
		"shorter":     {book, book[1000:2000]},
	}
}

func TestDiff(t *testing.T) {
	e := engine(t)
	var ours, others int
	for name, pair := range pairs() {
		old, fresh := pair[0], pair[1]
		var patch bytes.Buffer
		told := int64(-1)
		o := bsdiff.Options{Progress: func(done, total int64) {
			require.True(t, done >= told && done <= total && total == int64(len(fresh)), name)
			told = done
		}}
		require.NoError(t, bsdiff.Diff(t.Context(), e, old, fresh, &patch, o), name)
		require.Equal(t, fresh, restored(t, old, patch.Bytes()), name)
		sizes, err := bsdiff.ReadSizes(bytes.NewReader(patch.Bytes()), int64(patch.Len()))
		require.NoError(t, err)
		require.EqualValues(t, len(fresh), sizes.New)
		if len(old) == 0 || len(fresh) == 0 {
			continue // bsdiff takes none
		}
		t.Run(name, func(t *testing.T) {
			ours, others = ours+patch.Len(), others+beside(t, old, fresh, patch.Bytes())
		})
	}
	t.Logf("%d bytes of patches, those of bsdiff %d", ours, others)
}

// beside has bspatch apply a patch, applies that of bsdiff, and returns its length.
func beside(t *testing.T, old, fresh, patch []byte) int {
	bsdiff, bspatch, dir := needed.Program(t, "bsdiff"), needed.Program(t, "bspatch"), t.TempDir()
	path := func(name string, content []byte) string {
		path := filepath.Join(dir, name)
		require.NoError(t, os.WriteFile(path, content, 0o666))
		return path
	}
	was, is, diff, made := path("old", old), path("new", fresh), path("patch", patch), path("made", nil)
	out, err := exec.Command(bspatch, was, made, diff).CombinedOutput()
	require.NoError(t, err, "%s", out)
	got, err := os.ReadFile(made)
	require.NoError(t, err)
	require.True(t, bytes.Equal(fresh, got))
	out, err = exec.Command(bsdiff, was, is, diff).CombinedOutput()
	require.NoError(t, err, "%s", out)
	reference, err := os.ReadFile(diff)
	require.NoError(t, err)
	require.Equal(t, fresh, restored(t, old, reference))
	require.LessOrEqual(t, float64(len(patch)), 1.02*float64(len(reference))+8)
	return len(reference)
}

// restored applies a patch.
func restored(t *testing.T, old, patch []byte) []byte {
	var out bytes.Buffer
	err := bsdiff.Apply(t.Context(), bytes.NewReader(old), int64(len(old)), bytes.NewReader(patch), int64(len(patch)),
		&out)
	require.NoError(t, err)
	return append(out.Bytes(), []byte(nil)...)
}

func TestPlan(t *testing.T) {
	e := engine(t)
	plan, err := bsdiff.Plan(t.Context(), e, 1_000_000, 2_000_000)
	require.NoError(t, err)
	require.GreaterOrEqual(t, plan.Host(), int64(7_000_000))
	_, err = bsdiff.Plan(t.Context(), e, 1<<32, 1)
	var long *suffixcl.LengthError
	require.ErrorAs(t, err, &long)
}

func TestCancelled(t *testing.T) {
	e := engine(t)
	ctx, cancel := context.WithCancel(t.Context())
	o := bsdiff.Options{Progress: func(int64, int64) { cancel() }}
	book := opticks.Text[:100_000]
	require.ErrorIs(t, bsdiff.Diff(ctx, e, book, edited(book, 30), &bytes.Buffer{}, o), context.Canceled)
}

// Damaged patches, and patches of other files, are errors.
func TestDamaged(t *testing.T) {
	e := engine(t)
	old, fresh := opticks.Text[:50_000], edited(opticks.Text[:50_000], 10)
	var patch bytes.Buffer
	require.NoError(t, bsdiff.Diff(t.Context(), e, old, fresh, &patch, bsdiff.Options{}))
	apply := func(old, patch []byte) error {
		return bsdiff.Apply(t.Context(), bytes.NewReader(old), int64(len(old)), bytes.NewReader(patch), int64(len(patch)),
			&bytes.Buffer{})
	}
	var wrong *bsdiff.Error
	whole := patch.Bytes()
	for _, n := range []int{0, 7, 31, 32, 40, len(whole) / 2, len(whole) - 1} {
		require.ErrorAs(t, apply(old, whole[:n]), &wrong, n)
	}
	for _, at := range []int{0, 15, 23, 31, 33, 60} {
		damaged := bytes.Clone(whole)
		damaged[at] ^= 0x81
		require.ErrorAs(t, apply(old, damaged), &wrong, fmt.Sprint(at))
	}
	require.ErrorAs(t, apply(old[:1000], whole), &wrong)
	require.ErrorContains(t, wrong, "of another old file")
}

func FuzzApply(f *testing.F) {
	f.Add([]byte("old"), []byte("BSDIFF40"))
	f.Add([]byte("old"), append([]byte("BSDIFF40"), make([]byte, 24)...))
	f.Fuzz(func(t *testing.T, old, patch []byte) {
		var out bytes.Buffer
		ctx, cancel := context.WithCancel(t.Context())
		defer cancel()
		err := bsdiff.Apply(ctx, bytes.NewReader(old), int64(len(old)), bytes.NewReader(patch), int64(len(patch)), &out)
		if err == nil && len(patch) < 32 {
			t.Fatal("a patch without a header was applied")
		}
	})
}
