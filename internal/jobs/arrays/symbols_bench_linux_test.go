package arrays_test

import (
	"bytes"
	"context"
	"encoding/binary"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strconv"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/suffixcl/suffixcl"
	"github.com/suffixcl/suffixcl/internal/testkit/bytepair"
	"github.com/suffixcl/suffixcl/internal/testkit/divsufsort"
	"github.com/suffixcl/suffixcl/internal/testkit/enginetest"
)

// BenchmarkTokens sorts token ids on the device that SUFFIXCL_DEVICE selects: those of a byte-pair code of 32,000 ids
// that is learnt of english.20MB and linux.16MB in SUFFIXCL_CORPORA. With SUFFIXCL_BENCH_LOG2 it also sorts so long a
// text of pieces of them, of 4 to 32 tokens. With each as symbols of 16 bits: as symbols of 32 bits; as symbols of 32
// bits of large values; and libdivsufsort's time for the same number of bytes. Mtokens/s is without transfers, and
// cpu-s processor time, both the best of all runs. SUFFIXCL_BENCH_VERIFY=1 verifies.
func BenchmarkTokens(b *testing.B) {
	dir := os.Getenv("SUFFIXCL_CORPORA")
	if dir == "" {
		b.Skip("SUFFIXCL_CORPORA is not set")
	}
	texts := make([][]byte, 2)
	for i, name := range []string{"english.20MB", "linux.16MB"} {
		var err error
		texts[i], err = os.ReadFile(filepath.Join(dir, name))
		require.NoError(b, err)
	}
	tokens, _ := bytepair.Tokens(32_000, texts...)
	e, err := suffixcl.Open(suffixcl.Options{Algorithm: suffixcl.Algorithm(os.Getenv("SUFFIXCL_ALGORITHM"))})
	require.NoError(b, err)
	defer e.Close()
	all := append(tokens[0], tokens[1]...)
	b.Run("english", func(b *testing.B) { benchmarkTokens(b, e, tokens[0]) })
	b.Run("linux", func(b *testing.B) { benchmarkTokens(b, e, tokens[1]) })
	b.Run("both", func(b *testing.B) { benchmarkTokens(b, e, all) })
	if log, err := strconv.Atoi(os.Getenv("SUFFIXCL_BENCH_LOG2")); err == nil {
		b.Run("pieces", func(b *testing.B) { benchmarkTokens(b, e, piecesOf(all, 1<<log)) })
	}
}

// piecesOf is a text of n tokens, of pieces of another one.
func piecesOf(tokens []uint16, n int) []uint16 {
	rng := rand.New(rand.NewPCG(1, 2))
	text := make([]uint16, 0, n)
	for len(text) < n {
		length := min(4+rng.IntN(29), n-len(text))
		at := rng.IntN(len(tokens) - length)
		text = append(text, tokens[at:at+length]...)
	}
	return text
}

func benchmarkTokens(b *testing.B, e *suffixcl.Engine, tokens []uint16) {
	n := len(tokens)
	measure := func(name string, text suffixcl.Text) {
		b.Run(name, func(b *testing.B) {
			var compute, cpu time.Duration = 1 << 60, 1 << 60
			var stats suffixcl.Stats
			for b.Loop() {
				stats = suffixcl.Stats{}
				before := processorTime()
				r, err := e.Arrays(text, suffixcl.Want{SA: true}).All(suffixcl.WithStats(context.Background(), &stats))
				require.NoError(b, err)
				compute, cpu = min(compute, stats.Compute), min(cpu, processorTime()-before)
				if os.Getenv("SUFFIXCL_BENCH_VERIFY") == "1" {
					require.NoError(b, enginetest.VerifyArrays(context.Background(), e, text, r))
				}
			}
			b.ReportMetric(cpu.Seconds(), "cpu-s")
			b.ReportMetric(float64(n)/compute.Seconds()/1e6, "Mtokens/s")
			b.ReportMetric(float64(stats.PeakBytes)/float64(n), "device-B/token")
		})
	}
	wide, large := make([]uint32, n), make([]uint32, n)
	data := make([]byte, 0, 2*n)
	for i, id := range tokens {
		wide[i], large[i] = uint32(id), uint32(id)*2654435761
		data = binary.LittleEndian.AppendUint16(data, id)
	}
	measure("u16", suffixcl.Tokens16(tokens))
	measure("u32", suffixcl.Tokens32(wide))
	measure("u32/large", suffixcl.Tokens32(large))
	b.Run("libdivsufsort", func(b *testing.B) {
		if _, err := divsufsort.SuffixArray(nil); err != nil || n > 1<<25 {
			b.Skip(err)
		}
		cpu := time.Duration(1 << 60)
		for b.Loop() {
			before := processorTime()
			_, err := divsufsort.SuffixArray(bytes.Clone(data))
			require.NoError(b, err)
			cpu = min(cpu, processorTime()-before)
		}
		b.ReportMetric(cpu.Seconds(), "cpu-s")
	})
}
