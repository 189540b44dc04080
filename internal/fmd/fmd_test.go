package fmd_test

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math/bits"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/suffixcl/suffixcl/internal/fmd"
)

// encoded is a file of runs.
func encoded(t testing.TB, runs []fmd.Run) []byte {
	var e fmd.Encoder
	for _, r := range runs {
		e.Add(r)
	}
	var out bytes.Buffer
	n, err := e.WriteTo(&out)
	require.NoError(t, err)
	require.EqualValues(t, out.Len(), n)
	return out.Bytes()
}

func decoded(file []byte) (runs []fmd.Run, err error) {
	_, err = fmd.Decode(bytes.NewReader(file), int64(len(file)), func(r fmd.Run) error {
		runs = append(runs, r)
		return nil
	})
	return runs, err
}

// byDefinition writes the file by the definition of the format, with bits as text.
func byDefinition(runs []fmd.Run, superblock int) []byte {
	const letters = 6
	code := func(r fmd.Run) string {
		y := bits.Len64(r.Len) - 1
		z := bits.Len64(uint64(y)+1) - 1
		low := ""
		if y > 0 {
			low = fmt.Sprintf("%0*b", y, r.Len-1<<y)
		}
		return strings.Repeat("0", z) + fmt.Sprintf("%b", y+1) + low + fmt.Sprintf("%03b", r.Letter)
	}
	type block struct {
		first  uint64 // word
		before [letters]uint64
	}
	var (
		words  []uint64
		blocks []block
		now    block
		inside [letters]uint64
	)
	total := func(c [letters]uint64) (n uint64) {
		for _, x := range c {
			n += x
		}
		return n
	}
	put := func(text string) { // of whole words
		for ; text != ""; text = text[64:] {
			var word uint64
			fmt.Sscanf(text[:64], "%b", &word)
			words = append(words, word)
		}
	}
	head := func() {
		n := total(inside)
		c := append([]uint64{n}, inside[:]...)
		var b []byte
		kind := uint64(0)
		for _, x := range c {
			switch {
			case n < 1<<14:
				b = binary.LittleEndian.AppendUint16(b, uint16(x))
			case n < 1<<30:
				kind, b = 1, binary.LittleEndian.AppendUint32(b, uint32(x))
			default:
				kind, b = 2, binary.LittleEndian.AppendUint64(b, x)
			}
		}
		for len(b)%8 != 0 {
			b = append(b, 0)
		}
		now.first = uint64(len(words))
		for i := range inside {
			now.before[i] += inside[i]
		}
		blocks = append(blocks, now)
		for i := 0; i < len(b); i += 8 {
			words = append(words, binary.LittleEndian.Uint64(b[i:]))
		}
		words[now.first] |= kind << 62
		inside = [letters]uint64{}
	}
	head()
	text := ""
	finish := func() {
		text += strings.Repeat("0", 64*(8-(len(words)-int(now.first)))-len(text))
		put(text)
		text = ""
	}
	for _, r := range runs {
		c := code(r)
		free, least := 64*(8-(len(words)-int(now.first)))-len(text), 0
		if (int(now.first)+8)%superblock == 0 {
			least = 64
		}
		if free-least <= 64 && len(c) >= free-least {
			finish()
			head()
		}
		text += c
		inside[r.Letter] += r.Len
	}
	finish()
	head()
	n, nb := total(now.before), uint64(len(words)/8+1)
	shift := 3
	if n >= nb {
		shift = bits.Len64(n/nb) - 1 + 4
	}
	frames := (n+1<<shift-1)>>shift + 1
	file := append([]byte("RLD\x03"), 3, 0, 6, 0, 0, 0, 0, 0, 0, 0, 0, 0)
	for _, x := range append([]uint64{8 * uint64(len(words)), frames}, now.before[:]...) {
		file = binary.LittleEndian.AppendUint64(file, x)
	}
	for _, word := range words {
		file = binary.LittleEndian.AppendUint64(file, word)
	}
	for k := range frames {
		of := block{}
		for _, b := range blocks {
			if total(b.before) < k<<shift {
				of = b
			}
		}
		for _, x := range append([]uint64{of.first}, of.before[:]...) {
			file = binary.LittleEndian.AppendUint64(file, x)
		}
	}
	return file
}

// randomRuns are maximal runs of lengths up to 2^most.
func randomRuns(rng *rand.Rand, n, most int) []fmd.Run {
	runs := make([]fmd.Run, n)
	for i := range runs {
		runs[i] = fmd.Run{Letter: byte(rng.IntN(fmd.Letters)), Len: 1 + rng.Uint64N(1<<rng.IntN(most+1))}
		if i > 0 && runs[i].Letter == runs[i-1].Letter {
			runs[i].Letter = (runs[i].Letter + 1) % fmd.Letters
		}
	}
	return runs
}

func TestFiles(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for _, most := range []int{0, 1, 4, 12, 14, 20, 31, 36, 40} {
		for _, n := range []int{0, 1, 2, 7, 20, 60, 61, 62, 63, 100, 1000} {
			runs := randomRuns(rng, n, most)
			file := encoded(t, runs)
			require.Equal(t, byDefinition(runs, 1<<23), file, "%d runs of up to 2^%d", n, most)
			got, err := decoded(file)
			require.NoError(t, err, "%d runs of up to 2^%d", n, most)
			require.True(t, slices.Equal(runs, got))
		}
	}
}

