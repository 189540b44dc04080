package sdsl

import (
	"bytes"
	"context"
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"index/suffixarray"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/suffixcl/suffixcl/internal/testkit/needed"
)

// sample is a text with a last letter that occurs once, and its suffix array.
type sample struct {
	name string
	text []byte
	sa   []int
}

const last = 0xfa

func newSample(name string, text []byte) sample {
	s := sample{name, append(slices.Clone(text), last), nil}
	for i := range s.text {
		s.sa = append(s.sa, i)
	}
	slices.SortFunc(s.sa, func(a, b int) int { return bytes.Compare(s.text[a:], s.text[b:]) })
	return s
}

func (s sample) transform() (transform []byte) {
	n := len(s.text)
	for _, i := range s.sa {
		transform = append(transform, s.text[(i+n-1)%n])
	}
	return transform
}

func (s sample) encoded(t *testing.T) []byte {
	rows := make([]int, len(s.text))
	for row, i := range s.sa {
		rows[i] = row
	}
	x, err := Encode(t.Context(), Parts{Transform: s.transform(),
		Rows:   func(k int) uint64 { return uint64(s.sa[k*RowsBetween]) },
		Places: func(k int) uint64 { return uint64(rows[k*PlacesBetween]) }})
	require.NoError(t, err, s.name)
	var b bytes.Buffer
	require.NoError(t, x.Write(&b))
	require.Equal(t, x.Size(), int64(b.Len()), s.name)
	return b.Bytes()
}

// samples have the lengths at which vectors end with a word, a block or a superblock, and letters as often as decide
// the shape of the tree.
func samples() (list []sample) {
	rng := rand.New(rand.NewPCG(66, 1))
	random := func(n int, of string) []byte {
		b := make([]byte, n)
		for i := range b {
			b[i] = of[rng.IntN(len(of))]
		}
		return b
	}
	all := make([]byte, 0, 250)
	for c := range 250 {
		all = append(all, byte(c))
	}
	list = append(list, newSample("a letter", []byte("a")), newSample("one letter", bytes.Repeat([]byte("a"), 5000)),
		newSample("all letters", bytes.Repeat(all, 40)), newSample("periodic", bytes.Repeat([]byte("abcab"), 3000)),
		newSample("prose", bytes.Repeat([]byte("the quick brown fox jumps over the lazy dog\n"), 200)))
	doubling := []byte{}
	for c := range 13 {
		doubling = append(doubling, bytes.Repeat([]byte{byte('a' + c)}, 1<<c)...)
	}
	list = append(list, newSample("powers of two", doubling))
	for _, n := range []int{2, 30, 31, 32, 62, 63, 64, 125, 126, 127, 253, 2031, 4062, 4063, 4064, 8127, 16383, 20000} {
		list = append(list, newSample("dna", random(n, "ACGT")), newSample("two", random(n, "ab")))
	}
	for _, n := range []int{300, 40000} {
		list = append(list, newSample("bytes", random(n, string(all))),
			newSample("mostly one", random(n, "aaaaaaaaaaaaaaaaaab")))
	}
	return list
}

// questions are patterns as the program takes them, and what an index answers. None has the smallest letter, which the
// library does not find.
func (s sample) questions(t *testing.T, x *File) (questions, answers string) {
	rng := rand.New(rand.NewPCG(66, uint64(len(s.text))))
	least := slices.Min(s.text)
	for range 12 {
		from := rng.IntN(len(s.text))
		pattern := slices.Clone(s.text[from:min(from+1+rng.IntN(8), len(s.text))])
		if rng.IntN(4) == 0 {
			pattern[0] = last - 1
		}
		row, end := x.Interval(pattern)
		if bytes.IndexByte(pattern, least) >= 0 || end-row > 300 { // which take their time
			continue
		}
		questions += hex.EncodeToString(pattern) + "\n"
		answers += fmt.Sprint(end - row)
		var places []uint64
		for ; row < end; row++ {
			place, err := x.Place(t.Context(), row)
			require.NoError(t, err)
			places = append(places, place)
		}
		slices.Sort(places)
		for _, place := range places {
			answers += fmt.Sprint(" ", place)
		}
		if len(places) > 0 {
			text, err := x.Text(t.Context(), nil, places[0], places[0]+2*uint64(len(pattern)))
			require.NoError(t, err)
			answers += " " + hex.EncodeToString(text)
		}
		answers += "\n"
	}
	return questions, answers
}

