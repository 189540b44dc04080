package verbs

import (
	"encoding/json"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"github.com/suffixcl/suffixcl/internal/cli/clitest"
	"github.com/suffixcl/suffixcl/internal/testkit/verbcases"
)

// The calls that "suffixcl-lab bench verbs" measures run on their inputs, and tell how long they took. A run has half
// of them, at random, unless SUFFIXCL_SOAK is 1.
func TestMeasuredCalls(t *testing.T) {
	clitest.NeedDevice(t)
	dir := t.TempDir()
	for _, c := range verbcases.All() {
		if os.Getenv("SUFFIXCL_SOAK") != "1" && rand.IntN(2) == 0 {
			continue
		}
		require.NoError(t, c.Make(dir, 20_000))
		for _, call := range c.Before {
			clitest.Good(t, dir, append(call, "-q")...)
		}
		require.NoError(t, os.RemoveAll(filepath.Join(dir, "out"))) // a file or a folder of another case
		var told struct{ Seconds struct{ Total float64 } }
		out := clitest.Good(t, dir, append(c.Call(), "-q", "--json")...).Out
		require.NoError(t, json.Unmarshal([]byte(out), &told), c.Name())
		assert.Positive(t, told.Seconds.Total, c.Name())
	}
}

// tallyWriter takes all, and counts it.
type tallyWriter struct{ bytes, writes int }

func (c *tallyWriter) Write(p []byte) (int, error) {
	c.bytes += len(p)
	c.writes++
	return len(p), nil
}

// BenchmarkWriters writes results of 2 Mi things to nowhere.
func BenchmarkWriters(b *testing.B) {
	for _, writer := range resultWriters(b, 1, 1<<21) {
		b.Run(strings.ReplaceAll(writer.name, " ", "-"), func(b *testing.B) {
			var counted tallyWriter
			for b.Loop() {
				counted = tallyWriter{}
				require.NoError(b, writer.write(&counted))
			}
			b.SetBytes(int64(counted.bytes))
			b.ReportMetric(float64(counted.writes), "writes")
			b.ReportAllocs()
		})
	}
}
