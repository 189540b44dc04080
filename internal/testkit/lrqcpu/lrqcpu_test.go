package lrqcpu

import (
	"fmt"
	"math"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/suffixcl/suffixcl/conformance"
)

// definition is the longest repeats by Definition 1: every substring is looked at.
func definition(text []byte) *AllRepeats {
	n := len(text)
	occurs := make(map[string]int)
	for i := range n {
		for j := i + 1; j <= n; j++ {
			occurs[string(text[i:j])]++
		}
	}
	a := &AllRepeats{Length: make([]uint32, n), Offsets: make([]uint64, n+1)}
	for k := range n {
		for length := n; length > 0 && a.Length[k] == 0; length-- {
			for i := max(0, k-length+1); i <= min(k, n-length); i++ {
				if occurs[string(text[i:i+length])] > 1 {
					a.Length[k] = uint32(length)
					a.Starts = append(a.Starts, uint32(i))
				}
			}
		}
		a.Offsets[k+1] = uint64(len(a.Starts))
	}
	return a
}

func TestDefinition(t *testing.T) {
	// The paper's example after Definition 1: abc and bc are there, bcd is not, because
	// dd follows. Positions from 0.
	a := definition([]byte("abcabcddbc"))
	require.Equal(t, []uint32{3, 3, 3, 3, 3, 3, 1, 1, 2, 2}, a.Length)
	require.Equal(t, []uint32{0, 0, 0, 3, 3, 3, 6, 7, 8, 8}, a.Starts)
}

func leftmost(a *AllRepeats) []Repeat {
	best := make([]Repeat, len(a.Length))
	for k := range best {
		if a.Length[k] > 0 {
			best[k] = Repeat{a.Starts[a.Offsets[k]], a.Length[k]}
		}
	}
	return best
}

func arrays(text []byte) (rank, lengths []uint32) {
	sa := conformance.ReferenceSuffixArray(text)
	return Rank(sa), conformance.ReferenceLCP(text, sa)
}

func checkCPU(t *testing.T, text []byte, want *AllRepeats) {
	t.Helper()
	rank, lengths := arrays(text)
	if want == nil {
		want = CPU(1).AllCompact(rank, lengths)
	}
	name := fmt.Sprintf("%d characters, %.40q", len(text), text)
	best := leftmost(want)
	require.Equal(t, best, LeftmostOptimal(rank, lengths), name)
	for _, c := range []CPU{1, 3} {
		require.Equal(t, best, c.LeftmostRaw(rank, lengths), name)
		require.Equal(t, best, c.LeftmostCompact(rank, lengths), name)
		for _, got := range []*AllRepeats{c.AllRaw(rank, lengths), c.AllCompact(rank, lengths)} {
			require.Equal(t, want.Length, got.Length, name)
			require.Equal(t, want.Offsets, got.Offsets, name)
			require.Equal(t, len(want.Starts), len(got.Starts), name)
			if len(want.Starts) > 0 {
				require.Equal(t, want.Starts, got.Starts, name)
			}
		}
	}
	raw := CPU(1).Raw(rank, lengths)
	compact := CPU(1).Compact(raw)
	var alpha, beta float64
	for _, length := range raw {
		alpha += float64(length)
	}
	for _, r := range compact {
		beta += float64(r.Length)
	}
	if n := float64(len(text)); n > 0 {
		require.InDelta(t, alpha/n, RawSteps(raw).Mean, 1e-9, name)
		require.LessOrEqual(t, beta, 2*n*math.Log2(n), name)
		require.InDelta(t, beta/n, CompactSteps(compact, len(text)).Mean, 1e-9, name)
	}
}

func TestCPUExhaustive(t *testing.T) {
	for text := range conformance.Exhaustive("ab", 9) {
		checkCPU(t, text, definition(text))
	}
	for text := range conformance.Exhaustive("abc", 6) {
		checkCPU(t, text, definition(text))
	}
}

func TestCPUTexts(t *testing.T) {
	for _, n := range []int{1, 2, 17, 60} {
		for _, text := range conformance.Texts(n, 1) {
			checkCPU(t, text, definition(text))
		}
	}
	for _, text := range conformance.Texts(2000, 1) {
		checkCPU(t, text, nil)
	}
}
