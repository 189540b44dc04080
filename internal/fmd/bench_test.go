package fmd_test

import (
	"bytes"
	"io"
	"math/rand/v2"
	"testing"

	"github.com/suffixcl/suffixcl/internal/fmd"
)

// someRuns are runs as genomes have them: half are of one letter, few are long.
func someRuns(n int) []fmd.Run {
	rng := rand.New(rand.NewPCG(9, 10))
	runs := randomRuns(rng, n, 0)
	for i := range runs {
		for rng.IntN(2) == 0 && runs[i].Len < 1<<12 {
			runs[i].Len = 2*runs[i].Len + uint64(rng.IntN(2))
		}
	}
	return runs
}

func BenchmarkEncode(b *testing.B) {
	runs := someRuns(1 << 22)
	b.SetBytes(int64(len(runs))) // so that MB/s are runs
	for b.Loop() {
		var e fmd.Encoder
		e.AddAll(runs)
		if _, err := e.WriteTo(io.Discard); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkEncodeOneByOne(b *testing.B) {
	runs := someRuns(1 << 22)
	b.SetBytes(int64(len(runs)))
	for b.Loop() {
		var e fmd.Encoder
		for _, r := range runs {
			e.Add(r)
		}
		if _, err := e.WriteTo(io.Discard); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkDecode(b *testing.B) {
	runs := someRuns(1 << 26)
	var e fmd.Encoder
	e.AddAll(runs)
	var file bytes.Buffer
	if _, err := e.WriteTo(&file); err != nil {
		b.Fatal(err)
	}
	b.SetBytes(int64(len(runs))) // so that MB/s are runs
	for b.Loop() {
		_, err := fmd.DecodeParts(bytes.NewReader(file.Bytes()), int64(file.Len()), func(...[]fmd.Run) error { return nil })
		if err != nil {
			b.Fatal(err)
		}
	}
}
