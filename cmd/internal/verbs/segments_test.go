package verbs

import (
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"github.com/suffixcl/suffixcl/internal/cli"
	"github.com/suffixcl/suffixcl/internal/cli/clitest"
	"github.com/suffixcl/suffixcl/seqio"
)

// The segments of random records are what splitting at every other letter gives.
func TestSegments(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for range 300 {
		var text strings.Builder
		var records seqio.Table
		for range rng.IntN(4) {
			offset := text.Len()
			for range rng.IntN(30) {
				text.WriteByte("ACGTUacgtuNn-"[rng.IntN(13)])
			}
			records = append(records, seqio.Record{Offset: offset, Length: text.Len() - offset})
		}
		mask, least := rng.IntN(2) == 0, rng.IntN(4)
		base := func(c byte) bool {
			return strings.IndexByte("ACGTU", c) >= 0 || !mask && strings.IndexByte("acgtu", c) >= 0
		}
		var want seqio.Table
		for _, r := range records {
			for i := r.Offset; i < r.End(); i++ {
				if !base(text.String()[i]) {
					continue
				}
				from := i
				for i < r.End() && base(text.String()[i]) {
					i++
				}
				if i-from >= least {
					want = append(want, seqio.Record{Offset: from, Length: i - from})
				}
			}
		}
		folded := []byte(text.String())
		require.Equal(t, want, segments(folded, records, mask, least))
		for _, r := range want {
			up := strings.ReplaceAll(strings.ToUpper(text.String()[r.Offset:r.End()]), "U", "T")
			require.Equal(t, up, string(folded[r.Offset:r.End()]))
		}
		if len(records) == 1 {
			require.Equal(t, want, segments([]byte(text.String()), nil, mask, least))
		}
	}
}

// Runs of N and masked letters are in no repeat of DNA; letters of both cases match.
func TestRepeatsOfDNA(t *testing.T) {
	clitest.NeedDevice(t)
	dir := t.TempDir()
	clitest.Put(t, dir, "fa", []byte(">a\nNNNNNNACGTTnnnnnnacgttNNNNNN\n>\nNNNNNNNN\n>b\nAAuRacgttC\n"))
	bed := func(more ...string) string {
		args := []string{"repeats", "fa", "--input", "fasta", "--min-length", "3", "--format", "bed"}
		return clitest.Good(t, dir, append(args, more...)...).Out
	}
	assert.Contains(t, bed(), "a\t0\t6\trepeat\t6\n", "bytes as they are")
	assert.Equal(t, "a\t6\t11\trepeat\t5\na\t17\t22\trepeat\t5\nb\t4\t9\trepeat\t5\n", bed("--dna"))
	assert.Empty(t, bed("--dna", "--mask", "lower"))
	assert.Equal(t, "a\t6\t10\trepeat\t4\n", bed("--dna", "--mask", "lower", "--both", "--min-length", "4"))

	clitest.Put(t, dir, "n", []byte("NNNNNNNN-NNNNNNNN"))
	assert.Empty(t, clitest.Good(t, dir, "repeats", "n", "--dna").Out)
	clitest.Put(t, dir, "text", []byte("xxACGxxACGxx"))
	assert.Equal(t, "2\t3\n7\t3\n", clitest.Good(t, dir, "repeats", "text", "--dna", "--top", "2").Out)
	for _, args := range []string{"--mask lower", "--dna --mask upper"} {
		r := clitest.Run(t, dir, append([]string{"repeats", "text"}, strings.Fields(args)...)...)
		assert.Equal(t, cli.ExitUsage, r.Code)
		assert.Contains(t, r.Errors, "--mask")
	}
}

// Records without a name are called by their number, as in the results of searches.
func TestRepeatsOfNamelessRecords(t *testing.T) {
	clitest.NeedDevice(t)
	dir := t.TempDir()
	clitest.Put(t, dir, "fa", []byte(">\nACGT\n> x\nTACGA\n"))
	args := []string{"repeats", "fa", "--input", "fasta", "--min-length", "3"}
	assert.Equal(t, "#1\t0\t0\t3\n#1\t1\t0\t3\n#1\t2\t0\t3\n#2\t1\t1\t3\n#2\t2\t1\t3\n#2\t3\t1\t3\n",
		clitest.Good(t, dir, args...).Out)
	args = append(args, "--format", "bed")
	assert.Equal(t, "#1\t0\t3\trepeat\t3\n#2\t1\t4\trepeat\t3\n", clitest.Good(t, dir, args...).Out)
}
