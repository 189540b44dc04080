package decompress

import (
	"bytes"
	"fmt"
	"io"
	"math/rand/v2"
	"runtime"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/stretchr/testify/require"
)

// readOn reads a file on so many processors, and returns how often several were at work.
func readOn(t testing.TB, file io.Reader, processors int) (text []byte, rounds int, err error) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(processors))
	defer func(were int) { cores = were }(cores)
	cores = processors
	d, err := NewReader(file)
	require.NoError(t, err)
	text, err = io.ReadAll(d)
	return text, d.text.(*streams).rounds, err
}

// manyStreams are files of many streams that follow each other, with so many bytes of text; that of bzip2 is short.
func manyStreams(t testing.TB, size int) map[string]string {
	files := map[string]string{"bzip2": strings.Repeat(unhex(t, bzip2Sample), 9000)}
	rng := rand.New(rand.NewPCG(3, 3))
	text := noise(size)
	for at, n := 0, 0; at < len(text); at += n {
		n = 1 + min(rng.IntN(120_000), len(text)-at-1)
		for name, file := range compressed(t, text[at:at+n]) {
			files[name] += file
		}
	}
	delete(files, "lzma") // which has one stream
	return files
}

// Streams that follow each other are read as one processor reads them, also where they are damaged, cut, or followed
// by what is no stream: the text, the error, and its place.
func TestStreams(t *testing.T) {
	rng := rand.New(rand.NewPCG(4, 4))
	for name, file := range manyStreams(t, 3<<19) {
		files := []string{file, file + "garbage", file + strings.Repeat("\x00", 64), file[:len(file)-5],
			file + strings.Repeat("\x00", 4) + file}
		for range 3 {
			at := rng.IntN(len(file) - 100)
			files = append(files, file[:at], file[:at]+"\x00\x00\x00\x00"+file[at:],
				file[:at]+string(rune('a'+rng.IntN(26)))+file[at+1:])
		}
		for i, file := range files {
			want, none, wantErr := readOn(t, strings.NewReader(file), 1)
			require.Zero(t, none)
			for _, r := range []io.Reader{strings.NewReader(file), iotest.HalfReader(strings.NewReader(file))} {
				got, rounds, err := readOn(t, r, 4)
				require.Equal(t, wantErr, err, "%s %d", name, i)
				require.True(t, bytes.Equal(want, got), "%s %d", name, i)
				if i == 0 {
					require.NoError(t, err)
					require.NotZero(t, rounds, "%s: several processors", name)
					require.Less(t, rounds, 1+len(file)/taskBytes)
				}
			}
		}
	}
}

// What gives much more text than it has bytes is not kept in memory.
func TestStreamsOfMuchText(t *testing.T) {
	zeros := strings.Repeat("\x00", 1<<24)
	small := compressed(t, noise(200_000))["gzip"]
	file := strings.Repeat(small, 8) + strings.Repeat(compressed(t, zeros)["gzip"], 8)
	for _, processors := range []int{1, 4} {
		defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(processors))
		d, err := NewReader(strings.NewReader(file))
		require.NoError(t, err)
		n, err := io.Copy(io.Discard, d)
		require.NoError(t, err)
		require.EqualValues(t, 8*200_000+8<<24, n)
		require.EqualValues(t, len(file), d.Offset())
		for _, task := range d.text.(*streams).tasks {
			require.Less(t, len(task.text), 1<<24)
		}
	}
}

// Streams that are longer than what is looked at at first are decompressed at once, too, if some of them fit in memory.
func TestLongStreams(t *testing.T) {
	long := compressed(t, noise(6*windowEach))["gzip"]
	file := strings.Repeat(long, 12)
	for _, processors := range []int{1, 2, 4} {
		text, rounds, err := readOn(t, strings.NewReader(file), processors)
		require.NoError(t, err)
		require.Len(t, text, 12*6*windowEach)
		if processors > 1 {
			require.GreaterOrEqual(t, rounds, 11/(processors+1), processors)
			require.Less(t, rounds, 11, processors)
		}
	}
	s := &streams{long: mostWindow/2 + 1}
	require.Equal(t, 4*windowEach, s.window(4), "two of them do not fit")
	s.long = mostWindow / 8
	require.Equal(t, mostWindow, s.window(16), "some of them fit")
	s.long = 4 * windowEach
	require.Equal(t, 20*windowEach, s.window(4))
}

func BenchmarkStreams(b *testing.B) {
	one := compressed(b, noise(1<<24))
	for kind, files := range map[string]map[string]string{"one": one, "many": manyStreams(b, 1<<24)} {
		for name, file := range files {
			text, _, err := readOn(b, strings.NewReader(file), 1)
			require.NoError(b, err)
			for _, processors := range []int{1, 2, 4, 16, 64} {
				b.Run(fmt.Sprintf("%s/%s/procs=%d", name, kind, processors), func(b *testing.B) {
					b.SetBytes(int64(len(text)))
					defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(processors))
					for b.Loop() {
						d, err := NewReader(strings.NewReader(file))
						require.NoError(b, err)
						_, err = io.Copy(io.Discard, d)
						require.NoError(b, err)
					}
				})
			}
		}
	}
}