// No file has more bytes than are told of its rows. One whose runs have a letter each has most of them.
func TestMostBytes(t *testing.T) {
	rng := rand.New(rand.NewPCG(62, 11))
	for _, n := range []int{0, 1, 94, 95, 96, 1000, 300_000} {
		for _, most := range []int{0, 1, 2, 10, 30} {
			runs, rows := randomRuns(rng, n, most), uint64(0)
			for _, r := range runs {
				rows += r.Len
			}
			size := int64(len(encoded(t, runs)))
			require.LessOrEqual(t, size, fmd.MostBytes(rows), "%d runs to %d", n, most)
			if most == 0 && n == 300_000 {
				require.Greater(t, size, fmd.MostBytes(rows)*9/10)
			}
		}
	}
}

// Runs that come in parts are one.
func TestParts(t *testing.T) {
	var parts []fmd.Run
	whole := randomRuns(rand.New(rand.NewPCG(3, 4)), 500, 10)
	for _, r := range whole {
		parts = append(parts, fmd.Run{Letter: r.Letter, Len: r.Len / 2}, fmd.Run{Letter: 5 - r.Letter},
			fmd.Run{Letter: r.Letter, Len: r.Len - r.Len/2})
	}
	require.Equal(t, encoded(t, whole), encoded(t, parts))
}

// Many runs are encoded by all processors, a part at a time. The bytes do not depend on how they come.
func TestManyRuns(t *testing.T) {
	rng := rand.New(rand.NewPCG(11, 12))
	for _, words := range []int{64, 1 << 23} {
		defer fmd.SetSuperblock(uint64(words))()
		runs := randomRuns(rng, 700_000, 5)
		for range 1000 { // counts of 32 bits, and whole blocks of long runs
			runs[rng.IntN(len(runs))].Len += 1 << 14
		}
		want := byDefinition(runs, words)
		require.True(t, bytes.Equal(want, encoded(t, runs)))
		var e fmd.Encoder
		for left := runs; len(left) > 0; {
			n := min(rng.IntN(1<<rng.IntN(20)), len(left))
			if n > 0 && left[n-1].Len > 1 && rng.IntN(2) == 0 { // a run comes in two parts
				first := slices.Clone(left[:n])
				left[n-1].Len = first[n-1].Len / 2
				first[n-1].Len -= left[n-1].Len
				n--
				e.AddAll(first)
			} else {
				e.AddAll(left[:n])
			}
			left = left[n:]
		}
		var out bytes.Buffer
		_, err := e.WriteTo(&out)
		require.NoError(t, err)
		require.True(t, bytes.Equal(want, out.Bytes()))
		require.EqualValues(t, len(runs), e.Runs())
	}
}

// The last word of a superblock is not used.
func TestSuperblock(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 6))
	for _, words := range []int{8, 16, 64} {
		defer fmd.SetSuperblock(uint64(words))()
		runs := randomRuns(rng, 3000, 12)
		file := encoded(t, runs)
		require.Equal(t, byDefinition(runs, words), file)
		got, err := decoded(file)
		require.NoError(t, err)
		require.Equal(t, runs, got)
		for at := words - 1; at < int(binary.LittleEndian.Uint64(file[16:])/8); at += words {
			require.Zero(t, binary.LittleEndian.Uint64(file[80+8*at:]))
		}
	}
	defer fmd.SetSuperblock(8)()
	var e fmd.Encoder
	for range 100 { // whose counts have 64 bits
		e.Add(fmd.Run{Letter: 1, Len: 1 << 30})
		e.Add(fmd.Run{Letter: 2, Len: 1 << 30})
	}
	_, err := e.WriteTo(io.Discard)
	require.ErrorContains(t, err, "2^30 rows")
}

// Blocks are decoded in parts of any size. What is wrong first is told, whatever the parts.
func TestDecodedInParts(t *testing.T) {
	rng := rand.New(rand.NewPCG(13, 14))
	runs := randomRuns(rng, 5000, 16)
	file := encoded(t, runs)
	for _, parts := range [][2]int{{1, 1}, {2, 1}, {7, 2}, {40, 5}, {1000, 1}} {
		restore := fmd.SetDecoded(uint64(parts[0]), parts[1])
		got, err := decoded(file)
		restore()
		require.NoError(t, err, parts)
		require.True(t, slices.Equal(runs, got), parts)
		for range 30 {
			bad := slices.Clone(file)
			for range 1 + rng.IntN(3) {
				bad[rng.IntN(len(bad))] ^= 1 << rng.IntN(8)
			}
			want, wrong := decoded(bad)
			restore := fmd.SetDecoded(uint64(parts[0]), parts[1])
			got, err := decoded(bad)
			restore()
			require.Equal(t, wrong, err, parts)
			require.True(t, slices.Equal(want, got), parts)
		}
	}
}

// A damaged file is an error with its place.
func TestDamaged(t *testing.T) {
	rng := rand.New(rand.NewPCG(7, 8))
	runs := randomRuns(rng, 700, 16)
	file := encoded(t, runs)
	for range 3000 {
		bad := slices.Clone(file)
		switch rng.IntN(3) {
		case 0:
			bad[rng.IntN(len(bad))] ^= 1 << rng.IntN(8)
		case 1:
			bad = bad[:rng.IntN(len(bad))]
		case 2:
			bad = append(bad, make([]byte, 1+rng.IntN(100))...)
		}
		got, err := decoded(bad)
		if err == nil { // bits that nothing depends on
			require.Equal(t, len(file), len(bad))
			assert.True(t, slices.Equal(runs, got) || !bytes.Equal(file, bad))
			continue
		}
		var wrong *fmd.Error
		require.ErrorAs(t, err, &wrong)
	}
	stop := errors.New("enough")
	_, err := fmd.Decode(bytes.NewReader(file), int64(len(file)), func(fmd.Run) error { return stop })
	require.ErrorIs(t, err, stop)
}
