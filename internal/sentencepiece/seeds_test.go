package sentencepiece_test

import (
	"context"
	"fmt"
	"log"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/suffixcl/suffixcl"
	"github.com/suffixcl/suffixcl/internal/sentencepiece"
	"github.com/suffixcl/suffixcl/internal/testkit/devicetest"
)

func TestMain(m *testing.M) { devicetest.Main(m) }

// The seeds of a text: single characters, and the best pieces.
func Example() {
	engine, err := suffixcl.Open(suffixcl.Options{})
	if err != nil {
		log.Fatal(err)
	}
	defer engine.Close()
	ctx := context.Background()
	corpus, err := sentencepiece.Read(ctx, []byte("sing a song\nsing along\nrun along\n"), sentencepiece.Options{})
	if err != nil {
		log.Fatal(err)
	}
	longest, err := corpus.Limits(ctx, sentencepiece.Rules{Fixed: true})
	if err != nil {
		log.Fatal(err)
	}
	found, err := engine.Intervals(suffixcl.Tokens32(corpus.Symbols),
		suffixcl.IntervalOptions{Longest: longest, MinDepth: 2, Best: 3, By: suffixcl.ByArea}).All(ctx)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(len(corpus.Characters), "characters")
	for _, i := range found.All() {
		fmt.Println(text(corpus.Symbols[i.Position:i.Position+i.Depth]), i.Count())
	}
	// Output:
	// 10 characters
	// ▁along 2
	// along 2
	// ng 5
}

// Pieces and their frequencies are those of the definition, in every script, with every rule.
func TestSeeds(t *testing.T) {
	engine, err := suffixcl.Open(suffixcl.Options{})
	require.NoError(t, err)
	defer engine.Close()
	for script := range words {
		c, err := sentencepiece.Read(t.Context(), []byte(sentences(script, 150)), sentencepiece.Options{Coverage: 0.99})
		require.NoError(t, err)
		for _, rules := range []sentencepiece.Rules{
			{}, {Fixed: true}, {MaxLength: 4, MixNumbers: true}, {MixScripts: true, SplitDigits: true, Fixed: true},
		} {
			want := seeds(c.Symbols, rules)
			longest, err := c.Limits(t.Context(), rules)
			require.NoError(t, err)
			found, err := engine.Intervals(suffixcl.Tokens32(c.Symbols),
				suffixcl.IntervalOptions{Longest: longest, MinDepth: 2, Best: 100_000, By: suffixcl.ByArea}).All(t.Context())
			require.NoError(t, err)
			got := map[string]int64{}
			for _, i := range found.All() {
				got[text(c.Symbols[i.Position:i.Position+i.Depth])] = int64(i.Count())
			}
			assert.Equal(t, want, got, "%s, %+v", script, rules)
			assert.Greater(t, len(got), 25)

			const few = 20
			best, err := engine.Intervals(suffixcl.Tokens32(c.Symbols),
				suffixcl.IntervalOptions{Longest: longest, MinDepth: 2, Best: few, By: suffixcl.ByArea}).All(t.Context())
			require.NoError(t, err)
			for k := range few {
				assert.Equal(t, found.At(k), best.At(k))
			}
		}
	}
}
