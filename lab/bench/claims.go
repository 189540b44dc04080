package bench

import (
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"

	"github.com/suffixcl/suffixcl"
	"github.com/suffixcl/suffixcl/internal/dc3"
	"github.com/suffixcl/suffixcl/internal/doubling"
)

// key is what rows of different algorithms or parameters share.
type key struct {
	text       string
	characters int
}

// timesOf are the seconds of rows by text, for those that choose accepts.
func timesOf(rows []PaperRow, choose func(PaperRow) bool) map[key]float64 {
	times := map[key]float64{}
	for _, r := range rows {
		if r.Seconds > 0 && choose(r) {
			times[key{r.Text, r.Characters}] = r.Seconds
		}
	}
	return times
}

func algorithm(name string) func(PaperRow) bool {
	return func(r PaperRow) bool { return r.Algorithm == name }
}

func at(x int) func(PaperRow) bool { return func(r PaperRow) bool { return r.X == x } }

// notMeasured is what stands where there is nothing to compare.
const notMeasured = "not measured"

// over says how many times the times a are those of b.
func over(a, b map[key]float64) string {
	low, high, sum, count := math.Inf(1), 0.0, 0.0, 0
	for k, t := range a {
		if other, ok := b[k]; ok {
			q := t / other
			low, high, sum, count = min(low, q), max(high, q), sum+math.Log(q), count+1
		}
	}
	switch count {
	case 0:
		return notMeasured
	case 1:
		return fmt.Sprintf("%.2f", low)
	}
	return fmt.Sprintf("%.2f-%.2f, geometric mean %.2f", low, high, math.Exp(sum/float64(count)))
}

// claimRatios puts the ratios of times that were measured next to those that a paper prints.
func claimRatios(ratios []ratio, rows []PaperRow) []PaperClaim {
	var claims []PaperClaim
	for _, r := range ratios {
		claims = append(claims, PaperClaim{"time of " + r.Slow + " over " + r.Fast, r.Printed,
			over(timesOf(rows, algorithm(r.Slow)), timesOf(rows, algorithm(r.Fast)))})
	}
	return claims
}

func claimsH0(rows []PaperRow) []PaperClaim {
	best := map[key]PaperRow{}
	for _, r := range rows {
		k := key{r.Text, r.Characters}
		if b, ok := best[k]; r.Seconds > 0 && (!ok || r.Seconds < b.Seconds) {
			best[k] = r
		}
	}
	wins := map[int]int{}
	for _, r := range best {
		wins[r.X]++
	}
	var here []string
	for _, x := range slices.Sorted(maps.Keys(wins)) {
		here = append(here, fmt.Sprintf("%d (texts: %d)", x, wins[x]))
	}
	if here == nil {
		here = []string{notMeasured}
	}
	eight := timesOf(rows, at(8))
	return []PaperClaim{
		{"fastest h0", "8 on all five texts", strings.Join(here, ", ")},
		{"time with h0 1 over 8", "falls from 1 to 8", over(timesOf(rows, at(1)), eight)},
		{"time with h0 32 over 8", "rises from 8 to 32", over(timesOf(rows, at(32)), eight)},
	}
}

func claimsR1(rows []PaperRow) []PaperClaim {
	base := timesOf(rows, at(256))
	return []PaperClaim{
		{"time with R1 2048 over 256", "rises slightly with R1; 256 is chosen", over(timesOf(rows, at(2048)), base)},
		{"time with R1 64 over 256", "a small R1 is favourable", over(timesOf(rows, at(64)), base)},
	}
}

func claimsR2(rows []PaperRow) []PaperClaim {
	base := timesOf(rows, at(65536))
	return []PaperClaim{
		{"time with R2 4096 over 65536", "drops significantly up to 65536", over(timesOf(rows, at(4096)), base)},
		{"time with R2 262144 over 65536", "almost constant after 65536", over(timesOf(rows, at(262144)), base)},
	}
}

// claimsBreakdown compares shares, in the mean over the texts.
func claimsBreakdown(rows []PaperRow) []PaperClaim {
	share := func(name string, phases ...string) string {
		texts, sum := map[key]bool{}, 0.0
		for _, r := range rows {
			if r.Algorithm == name {
				texts[key{r.Text, r.Characters}] = true
				if slices.Contains(phases, r.Phase) {
					sum += r.Share
				}
			}
		}
		if sum == 0 {
			return notMeasured
		}
		return fmt.Sprintf("%.0f %%", 100*sum/float64(len(texts)))
	}
	return []PaperClaim{
		{"gpu-ls: initial sorting, S, M and L", "about one half", share(gpuLSPaper,
			doubling.PhaseInitial, doubling.PhaseSmall, doubling.PhaseMedium, doubling.PhaseLarge)},
		{"gpu-ls: ISA update and group processing", "the two largest", share(gpuLSPaper,
			doubling.PhaseISA, doubling.PhaseGroups)},
		{"deo-keely: merge", "the largest", share(string(suffixcl.AlgorithmDeoKeely), dc3.PhaseMerge)},
		{"deo-keely: radix sort", "the second", share(string(suffixcl.AlgorithmDeoKeely), dc3.PhaseSort)},
		{"deo-keely: compute rank and other", "no more than 20 %",
			share(string(suffixcl.AlgorithmDeoKeely), dc3.PhaseRank, dc3.PhaseOther)},
	}
}

// growth is the throughput at the shortest and the longest text.
func growth(rows []PaperRow, name string) string {
	var first, last PaperRow
	for _, r := range rows {
		if r.Algorithm == name && r.Seconds > 0 {
			if first.X == 0 || r.X < first.X {
				first = r
			}
			if r.X > last.X {
				last = r
			}
		}
	}
	if first.X == 0 {
		return notMeasured
	}
	return fmt.Sprintf("%.1f MB/s at %d characters, %.1f at %d", first.MBps, first.X, last.MBps, last.X)
}

func claimsSizes(rows []PaperRow) []PaperClaim {
	const paper = "rises; needs many millions of characters"
	return []PaperClaim{
		{"hybrid", paper, growth(rows, string(suffixcl.AlgorithmHybrid))},
		{"skew", paper, growth(rows, string(suffixcl.AlgorithmSkew))},
	}
}

func claimsSame(rows []PaperRow) []PaperClaim {
	var long int
	for _, r := range rows {
		if r.Seconds > 0 {
			long = max(long, r.X)
		}
	}
	ofLong := func(name string) map[key]float64 {
		return timesOf(rows, func(r PaperRow) bool { return r.Algorithm == name && r.X == long })
	}
	return []PaperClaim{
		{"time of skew over hybrid", "1.14 at 10 MB; hybrid faster, except for very large texts",
			over(timesOf(rows, algorithm(string(suffixcl.AlgorithmSkew))),
				timesOf(rows, algorithm(string(suffixcl.AlgorithmHybrid))))},
		{fmt.Sprintf("the same at %d characters", long), "",
			over(ofLong(string(suffixcl.AlgorithmSkew)), ofLong(string(suffixcl.AlgorithmHybrid)))},
	}
}
