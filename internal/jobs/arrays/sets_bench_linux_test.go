package arrays_test

import (
	"bytes"
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"strconv"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/suffixcl/suffixcl"
	"github.com/suffixcl/suffixcl/internal/testkit/corpora"
	"github.com/suffixcl/suffixcl/internal/testkit/divsufsort"
	"github.com/suffixcl/suffixcl/internal/testkit/enginetest"
	"github.com/suffixcl/suffixcl/internal/testkit/synthetic"
)

// BenchmarkSet sorts sets on the device that SUFFIXCL_DEVICE selects: reads of 100 bases of a genome, as many as
// SUFFIXCL_BENCH_READS says, 2 for each 100 bases of it, with errors; and the lines of each text of SUFFIXCL_CORPORA.
// It makes suffix array and document array, with SUFFIXCL_BENCH_LCP=1 the LCP array, too. With each: the same bytes as
// one text; as symbols of 32 bits, of which no two terminators are the same; and libdivsufsort's time. cpu-s is
// processor time, the best of all runs; device-MB/s is without transfers. SUFFIXCL_BENCH_VERIFY=1 verifies.
func BenchmarkSet(b *testing.B) {
	count, err := strconv.Atoi(os.Getenv("SUFFIXCL_BENCH_READS"))
	if err != nil {
		count = 10000
	}
	e, err := suffixcl.Open(suffixcl.Options{Algorithm: suffixcl.Algorithm(os.Getenv("SUFFIXCL_ALGORITHM"))})
	require.NoError(b, err)
	defer e.Close()
	b.Run(fmt.Sprintf("reads/%d", count), func(b *testing.B) { benchmarkSet(b, e, sampledReads(b, count, 100)) })
	if os.Getenv("SUFFIXCL_CORPORA") == "" {
		return
	}
	for name, text := range corpora.OrOpticks(b) {
		b.Run(name+"/lines", func(b *testing.B) {
			c, err := suffixcl.SplitText(text, '\n')
			require.NoError(b, err)
			benchmarkSet(b, e, c)
		})
	}
}

// sampledReads are reads of a genome of half as many bases, of which one of 200 is wrong.
func sampledReads(b *testing.B, count, length int) *suffixcl.Collection {
	genome := make([]byte, max(count*length/2, 2*length))
	made, err := synthetic.Parse(fmt.Sprintf("genome.%d", len(genome)))
	require.NoError(b, err)
	made.Make(genome)
	rng := rand.New(rand.NewPCG(1, 2))
	text, ends := make([]byte, 0, count*(length+1)), make([]uint32, count)
	for k := range ends {
		at := rng.IntN(len(genome) - length)
		text = append(text, genome[at:at+length]...)
		if k%2 == 0 {
			text[len(text)-1-rng.IntN(length)] = "ACGT"[rng.IntN(4)]
		}
		ends[k] = uint32(len(text))
		text = append(text, '\n')
	}
	c, err := suffixcl.NewCollection(text, ends)
	require.NoError(b, err)
	return c
}

func benchmarkSet(b *testing.B, e *suffixcl.Engine, c *suffixcl.Collection) {
	want := suffixcl.Want{SA: true, Documents: true, LCP: os.Getenv("SUFFIXCL_BENCH_LCP") == "1"}
	measure := func(name string, text suffixcl.Text, want suffixcl.Want) {
		b.Run(name, func(b *testing.B) {
			b.SetBytes(int64(c.Len()))
			var compute, cpu time.Duration = 1 << 60, 1 << 60
			var stats suffixcl.Stats
			for b.Loop() {
				stats = suffixcl.Stats{}
				before := processorTime()
				r, err := e.Arrays(text, want).All(suffixcl.WithStats(context.Background(), &stats))
				require.NoError(b, err)
				compute, cpu = min(compute, stats.Compute), min(cpu, processorTime()-before)
				if os.Getenv("SUFFIXCL_BENCH_VERIFY") == "1" {
					require.NoError(b, enginetest.VerifyArrays(context.Background(), e, text, r))
				}
			}
			b.ReportMetric(cpu.Seconds(), "cpu-s")
			b.ReportMetric(float64(c.Len())/compute.Seconds()/1e6, "device-MB/s")
			b.ReportMetric(float64(stats.PeakBytes)/float64(c.Len()), "device-B/char")
		})
	}
	measure("set", suffixcl.Set(c), want)
	want.Documents = false
	measure("text", suffixcl.Bytes(c.Bytes()), want)
	if c.Len() <= 1<<28 {
		measure("symbols", suffixcl.Tokens32(symbolsOfSet(c)), want)
	}
	b.Run("libdivsufsort", func(b *testing.B) {
		if c.Len() > 1<<28 {
			b.Skip("too long to wait for")
		}
		if _, err := divsufsort.SuffixArray(nil); err != nil {
			b.Skip(err)
		}
		b.SetBytes(int64(c.Len()))
		cpu := time.Duration(1 << 60)
		for b.Loop() {
			before := processorTime()
			_, err := divsufsort.SuffixArray(bytes.Clone(c.Bytes()))
			require.NoError(b, err)
			cpu = min(cpu, processorTime()-before)
		}
		b.ReportMetric(cpu.Seconds(), "cpu-s")
	})
}

// symbolsOfSet are the letters and terminators of a set, of which no two are the same.
func symbolsOfSet(c *suffixcl.Collection) []uint32 {
	symbols := make([]uint32, 0, c.Len())
	for k := range c.Count() {
		for _, letter := range c.Text(k) {
			symbols = append(symbols, uint32(c.Count())+uint32(letter))
		}
		symbols = append(symbols, uint32(k))
	}
	return symbols
}

// processorTime is that of the process.
func processorTime() time.Duration {
	var used syscall.Rusage
	if syscall.Getrusage(syscall.RUSAGE_SELF, &used) != nil {
		return 0
	}
	return time.Duration(used.Utime.Nano() + used.Stime.Nano())
}
