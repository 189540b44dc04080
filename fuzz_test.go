package suffixcl_test

import (
	"context"
	"os"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/suffixcl/suffixcl"
	"github.com/suffixcl/suffixcl/internal/testkit/enginetest"
)

// FuzzSuffixArray: a text and the number of an algorithm go through every operation of an
// engine, whose answers are compared with index/suffixarray.
func FuzzSuffixArray(f *testing.F) {
	for i, seed := range []string{
		"", "\x00", "a", "banana", "mississippi", "aaaaaaaaaaaaaaaaa", "abababababababab", "\xff\x00\xff\x00\x00",
		"abaababaabaababaababa",
	} {
		f.Add([]byte(seed), uint8(i))
	}
	if os.Getenv("SUFFIXCL_DEVICE") == "" {
		f.Setenv("SUFFIXCL_DEVICE", "cpu")
	}
	var engines []*suffixcl.Engine
	algorithms := suffixcl.Algorithms()[1:]
	for _, algorithm := range algorithms {
		e, err := suffixcl.Open(suffixcl.Options{Algorithm: algorithm})
		if err != nil {
			f.Skip(err)
		}
		f.Cleanup(func() { e.Close() })
		engines = append(engines, e)
	}
	f.Fuzz(func(t *testing.T, text []byte, choice uint8) {
		if len(text) > 2000 {
			return
		}
		a := enginetest.AnswersOf(text)
		e, algorithm := engines[int(choice)%len(engines)], algorithms[int(choice)%len(engines)]
		op := enginetest.Operations[int(choice)/len(engines)%len(enginetest.Operations)]
		require.NoError(t, op.Run(context.Background(), e, a), "%s by %s", op.Op, algorithm)
	})
}
