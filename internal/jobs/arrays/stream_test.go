package arrays_test

import (
	"bytes"
	"context"
	"errors"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/suffixcl/suffixcl"
	"github.com/suffixcl/suffixcl/conformance"
	"github.com/suffixcl/suffixcl/internal/testkit/devicetest"
	"github.com/suffixcl/suffixcl/internal/testkit/enginetest"
)

// What streams call runs in another goroutine, which may not end the test: it asserts.

// Streams of no, one and more texts, of different lengths, give what the texts give alone, with every
// algorithm.
func TestStreams(t *testing.T) {
	devicetest.Native(t, func(t *testing.T, e devicetest.Env) {
		var texts [][]byte
		for i, n := range []int{1000, 0, 1, 999, 1000, 3, 64} {
			text, err := conformance.NewText([]string{"random/sigma=4", "repeats/sigma=26", "fibonacci"}[i%3], n, uint64(i+1))
			require.NoError(t, err)
			texts = append(texts, text)
		}
		for _, algorithm := range suffixcl.Algorithms() {
			if algorithm.MaxLen(e.Caps()) < 1000 {
				continue
			}
			// The engine is never closed: the session is the test's.
			engine, err := suffixcl.New(e.Session, suffixcl.EngineOptions{Algorithm: algorithm, KeepMemory: -1})
			require.NoError(t, err)
			for count := range len(texts) + 1 {
				if count > 3 && count < len(texts) {
					continue
				}
				done, source := 0, enginetest.TextsOf(texts[:count]...)
				err := enginetest.SuffixArrays(t.Context(), engine, 1000, source, func(sa []uint32) error {
					want := conformance.ReferenceSuffixArray(texts[done])
					assert.True(t, slices.Equal(want, sa), "%s, text %d of %d", algorithm, done, count)
					done++
					return nil
				})
				require.NoError(t, err)
				require.Equal(t, count, done)
				done, source = 0, enginetest.TextsOf(texts[:count]...)
				err = enginetest.Transforms(t.Context(), engine, 1000, source, func(transform []byte, primary int) error {
					want, at := conformance.ReferenceBWT(texts[done], conformance.ReferenceSuffixArray(texts[done]))
					assert.Equal(t, at, primary, "%s, text %d of %d", algorithm, done, count)
					assert.True(t, bytes.Equal(want, transform), "%s, text %d of %d", algorithm, done, count)
					done++
					return nil
				})
				require.NoError(t, err)
				require.Equal(t, count, done)
			}
		}
	})
}

// What next and use return ends a stream, as the context does, at any text; the engine works on.
func TestStreamsEnd(t *testing.T) {
	devicetest.Native(t, func(t *testing.T, e devicetest.Env) {
		engine, err := suffixcl.New(e.Session, suffixcl.EngineOptions{KeepMemory: -1})
		require.NoError(t, err)
		text := []byte("banana")
		stopped := errors.New("stopped")
		for _, what := range []string{"next", "use", "context", "longer", "negative"} {
			for at := range 5 {
				ctx, cancel := context.WithCancel(t.Context())
				read, used := 0, 0
				next := func(to []byte) (int, error) {
					if read++; read == at+1 {
						switch what {
						case "next":
							return 0, stopped
						case "context":
							cancel()
						case "longer":
							return len(to) + 1, nil
						case "negative":
							return -1, nil
						}
					}
					return copy(to, text), nil
				}
				err := enginetest.SuffixArrays(ctx, engine, len(text), next, func(sa []uint32) error {
					assert.Equal(t, []uint32{5, 3, 1, 0, 4, 2}, sa)
					if used++; what == "use" && used == at+1 {
						return stopped
					}
					return nil
				})
				cancel()
				switch what {
				case "next", "use":
					require.ErrorIs(t, err, stopped)
				case "context":
					require.ErrorIs(t, err, context.Canceled)
				default:
					var length *suffixcl.LengthError
					require.ErrorAs(t, err, &length)
				}
				require.LessOrEqual(t, used, at+1)
				sa, err := engine.SuffixArray(t.Context(), text)
				require.NoError(t, err)
				require.Equal(t, []uint32{5, 3, 1, 0, 4, 2}, sa)
			}
		}
	})
}
