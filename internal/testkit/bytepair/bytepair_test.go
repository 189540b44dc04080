package bytepair_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/suffixcl/suffixcl/internal/testkit/bytepair"
	"github.com/suffixcl/suffixcl/internal/testkit/opticks"
)

// The first pairs of "low lower lowest", by hand: "lo" occurs three times, then "low", then " low".
func TestTokens(t *testing.T) {
	tokens, strings := bytepair.Tokens(259, []byte("low lower lowest"))
	require.Equal(t, [][]uint16{{257, 258, 'e', 'r', 258, 'e', 's', 't'}}, tokens)
	require.Equal(t, []string{"lo", "low", " low"}, strings[256:])
	tokens, _ = bytepair.Tokens(300, nil, []byte("a"))
	require.Equal(t, [][]uint16{nil, {'a'}}, tokens)
}

// Ids stand for the text.
func TestTokensOfBook(t *testing.T) {
	text := opticks.Text[:100_000]
	tokens, words := bytepair.Tokens(2000, text)
	require.Len(t, words, 2000)
	require.Less(t, len(tokens[0]), len(text)/2)
	var back strings.Builder
	for _, id := range tokens[0] {
		back.WriteString(words[id])
	}
	require.Equal(t, string(text), back.String())
}
