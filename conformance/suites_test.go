package conformance

import (
	"bytes"
	"context"
	"errors"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"github.com/suffixcl/suffixcl/internal/testkit/divsufsort"
	"github.com/suffixcl/suffixcl/internal/testkit/needed"
)

// The oracles pass the suites.

// forOracles is Full with large inputs small enough for a quick test.
func forOracles() Config {
	cfg := Full()
	cfg.Large = 1 << 16
	return cfg
}

func divsufsorted(_ context.Context, text []byte) ([]uint32, error) {
	return divsufsort.SuffixArray(text)
}

func TestSuffixArrayPasses(t *testing.T) {
	if _, err := divsufsort.SuffixArray(nil); err != nil {
		needed.Missing(t, "", "libdivsufsort", "libdivsufsort3")
	}
	Run(t, SuffixArray(divsufsorted, forOracles()))
}

func TestBWTPasses(t *testing.T) {
	if _, err := divsufsort.SuffixArray(nil); err != nil {
		needed.Missing(t, "", "libdivsufsort", "libdivsufsort3")
	}
	build := func(_ context.Context, text []byte) ([]byte, int, error) { return divsufsort.BWT(text) }
	Run(t, BWT(build, forOracles()))
}

// invertBWT follows the LF mapping from the end of the text to its start.
func invertBWT(_ context.Context, bwt []byte, primary int) ([]byte, error) {
	n := len(bwt)
	if n == 0 {
		return nil, nil
	}
	var first [257]int // the first row that starts with each byte; row 0 is the end marker's
	for _, c := range bwt {
		first[int(c)+1]++
	}
	first[0] = 1
	for c := 1; c <= 256; c++ {
		first[c] += first[c-1]
	}
	lf := make([]int, n+1)
	for row := range lf {
		if row == primary {
			continue
		}
		c := bwt[row-btoi(row > primary)]
		lf[row] = first[c]
		first[c]++
	}
	text := make([]byte, n)
	for i, row := n-1, 0; i >= 0; i-- {
		text[i] = bwt[row-btoi(row > primary)]
		row = lf[row]
	}
	return text, nil
}

func btoi(b bool) int {
	if b {
		return 1
	}
	return 0
}

func TestBWTInversionPasses(t *testing.T) { Run(t, BWTInversion(invertBWT, forOracles())) }

func TestLCPPasses(t *testing.T) {
	Run(t, LCP(func(_ context.Context, text []byte, sa []uint32) ([]uint32, error) {
		return ReferenceLCP(text, sa), nil
	}, forOracles()))
}

func TestVerifyPasses(t *testing.T) {
	Run(t, Verify(func(_ context.Context, text []byte, sa []uint32) error {
		return CheckSuffixArray(text, sa)
	}, forOracles()))
}

func TestPresetsPass(t *testing.T) {
	build := func(_ context.Context, text []byte) ([]uint32, error) { return ReferenceSuffixArray(text), nil }
	t.Run("reduced", func(t *testing.T) { Run(t, SuffixArray(build, Reduced())) })
	t.Run("tiny", func(t *testing.T) { Run(t, SuffixArray(build, Tiny())) })
	t.Run("none", func(t *testing.T) {
		Run(t, SuffixArray(build, Config{MaxExhaustive2: -1, MaxExhaustive3: -1, Tile: -1, Random: -1, Large: -1}))
	})
}

// Deliberate mistakes fail them.

// failures runs all cases and returns the errors by name.
func failures(cases []Case) map[string]error {
	failed := map[string]error{}
	for _, c := range cases {
		if err := c.Run(context.Background()); err != nil {
			failed[c.Name] = err
		}
	}
	return failed
}

// assertFails wants at least one of the cases to fail, every error to show the
// seed or be that of a text shown in full.
func assertFails(t *testing.T, cases []Case) {
	t.Helper()
	failed := failures(cases)
	assert.NotEmpty(t, failed, "the suite passes a wrong implementation")
	for _, err := range failed {
		assert.ErrorContains(t, err, "seed ")
		t.Log(err)
		break
	}
}

func small() Config {
	cfg := Reduced()
	cfg.MaxExhaustive2, cfg.Large = 6, 5000
	return cfg
}

// sortSuffixes sorts the positions of text by a comparison.
func sortSuffixes(text []byte, compare func(a, b []byte) int) ([]uint32, error) {
	sa := ReferenceSuffixArray(bytes.Repeat([]byte{0}, len(text))) // n-1, …, 0
	slices.SortStableFunc(sa, func(a, b uint32) int { return compare(text[a:], text[b:]) })
	return sa, nil
}