// The file is what libsdsl writes, but for seven bits of a block that is none, which the library leaves as they were.
// Both answer the same.
func TestEncodedAsByLibrary(t *testing.T) {
	compiler := needed.Compiler(t, "c++")
	dir := t.TempDir()
	program := filepath.Join(dir, "fm9")
	if out, err := exec.Command(compiler, "-std=c++17", "-DNDEBUG", "-w", "-o", program, "testdata/fm9.cpp", "-lsdsl",
		"-ldivsufsort", "-ldivsufsort64").CombinedOutput(); err != nil {
		needed.Missing(t, "REQUIRE_CC", "sdsl/suffix_arrays.hpp: "+string(out), "libsdsl-dev")
	}
	for _, s := range samples() {
		file := func(name string, data []byte) string {
			path := filepath.Join(dir, name)
			require.NoError(t, os.WriteFile(path, data, 0o644))
			return path
		}
		var text, bwt bytes.Buffer
		require.NoError(t, WriteText(&text, s.text))
		require.NoError(t, WriteText(&bwt, s.transform()))
		array := ArrayHeader(len(s.text))
		for _, i := range s.sa {
			array = append(array, binary.LittleEndian.AppendUint64(nil, uint64(i))[:EntryBytes(len(s.text))]...)
		}
		array = append(array, make([]byte, ArraySize(len(s.text))-int64(len(array)))...)
		out := filepath.Join(dir, "out")
		have := s.encoded(t)
		x, err := Parse(have)
		require.NoError(t, err)
		questions, answers := s.questions(t, x)
		c := exec.Command(program, file("text", text.Bytes()), file("sa", array), file("bwt", bwt.Bytes()), dir, out)
		c.Stdin = strings.NewReader(questions)
		got, err := c.CombinedOutput()
		require.NoError(t, err, "%s: %s", s.name, got)
		assert.Equal(t, answers, string(got), s.name)
		want, err := os.ReadFile(out)
		require.NoError(t, err)
		if x.bits.n%blockBits == 0 { // the class of the last block: 16 bytes of the head, 8 of the bits, 9 of the vector
			at := 33*8 + (x.bits.classes.n-1)*classWidth
			for bit := at; bit < at+classWidth; bit++ {
				want[bit/8] = want[bit/8]&^(1<<(bit%8)) | have[bit/8]&(1<<(bit%8))
			}
		}
		if !bytes.Equal(want, have) {
			at := 0
			for at < min(len(want), len(have)) && want[at] == have[at] {
				at++
			}
			assert.Fail(t, "not as the library writes it", "%s of %d: %d and %d bytes, the first other one is %d", s.name,
				len(s.text), len(want), len(have), at)
		}
	}
}

// What is read answers as the text does.
func TestAnswers(t *testing.T) {
	rng := rand.New(rand.NewPCG(66, 2))
	for _, s := range samples() {
		x, err := Parse(s.encoded(t))
		require.NoError(t, err, s.name)
		n := len(s.text)
		require.Equal(t, uint64(n), x.Len())
		index := suffixarray.New(s.text)
		for range 20 {
			from := rng.IntN(n)
			pattern := slices.Clone(s.text[from:min(from+1+rng.IntN(12), n)])
			if rng.IntN(4) == 0 {
				pattern[rng.IntN(len(pattern))] ^= byte(1 + rng.IntN(255))
			}
			first, end := x.Interval(pattern)
			want := index.Lookup(pattern, -1)
			require.Len(t, want, int(end-first), "%s: %q", s.name, pattern)
			for row := first; row < min(end, first+5); row++ {
				place, err := x.Place(t.Context(), row)
				require.NoError(t, err)
				require.Equal(t, uint64(s.sa[row]), place, "%s: row %d", s.name, row)
			}
			to := min(from+rng.IntN(300), n)
			text, err := x.Text(t.Context(), []byte("before"), uint64(from), uint64(to))
			require.NoError(t, err)
			require.Equal(t, "before"+string(s.text[from:to]), string(text), s.name)
		}
		assert.Equal(t, uint64(n), x.Count(nil))
	}
}

// A damaged file is an error, or an index that ends every question.
func TestDamaged(t *testing.T) {
	rng := rand.New(rand.NewPCG(66, 3))
	whole := newSample("", bytes.Repeat([]byte("the quick brown fox jumps over the lazy dog\n"), 100)).encoded(t)
	refused := 0
	const tries = 500
	for range tries {
		data := slices.Clone(whole)
		switch rng.IntN(3) {
		case 0:
			data = data[:rng.IntN(len(data))]
		case 1:
			data[rng.IntN(len(data))] ^= 1 << rng.IntN(8)
		default:
			binary.LittleEndian.PutUint64(data[rng.IntN(len(data)-8):], rng.Uint64())
		}
		x, err := Parse(data)
		if err != nil {
			var wrong *Error
			require.ErrorAs(t, err, &wrong)
			refused++
			continue
		}
		x.Count([]byte("fox"))
		_, _ = x.Place(t.Context(), rng.Uint64N(x.Len()))
		_, _ = x.Text(t.Context(), nil, 10, 200)
	}
	assert.Greater(t, refused, tries/3)
	_, err := Parse(append(whole, 0))
	assert.ErrorContains(t, err, "follow the index")
	_, err = Parse(nil)
	assert.ErrorContains(t, err, "byte 0: the file ends 8 bytes early")
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	x, err := Parse(whole)
	require.NoError(t, err)
	_, err = x.Text(ctx, nil, 0, x.Len())
	require.ErrorIs(t, err, context.Canceled)
	_, err = Encode(t.Context(), Parts{})
	assert.True(t, strings.Contains(err.Error(), "without letters"))
}
