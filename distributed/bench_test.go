package distributed_test

import (
	"errors"
	"fmt"
	"os"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/suffixcl/suffixcl/conformance"
	"github.com/suffixcl/suffixcl/device"
	"github.com/suffixcl/suffixcl/distributed"
	"github.com/suffixcl/suffixcl/internal/testkit/devicetest"
)

// BenchmarkSuffixArray sorts with two ranks in this process; SUFFIXCL_CORPORA may name a file to take instead.
func BenchmarkSuffixArray(b *testing.B) {
	text := must(conformance.NewText("versions", 1<<20, 1))
	if data, err := os.ReadFile(os.Getenv("SUFFIXCL_CORPORA")); err == nil {
		text = data
	}
	d := devicetest.Devices(b)[0]
	s := []*device.Session{devicetest.Open(b, d, devicetest.Variants[0]), devicetest.Open(b, d, devicetest.Variants[0])}
	for _, a := range distributed.Algorithms() {
		b.Run(fmt.Sprint(a), func(b *testing.B) {
			b.SetBytes(int64(len(text)))
			for b.Loop() {
				errs := each(s, 2, distributed.Options{Algorithm: a}, func(r int, builder *distributed.Builder) error {
					_, err := builder.SuffixArray(b.Context(), blockOf(text, 2, r))
					return err
				})
				require.NoError(b, errors.Join(errs...))
			}
		})
	}
}

func must[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}
