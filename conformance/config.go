package conformance

import (
	"context"
	"hash/fnv"
	"math/rand/v2"
	"os"
	"strconv"
	"sync"
	"testing"
)

// A Config says how much a suite tries. Start from [Full], [Reduced] or [Tiny]
// and change fields.
//
// A count or size of 0 stands for the value of Full, a negative one for none.
type Config struct {
	// Seed of all generated inputs. 0 stands for what the environment variable SUFFIXCL_SEED says: a number or a word, or
	// "random" for a new one in each process; without it 1.
	Seed uint64

	// Every text of up to MaxExhaustive2 bytes over {a,b}, and of up to
	// MaxExhaustive3 bytes over {a,b,c}, is tried.
	MaxExhaustive2, MaxExhaustive3 int

	// Tile is the tile size (items per work-group) that the implementation was
	// made to use, or a guess; sizes around it are tried.
	Tile int

	// PerSize is the number of inputs tried at each of these sizes. If it is
	// smaller than the number there are, the choice rotates from size to size.
	PerSize int

	// Random is the number of additional small inputs of random size and kind.
	Random int

	// Large is the size of the larger inputs, of which there is one per kind.
	Large int

	// MaxPattern is the longest pattern that searches are given; of longer ones they get the end.
	MaxPattern int

	// maxPermutations bounds the size up to which a verifier is shown all permutations.
	maxPermutations int
}

// everything is larger than the number of inputs of any kind.
const everything = 1 << 30

// Full returns the configuration for implementations that take a millisecond or
// so on small inputs: about 20,000 builds of a suffix array.
func Full() Config {
	return Config{
		MaxExhaustive2:  12,
		MaxExhaustive3:  8,
		Tile:            16,
		PerSize:         everything,
		Random:          500,
		Large:           1 << 20,
		MaxPattern:      everything,
		maxPermutations: 5,
	}
}

// Reduced returns the configuration for slow kernel launches: about a
// twentieth of the builds of Full.
func Reduced() Config {
	return Config{
		MaxExhaustive2:  8,
		MaxExhaustive3:  5,
		Tile:            16,
		PerSize:         6,
		Random:          50,
		Large:           1 << 16,
		MaxPattern:      everything,
		maxPermutations: 4,
	}
}

// Tiny returns the configuration for simulators such as Oclgrind: about 150
// builds, of at most 200 bytes.
func Tiny() Config {
	return Config{
		MaxExhaustive2:  4,
		MaxExhaustive3:  3,
		Tile:            8,
		PerSize:         2,
		Random:          5,
		Large:           200,
		MaxPattern:      everything,
		maxPermutations: 3,
	}
}

// WithDefaults has values in place of the zero fields, as all suites take them.
func (cfg Config) WithDefaults() Config {
	full := Full()
	for _, field := range []struct {
		value  *int
		preset int
	}{
		{&cfg.MaxExhaustive2, full.MaxExhaustive2},
		{&cfg.MaxExhaustive3, full.MaxExhaustive3},
		{&cfg.Tile, full.Tile},
		{&cfg.PerSize, full.PerSize},
		{&cfg.Random, full.Random},
		{&cfg.Large, full.Large},
		{&cfg.MaxPattern, full.MaxPattern},
		{&cfg.maxPermutations, full.maxPermutations},
	} {
		if *field.value == 0 {
			*field.value = field.preset
		}
	}
	if cfg.Seed == 0 {
		cfg.Seed = seed()
	}
	return cfg
}

// seed is the value of SUFFIXCL_SEED.
var seed = sync.OnceValue(func() uint64 { return seedOf(os.Getenv("SUFFIXCL_SEED")) })

// seedOf returns a seed for every text.
func seedOf(text string) uint64 {
	switch text {
	case "":
		return 1
	case "random":
		return rand.Uint64()
	}
	seed, err := strconv.ParseUint(text, 0, 64)
	if err != nil {
		hash := fnv.New64a()
		hash.Write([]byte(text))
		seed = hash.Sum64()
	}
	return max(seed, 1)
}

// A Case is one named part of a suite. Run returns nil if the implementation
// behaved, or an error that says for which input it did not, and how.
type Case struct {
	Name string
	Run  func(ctx context.Context) error
}

// Run runs the cases of a suite as subtests.
func Run(t *testing.T, suite []Case) {
	t.Helper()
	for _, c := range suite {
		t.Run(c.Name, func(t *testing.T) {
			if err := c.Run(t.Context()); err != nil {
				t.Error(err)
			}
		})
	}
}
