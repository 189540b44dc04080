package seqio

import (
	"bytes"
	"fmt"
	"io"
	"math/rand/v2"
	"runtime"
	"testing"

	"github.com/stretchr/testify/require"
)

// madeFile is a file of a format with so many bytes about, whose records have so many letters.
func madeFile(format Format, size, length int) []byte {
	rng := rand.New(rand.NewPCG(1, uint64(length)))
	var file bytes.Buffer
	letters := make([]byte, length)
	quality := bytes.Repeat([]byte("I"), length)
	for k := 0; file.Len() < size; k++ {
		for i := range letters {
			letters[i] = "ACGT"[rng.IntN(4)]
		}
		switch format {
		case FASTA:
			fmt.Fprintf(&file, ">read%d of some\n", k)
			for at := 0; at < length; at += 60 {
				file.Write(letters[at:min(at+60, length)])
				file.WriteByte('\n')
			}
		case FASTQ:
			fmt.Fprintf(&file, "@read%d of some\n%s\n+\n%s\n", k, letters, quality)
		case jsonLines:
			fmt.Fprintf(&file, "{\"id\":%d,\"text\":\"a line\\n%s\"}\n", k, letters)
		default:
			fmt.Fprintf(&file, "%s\n", letters)
		}
	}
	return file.Bytes()
}

// readerOf reads a file of a format, that of ReadJSONLines included.
func readerOf(t testing.TB, file []byte, format Format) *Reader {
	o := Options{Format: format, DNA: true, Upper: true, Separator: []byte("\n")}
	d, err := NewReader(bytes.NewReader(file), o)
	require.NoError(t, err)
	if format == jsonLines {
		d.parser.field = "text"
	}
	return d
}

// BenchmarkReader reads batches into the same memory.
func BenchmarkReader(b *testing.B) {
	for _, format := range []Format{FASTA, FASTQ, Lines, jsonLines} {
		name := append(formatNames[:], "json")[format]
		for _, length := range []int{10, 100, 10_000, 10_000_000} {
			file := madeFile(format, 32<<20, length)
			for _, processors := range []int{1, 2, 4, 16, 64} {
				b.Run(fmt.Sprintf("%s/length=%d/procs=%d", name, length, processors), func(b *testing.B) {
					defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(processors))
					b.SetBytes(int64(len(file)))
					b.ReportAllocs()
					var batch Batch
					for b.Loop() {
						var err error
						for d := readerOf(b, file, format); err == nil; err = d.Next(&batch, 8<<20) {
						}
						require.Equal(b, io.EOF, err)
					}
				})
			}
		}
	}
}
