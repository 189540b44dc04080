package verify_test

import (
	"context"
	"testing"

	"github.com/suffixcl/suffixcl/conformance"
	"github.com/suffixcl/suffixcl/internal/testkit/devicetest"
	"github.com/suffixcl/suffixcl/internal/tuned"
	"github.com/suffixcl/suffixcl/internal/verify"
)

func TestVerify(t *testing.T) {
	devicetest.Each(t, func(t *testing.T, e devicetest.Env) {
		e.Suite.Tile = tuned.Of(e.Session).Map.WG * tuned.Of(e.Session).Map.Items
		conformance.Run(t, conformance.Verify(func(ctx context.Context, text []byte, sa []uint32) error {
			c := verify.New(e.Session, len(text))
			defer c.Release()
			if err := c.Allocate(); err != nil {
				return err
			}
			in, array := devicetest.From(t, e.Session, text), devicetest.From(t, e.Session, sa)
			defer in.Release()
			defer array.Release()
			return c.Run(ctx, in.Buffer, array.Buffer)
		}, e.Suite))
	})
}
