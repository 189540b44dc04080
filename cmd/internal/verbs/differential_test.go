package verbs

import (
	"errors"
	"hash/fnv"
	"maps"
	"math/rand/v2"
	"os"
	"slices"
	"strconv"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"github.com/suffixcl/suffixcl/internal/cli/clitest"
	"github.com/suffixcl/suffixcl/internal/testkit/differential"
)

// differentialTime is how long the cases of all verbs take together, unless SUFFIXCL_DIFFERENTIAL says it.
const differentialTime = 20 * time.Second

// Random cases of each verb, beside naive programs. A case that is wrong is made smaller, and told as a command.
func TestDifferential(t *testing.T) {
	clitest.NeedDevice(t)
	budget := differentialTime
	if text := os.Getenv("SUFFIXCL_DIFFERENTIAL"); text != "" {
		var err error
		budget, err = time.ParseDuration(text)
		require.NoError(t, err, "SUFFIXCL_DIFFERENTIAL")
	}
	seed := differentialSeed()
	verbs := differential.Verbs()
	for _, verb := range verbs {
		t.Run(verb, func(t *testing.T) {
			run := func(dir string, args []string) differential.Result {
				r := clitest.Run(t, dir, args...)
				return differential.Result{Code: r.Code, Out: r.Out, Errors: r.Errors}
			}
			end := time.Now().Add(budget / time.Duration(len(verbs)))
			i := uint64(0)
			for ; i == 0 || time.Now().Before(end); i++ {
				err := differential.Check(differential.Random(verb, seed, i), run)
				var wrong *differential.Wrong
				if errors.As(err, &wrong) {
					err = differential.Shrink(wrong, run, 30*time.Second)
				}
				require.NoError(t, err, "case %d of seed %d", i, seed)
			}
			t.Logf("%d cases", i)
		})
	}
}

// differentialSeed is what SUFFIXCL_SEED says: a number, a word, or random.
func differentialSeed() uint64 {
	text := os.Getenv("SUFFIXCL_SEED")
	if text == "random" {
		return rand.Uint64()
	}
	if seed, err := strconv.ParseUint(text, 10, 64); err == nil {
		return seed
	}
	hash := fnv.New64a()
	hash.Write([]byte(text))
	return hash.Sum64()
}

// Each verb has an oracle, or there is a reason why it has none.
func TestDifferentialVerbs(t *testing.T) {
	var all []string
	for _, verb := range Root().Commands() {
		if name := verb.Name(); !verb.Hidden && name != "help" && name != "version" && name != "completion" {
			all = append(all, name)
		}
	}
	slices.Sort(all)
	known := slices.Sorted(slices.Values(append(differential.Verbs(), slices.Collect(maps.Keys(differential.Without))...)))
	assert.Equal(t, all, known)
}
