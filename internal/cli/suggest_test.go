package cli

import (
	"testing"

	"github.com/stretchr/testify/assert"
)

func TestDistance(t *testing.T) {
	for _, c := range []struct {
		a, b string
		want int
	}{
		{"", "", 0}, {"", "abc", 3}, {"abc", "", 3}, {"sa", "sa", 0}, {"indx", "index", 1}, {"cuont", "count", 1},
		{"kitten", "sitting", 3}, {"ab", "ba", 1}, {"abcd", "badc", 2}, {"ca", "abc", 3},
	} {
		assert.Equal(t, c.want, distance(c.a, c.b), "%q, %q", c.a, c.b)
		assert.Equal(t, c.want, distance(c.b, c.a), "%q, %q", c.b, c.a)
	}
}

func TestDidYouMean(t *testing.T) {
	known := []string{"sa", "lcp", "locate", "count", "max-mem"}
	for word, want := range map[string]string{
		"lcoate": "; did you mean locate?", "loc": "; did you mean locate?", "s": "; did you mean sa?",
		"max-memory": "; did you mean max-mem?", "cp": "; did you mean lcp?", "fly": "", "": "", "verification": "",
	} {
		assert.Equal(t, want, didYouMean(word, "", known), word)
	}
	assert.Equal(t, "; did you mean --count or --counter?", didYouMean("coun", "--", []string{"x", "counter", "count"}))
}