func TestSuffixArrayFails(t *testing.T) {
	var reused []uint32
	errBuild := errors.New("no device")
	for name, build := range map[string]func(text []byte) ([]uint32, error){
		"returns nothing":     func([]byte) ([]uint32, error) { return nil, nil },
		"returns an error":    func([]byte) ([]uint32, error) { return nil, errBuild },
		"returns n+1 entries": func(b []byte) ([]uint32, error) { return append(ReferenceSuffixArray(b), 0), nil },
		"returns n-1 entries": func(b []byte) ([]uint32, error) { return ReferenceSuffixArray(b)[:max(len(b)-1, 0)], nil },
		"has the end marker": func(b []byte) ([]uint32, error) {
			return append([]uint32{uint32(len(b))}, ReferenceSuffixArray(b)...), nil
		},
		"is out of range":     func(b []byte) ([]uint32, error) { return mutate(b, func(sa []uint32) { sa[len(sa)-1]++ }) },
		"fails at n=17":       func(b []byte) ([]uint32, error) { return swapIf(b, len(b) == 17) },
		"fails at tile ends":  func(b []byte) ([]uint32, error) { return swapIf(b, len(b)%16 == 0 && len(b) > 16) },
		"fails above 1000":    func(b []byte) ([]uint32, error) { return swapIf(b, len(b) > 1000) },
		"fails with byte 255": func(b []byte) ([]uint32, error) { return swapIf(b, bytes.IndexByte(b, 255) >= 0) },
		"fails on equal texts": func(b []byte) ([]uint32, error) {
			return swapIf(b, len(b) > 1 && bytes.Count(b, b[:1]) == len(b))
		},
		"compares signed": func(b []byte) ([]uint32, error) {
			signed := slices.Clone(b)
			for i := range signed {
				signed[i] ^= 0x80
			}
			return ReferenceSuffixArray(signed), nil
		},
		"compares 64 bytes": func(b []byte) ([]uint32, error) {
			return sortSuffixes(b, func(x, y []byte) int { return bytes.Compare(x[:min(64, len(x))], y[:min(64, len(y))]) })
		},
		"takes the end for a zero, ties by position": func(b []byte) ([]uint32, error) {
			padded := ReferenceSuffixArray(append(slices.Clone(b), bytes.Repeat([]byte{0}, len(b))...))
			sa := slices.DeleteFunc(padded, func(suffix uint32) bool { return int(suffix) >= len(b) })
			zeros := 0 // suffixes of zeros only, which come first, from the shortest
			for zeros < len(b) && b[len(b)-1-zeros] == 0 {
				zeros++
			}
			slices.Sort(sa[:zeros])
			return sa, nil
		},
		"writes to the text": func(b []byte) ([]uint32, error) {
			sa := ReferenceSuffixArray(b)
			slices.Sort(b)
			return sa, nil
		},
		"reuses its result": func(b []byte) ([]uint32, error) {
			reused = append(reused[:0], ReferenceSuffixArray(b)...)
			return reused, nil
		},
	} {
		t.Run(name, func(t *testing.T) {
			assertFails(t, SuffixArray(func(_ context.Context, text []byte) ([]uint32, error) {
				return build(text)
			}, small()))
		})
	}
}

// mutate returns the suffix array of text, changed unless it is empty.
func mutate(text []byte, change func(sa []uint32)) ([]uint32, error) {
	sa := ReferenceSuffixArray(text)
	if len(sa) > 0 {
		change(sa)
	}
	return sa, nil
}

// swapIf returns the suffix array, with its first and last entry swapped if wrong.
func swapIf(text []byte, wrong bool) ([]uint32, error) {
	return mutate(text, func(sa []uint32) {
		if last := len(sa) - 1; wrong {
			sa[0], sa[last] = sa[last], sa[0]
		}
	})
}

func TestSuffixArrayFailureIsReadable(t *testing.T) {
	build := func(_ context.Context, text []byte) ([]uint32, error) { return swapIf(text, len(text) == 16) }
	failed := failures(SuffixArray(build, Config{
		Tile: 8, PerSize: 1, Seed: 9, Large: -1, Random: -1, MaxExhaustive2: -1, MaxExhaustive3: -1,
	}))
	require.Contains(t, failed, "sizes/n=16")
	assert.Len(t, failed, 1)
	assert.Regexp(t, `^text .+, n=16, seed 9, ".+": sa\[0\] = \d+, want \d+: `+
		`the suffixes agree in \d+ bytes; after \d+ they read ".+", want ".+"$`, failed["sizes/n=16"].Error())
}

func TestCasesHeedTheContext(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	for _, c := range SuffixArray(divsufsorted, small())[:3] {
		assert.ErrorIs(t, c.Run(ctx), context.Canceled, c.Name)
	}
}

