package bwt_test

import (
	"context"
	"testing"

	"github.com/suffixcl/suffixcl/bwt"
	"github.com/suffixcl/suffixcl/conformance"
	"github.com/suffixcl/suffixcl/internal/devicetest"
)

func TestForward(t *testing.T) {
	devicetest.Each(t, func(t *testing.T, e devicetest.Env) {
		e.Suite.Tile = e.Tuning().Map.WG * e.Tuning().Map.Items
		conformance.BWT(t, func(ctx context.Context, text []byte) ([]byte, int, error) {
			f, err := bwt.NewForward(e.Session)
			if err != nil {
				return nil, 0, err
			}
			defer f.Release()
			if err := f.Allocate(); err != nil {
				return nil, 0, err
			}
			in := devicetest.From(t, e.Session, text)
			sa := devicetest.From(t, e.Session, conformance.ReferenceSuffixArray(text))
			out := devicetest.Guard[uint8](t, e.Session, len(text))
			defer in.Release()
			defer sa.Release()
			defer out.Release()
			primary, err := f.Run(ctx, in.Buffer, sa.Buffer, out.Buffer)
			if err != nil {
				return nil, 0, err
			}
			transform, err := out.Slice()
			return transform, primary, err
		}, e.Suite)
	})
}
