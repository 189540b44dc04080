package cli

import (
	"bytes"
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/suffixcl/suffixcl/seqio"
)

// gzipped is a text in a member.
func gzipped(t testing.TB, text []byte) []byte {
	var b bytes.Buffer
	z, err := gzip.NewWriterLevel(&b, gzip.BestSpeed)
	require.NoError(t, err)
	_, err = z.Write(text)
	require.NoError(t, err)
	require.NoError(t, z.Close())
	return b.Bytes()
}

// genomeText is FASTA of so many bytes about.
func genomeText(size int, seed uint64) []byte {
	rng := rand.New(rand.NewPCG(seed, 0))
	text := fmt.Appendf(nil, ">genome%d\n", seed)
	line := make([]byte, 61)
	for len(text) < size {
		for i := range line[:60] {
			line[i] = "ACGT"[rng.IntN(4)]
		}
		line[60] = '\n'
		text = append(text, line...)
	}
	return text
}

// putFiles writes files and returns their names.
func putFiles(t testing.TB, files ...[]byte) (names []string) {
	dir := t.TempDir()
	for i, data := range files {
		names = append(names, filepath.Join(dir, fmt.Sprint(i)))
		require.NoError(t, os.WriteFile(names[i], data, 0o600))
	}
	return names
}

// asOne is how files are read whose records come one after the other.
var asOne = InputOptions{Sequences: seqio.Options{Separator: []byte{'\n'}}, PlainFlag: "--plain"}

// told is what is known of files that are opened by next until there is an error: their records, and the error.
func told(ctx context.Context, next func() (*Input, error)) string {
	var all []byte
	for {
		in, err := next()
		if err != nil {
			return fmt.Sprintf("%s%v", all, err)
		}
		all = fmt.Appendln(all, in.Name, in.Compression, in.Format, in.Size, in.Length, in.Notes)
		text, err := in.ReadAll(ctx, nil, nil)
		all = fmt.Appendln(append(all, text...), err, in.Offset(), in.RecordCount)
		in.Close()
		if err != nil {
			return string(all)
		}
	}
}

// Files that are read ahead have the text, the notes and the errors of files that are read one after the other,
// whatever the room.
func TestFilesAhead(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(3))
	long := bytes.Repeat(genomeText(1<<16, 1), 40) // more than two parts
	large, small := gzipped(t, long), gzipped(t, genomeText(100, 2))
	wrong := gzipped(t, append(bytes.Clone(long), ">\x00\n\x01\n"...))
	good := putFiles(t, large, small, genomeText(1000, 4), gzipped(t, nil), large, []byte("\x1f\x8b but no gzip"), small)
	bad := putFiles(t, large[:len(large)/2], wrong, append(bytes.Clone(small), 1, 2), large[:12])
	for _, list := range [][]string{
		good, append(good[:3:3], bad[0], bad[1]), append(good[:2:2], bad[1], bad[0]), append(good[:1:1], bad[2], bad[0]),
		append(good[:2:2], "none", bad[0]), append(good[:2:2], t.TempDir(), "none"), {bad[3]}, nil,
	} {
		at := 0
		want := told(t.Context(), func() (*Input, error) {
			if at == len(list) {
				return nil, io.EOF
			}
			at++
			return OpenText(t.Context(), list[at-1], asOne)
		})
		for _, room := range []int64{0, 2 * partAhead, 1 << 30} {
			f := NewFilesAhead(t.Context(), list, asOne, room)
			require.Equal(t, want, told(t.Context(), f.Next), "%v, room %d", list, room)
			f.Close()
			require.Zero(t, f.held)
		}
	}
}

// No more is read ahead than there is room for, and room goes first to what is needed first. Closing, and the end of
// the context, end all reading at any time.
func TestFilesAheadEnds(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(4))
	file := gzipped(t, bytes.Repeat(genomeText(1<<16, 1), 12<<4))
	names := putFiles(t, file, file, file, file)
	const room = 8
	for _, canceled := range []bool{false, true} {
		ctx, cancel := context.WithCancelCause(t.Context())
		ended := errors.New("ended")
		f := NewFilesAhead(ctx, names, asOne, room*partAhead)
		in, err := f.Next()
		require.NoError(t, err)
		require.Eventually(t, func() bool {
			f.mu.Lock()
			defer f.mu.Unlock()
			assert.LessOrEqual(t, int64(f.held)*partAhead, int64(room+partsOfTurn+1)*partAhead)
			return f.held >= room
		}, time.Minute, time.Millisecond)
		f.mu.Lock()
		assert.LessOrEqual(t, len(f.files[3].parts), room/4)
		f.mu.Unlock()
		if canceled {
			cancel(ended)
			_, err = in.ReadAll(ctx, nil, nil)
			require.ErrorIs(t, err, ended)
			_, err = f.Next()
			require.ErrorIs(t, err, ended)
		}
		in.Close()
		f.Close()
		f.working.Wait()
		cancel(nil)
	}
}

// BenchmarkFilesAhead reads eight compressed genomes of 20 MB of text, as pangenome build does.
func BenchmarkFilesAhead(b *testing.B) {
	var files [][]byte
	size := 0
	for i := range 8 {
		text := genomeText(20<<20, uint64(i))
		size += len(text)
		files = append(files, gzipped(b, text))
	}
	names := putFiles(b, files...)
	for _, processors := range []int{1, 2, 4, 16} {
		for _, ahead := range []bool{false, true} {
			b.Run(fmt.Sprintf("ahead=%v/procs=%d", ahead, processors), func(b *testing.B) {
				defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(processors))
				b.SetBytes(int64(size))
				for b.Loop() {
					list := names
					if ahead {
						list = nil
					}
					f := NewFilesAhead(b.Context(), names[len(list):], asOne, 1<<30)
					batch := seqio.Batch{Text: make([]byte, 0, size)}
					for {
						in, err := f.Next()
						if len(list) > 0 {
							in, err = OpenText(b.Context(), list[0], asOne)
							list = list[1:]
						}
						if err != nil {
							break
						}
						for more := error(nil); more == nil; more = in.Sequences().More(&batch, ReadChunk) {
						}
						in.Close()
					}
					f.Close()
				}
			})
		}
	}
}