func TestBWTFails(t *testing.T) {
	for name, build := range map[string]func(bwt []byte, primary int) ([]byte, int){
		"primary index from 0": func(bwt []byte, primary int) ([]byte, int) { return bwt, max(primary-1, 0) },
		"has the end marker": func(bwt []byte, primary int) ([]byte, int) {
			return slices.Insert(bwt, primary, 0), primary
		},
		"last byte missing": func(bwt []byte, primary int) ([]byte, int) { return bwt[:max(len(bwt)-1, 0)], primary },
		"first byte last": func(bwt []byte, primary int) ([]byte, int) {
			return append(bwt[min(1, len(bwt)):], bwt[:min(1, len(bwt))]...), primary
		},
	} {
		t.Run(name, func(t *testing.T) {
			assertFails(t, BWT(func(_ context.Context, text []byte) ([]byte, int, error) {
				bwt, primary := build(ReferenceBWT(text, ReferenceSuffixArray(text)))
				return bwt, primary, nil
			}, small()))
		})
	}
	t.Run("inversion with a wrong primary index", func(t *testing.T) {
		assertFails(t, BWTInversion(func(ctx context.Context, bwt []byte, primary int) ([]byte, error) {
			return invertBWT(ctx, bwt, max(primary-1, 0))
		}, small()))
	})
}

func TestLCPFails(t *testing.T) {
	assertFails(t, LCP(func(_ context.Context, text []byte, sa []uint32) ([]uint32, error) {
		lcp := ReferenceLCP(text, sa)
		for i := range lcp {
			lcp[i] = min(lcp[i], 255)
		}
		return lcp, nil
	}, small()))
	assertFails(t, LCP(func(_ context.Context, text []byte, sa []uint32) ([]uint32, error) {
		defer clear(sa)
		return ReferenceLCP(text, sa), nil
	}, small()))
}

func TestVerifyFails(t *testing.T) {
	wrong := errors.New("wrong")
	verdict := func(right bool) error {
		if right {
			return nil
		}
		return wrong
	}
	for name, verify := range map[string]func(text []byte, sa []uint32) error{
		"accepts all": func([]byte, []uint32) error { return nil },
		"rejects all": func([]byte, []uint32) error { return wrong },
		"checks permutations only": func(text []byte, sa []uint32) error {
			seen := slices.Clone(sa)
			slices.Sort(seen)
			return verdict(slices.Equal(seen, positions(len(text))))
		},
		"checks order only": func(text []byte, sa []uint32) error {
			for i := range sa {
				if int64(sa[i]) >= int64(len(text)) || i > 0 && bytes.Compare(text[sa[i-1]:], text[sa[i]:]) > 0 {
					return wrong
				}
			}
			return verdict(len(sa) == len(text))
		},
		"checks first bytes only": func(text []byte, sa []uint32) error {
			err := CheckSuffixArray(text, sa)
			if err != nil && len(sa) == len(text) {
				for i := range sa {
					if int(sa[i]) >= len(text) || i > 0 && text[sa[i-1]] > text[sa[i]] {
						return err
					}
				}
				return nil
			}
			return err
		},
		"ignores surplus entries": func(text []byte, sa []uint32) error {
			return CheckSuffixArray(text, sa[:min(len(sa), len(text))])
		},
		"compares in 31 bits": func(text []byte, sa []uint32) error {
			folded := slices.Clone(sa)
			for i := range folded {
				folded[i] &^= 1 << 31
			}
			return CheckSuffixArray(text, folded)
		},
	} {
		t.Run(name, func(t *testing.T) {
			assertFails(t, Verify(func(_ context.Context, text []byte, sa []uint32) error {
				return verify(text, sa)
			}, small()))
		})
	}
}

func positions(n int) []uint32 {
	list := make([]uint32, n)
	for i := range list {
		list[i] = uint32(i)
	}
	return list
}

func TestConfig(t *testing.T) {
	full := Full()
	full.Seed = 1
	assert.Equal(t, full, Config{}.WithDefaults())
	assert.Equal(t, -1, Config{Large: -1}.WithDefaults().Large)

	assert.Equal(t, uint64(3), Config{Seed: 3}.WithDefaults().Seed)
	for text, want := range map[string]uint64{"": 1, "0": 1, "7": 7, "0x10": 16, "18446744073709551615": 1<<64 - 1} {
		assert.Equal(t, want, seedOf(text), text)
	}
	assert.NotEqual(t, seedOf("one word"), seedOf("another"))
	assert.NotEqual(t, seedOf("random"), seedOf("random"))
}
