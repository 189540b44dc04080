// Package strands makes the text that the indexes of bwa and minibwa share: a reference as bases 0 to 3, followed by
// its reverse complement.
package strands

import (
	"context"
	"encoding/binary"
	"fmt"
	"slices"
	"sync/atomic"

	"github.com/suffixcl/suffixcl"
	"github.com/suffixcl/suffixcl/device"
	"github.com/suffixcl/suffixcl/formats/internal/indexfiles"
	"github.com/suffixcl/suffixcl/formats/internal/sorted"
	"github.com/suffixcl/suffixcl/internal/addressspace"
	"github.com/suffixcl/suffixcl/internal/parallel"
	"github.com/suffixcl/suffixcl/internal/twobit"
	"github.com/suffixcl/suffixcl/seqio"
)

// MaxBases is the longest reference: both strands are sorted as one text.
const MaxBases = sorted.MaxLen / 2

// Seed is the seed of the random bases, which stand for letters that are no bases.
const Seed = 11

// Other is the code of a letter that is no base.
const Other = 4

// codes has the base of each letter, or Other. U is no base.
var codes = func() (codes [256]byte) {
	for c := range codes {
		codes[c] = Other
	}
	for code, letters := range []string{"Aa", "Cc", "Gg", "Tt"} {
		codes[letters[0]], codes[letters[1]] = byte(code), byte(code)
	}
	return codes
}()

// Text is the bases of both strands, [2n]byte.
type Text []byte

// New returns a text with the codes of the letters, and without the other strand. Errors: no bases, or more than
// MaxBases, as a *suffixcl.LengthError. The errors name the program.
func New(program string, letters []byte) (Text, error) {
	n := len(letters)
	if n == 0 {
		return nil, fmt.Errorf("%s: the reference has no bases", program)
	}
	if n > MaxBases {
		what := "reference, of which " + program + " indexes both strands,"
		return nil, &suffixcl.LengthError{What: what, Len: n, Max: MaxBases}
	}
	t := Text(addressspace.Make[byte](2 * n))
	parallel.Do(n, 1<<16, func(lo, hi int) {
		for i, letter := range letters[lo:hi] {
			t[lo+i] = codes[letter]
		}
	})
	return t, nil
}

// Len is the number of bases of a strand.
func (t Text) Len() int { return len(t) / 2 }

// Forward is the strand of the reference.
func (t Text) Forward() []byte { return t[:t.Len()] }

// Complement makes the other strand.
func (t Text) Complement() { twobit.ReverseComplement(t[t.Len():], t.Forward()) }

// Sequences returns the sequences of the records of FASTA.
func Sequences(records seqio.Table) []indexfiles.Sequence {
	all := make([]indexfiles.Sequence, len(records))
	for i, record := range records {
		name, comment := indexfiles.Header(record.Name)
		all[i] = indexfiles.Sequence{Name: name, Comment: comment, Offset: record.Offset, Length: record.Length}
	}
	return all
}

// want keeps the entries at this distance. The programs' row 0 is the empty suffix, so that their row k is entry k - 1.
func want(interval int) sorted.Want { return sorted.Want{Every: interval, First: interval - 1} }

// Plan returns the memory of Sort. Errors as sorted.Want.Plan.
func (t Text) Plan(ctx context.Context, e *suffixcl.Engine, interval int) (device.MemoryPlan, error) {
	return want(interval).Plan(ctx, e, len(t))
}

// Sort sorts the text. Entry k is that of the programs' row (k + 1) * interval. Errors as sorted.Want.Text.
func (t Text) Sort(ctx context.Context, e *suffixcl.Engine, interval int) (*sorted.Rows, error) {
	return want(interval).Text(ctx, e, t)
}

// ReadSample reads entries of the suffix array of a text of n bases, 8 bytes each.
func ReadSample(s *indexfiles.Source, entries, n int) []uint64 {
	sample := make([]uint64, entries)
	var beyond atomic.Bool
	s.Rows(entries, 8, func(b []byte, lo, hi int) {
		some := sample[lo:hi]
		for k := range some {
			some[k] = binary.LittleEndian.Uint64(b[8*k:])
		}
		if len(some) > 0 && slices.Max(some) >= uint64(n) {
			beyond.Store(true)
		}
	})
	if s.Err() == nil && beyond.Load() {
		at := slices.IndexFunc(sample, func(v uint64) bool { return v >= uint64(n) })
		s.Fail("has a suffix at %d, beyond the text", sample[at])
	}
	return sample
}
