package ranges_test

import (
	"context"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"hash"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/suffixcl/suffixcl/device"
	"github.com/suffixcl/suffixcl/internal/intmath"
	"github.com/suffixcl/suffixcl/internal/ranges"
	"github.com/suffixcl/suffixcl/internal/testkit/corpora"
	"github.com/suffixcl/suffixcl/internal/testkit/devicetest"
)

// entryHash hashes entries as little-endian integers of 32 bits.
type entryHash struct {
	hash.Hash
	bytes []byte
}

func (h *entryHash) add(entries []uint32) {
	h.bytes = h.bytes[:0]
	for _, v := range entries {
		h.bytes = binary.LittleEndian.AppendUint32(h.bytes, v)
	}
	h.Write(h.bytes)
}

func (h *entryHash) sum() string { return hex.EncodeToString(h.Sum(nil)) }

// digestsOf sorts a text and hashes all results as they come.
func digestsOf(ctx context.Context, s *device.Session, text []byte, o ranges.Options) (
	d corpora.Digests, sorted int, err error) {
	o.Width, o.Transform, o.LCP = ranges.Width(text), true, true
	p, err := ranges.New[uint32](s, len(text), o)
	if err != nil {
		return d, 0, err
	}
	sa, lcp, transform := &entryHash{Hash: sha256.New()}, &entryHash{Hash: sha256.New()}, &entryHash{Hash: sha256.New()}
	state, err := p.Run(ctx, text, ranges.Job[uint32]{Yield: func(b ranges.Block[uint32]) error {
		sa.add(b.Positions)
		lcp.add(b.LCP)
		transform.Write(b.Transform)
		return nil
	}})
	return corpora.Digests{SuffixArray: sa.sum(), LCP: lcp.sum(), BWT: transform.sum(), Primary: state.Primary},
		p.Sorted(), err
}

// Suffix arrays, LCP arrays and transforms of all corpora in 2, 3, 7 and 64 ranges, and in 7 bytes of device memory a
// character, are those of the digests.
func TestCorpora(t *testing.T) {
	devicetest.Native(t, func(t *testing.T, e devicetest.Env) {
		for _, c := range corpora.All(t) {
			text, err := c.Read()
			require.NoError(t, err)
			want, err := c.Want(text)
			require.NoError(t, err)
			for _, parts := range []int{2, 3, 7, 64} {
				t.Run(fmt.Sprintf("%s/%d", c.Name, parts), func(t *testing.T) {
					capacity := intmath.CeilDiv(intmath.CeilDiv(len(text), parts)*16, 15) + 16
					got, sorted, err := digestsOf(t.Context(), e.Session, text, ranges.Options{Capacity: capacity})
					require.NoError(t, err)
					assert.Equal(t, want, got)
					assert.GreaterOrEqual(t, sorted, parts)
					if e.Caps().CPUShape || len(text) < 1<<26 { // else there are some 12, so that most leave meanwhile
						assert.LessOrEqual(t, sorted, parts+parts/2)
					}
				})
			}
			t.Run(c.Name+"/7 bytes a character", func(t *testing.T) {
				s, err := device.Open(device.Config{Selector: e.Caps().Name, MaxMemory: 7 * int64(len(text))})
				require.NoError(t, err)
				defer s.Close()
				got, sorted, err := digestsOf(t.Context(), s, text, ranges.Options{})
				require.NoError(t, err)
				assert.Equal(t, want, got)
				assert.Greater(t, sorted, 1)
				t.Log(sorted, "ranges")
			})
		}
	})
}
