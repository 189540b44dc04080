package session

import (
	"bytes"
	"context"
	"fmt"

	"github.com/suffixcl/suffixcl"
)

// SelfTestText has a Fibonacci word, whose suffixes agree far, and every byte.
func SelfTestText() []byte {
	a, b := []byte("a"), []byte("ab")
	for len(b) < 2000 {
		a, b = b, append(bytes.Clone(b), a...)
	}
	for i := range 256 {
		b = append(b, byte(i))
	}
	return b
}

// SelfTest sorts a text and checks the result on the device, and on the host:
// suffixes that increase from slot to slot are all there.
func SelfTest(ctx context.Context, e *suffixcl.Engine) error {
	text := SelfTestText()
	sa, err := e.SuffixArray(ctx, text)
	if err != nil {
		return err
	}
	for i, p := range sa {
		if int(p) >= len(text) || i > 0 && bytes.Compare(text[sa[i-1]:], text[p:]) >= 0 {
			return fmt.Errorf("the suffix array of the test text is wrong at slot %d", i)
		}
	}
	return e.Verify(ctx, text, sa)
}
