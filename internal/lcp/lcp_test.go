package lcp_test

import (
	"context"
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/suffixcl/suffixcl/conformance"
	"github.com/suffixcl/suffixcl/device"
	"github.com/suffixcl/suffixcl/internal/lcp"
	"github.com/suffixcl/suffixcl/internal/limits"
	"github.com/suffixcl/suffixcl/internal/testkit/devicetest"
	"github.com/suffixcl/suffixcl/internal/tuned"
)

func TestLCP(t *testing.T) {
	devicetest.Each(t, func(t *testing.T, e devicetest.Env) {
		e.Suite.Tile = tuned.Of(e.Session).LCP.WG * tuned.Of(e.Session).LCP.Items
		conformance.Run(t, conformance.LCP(service(t, e.Session), e.Suite))
	})
}

// service computes with one plan for many texts, made anew only for a longer one.
func service(t *testing.T, s *device.Session) func(context.Context, []byte, []uint32) ([]uint32, error) {
	var p *lcp.Plan
	capacity := -1
	return func(ctx context.Context, text []byte, array []uint32) ([]uint32, error) {
		n := len(text)
		if n > capacity {
			var err error
			if p, err = lcp.New(s, 2*n); err != nil {
				return nil, err
			}
			capacity = 2 * n
		}
		ws, guards := devicetest.Workspace(t, s, p.Workspace())
		defer ws.Release()
		in, sa := devicetest.From(t, s, text), devicetest.From(t, s, array)
		defer in.Release()
		defer sa.Release()
		plcp, out := devicetest.Guard[uint32](t, s, n), devicetest.Guard[uint32](t, s, n)
		defer plcp.Release()
		defer out.Release()
		p.Run(ws, in.Buffer, sa.Buffer, plcp.Buffer, out.Buffer)
		got, err := out.Slice()
		if err != nil {
			return nil, err
		}
		permuted, err := plcp.Slice()
		if err != nil {
			return nil, err
		}
		for j, i := range array {
			if permuted[i] != got[j] {
				return nil, fmt.Errorf("plcp[%d] = %d, lcp[%d] = %d", i, permuted[i], j, got[j])
			}
		}
		return got, guards.Intact()
	}
}

// What is no suffix array gives nonsense, inside the buffers.
func TestForeignArray(t *testing.T) {
	devicetest.Each(t, func(t *testing.T, e devicetest.Env) {
		n := 500
		text := make([]byte, n)
		arrays := map[string]func(j int) uint32{
			"beyond":    func(j int) uint32 { return uint32(n + j) },
			"largest":   func(j int) uint32 { return 1<<32 - 1 },
			"two":       func(j int) uint32 { return uint32(j % 2) }, // more long values than there is room for
			"backwards": func(j int) uint32 { return uint32(j) },
		}
		p, err := lcp.New(e.Session, n)
		require.NoError(t, err)
		for name, entry := range arrays {
			ws, guards := devicetest.Workspace(t, e.Session, p.Workspace())
			sa := make([]uint32, n)
			for j := range sa {
				sa[j] = entry(j)
			}
			plcp, out := devicetest.Guard[uint32](t, e.Session, n), devicetest.Guard[uint32](t, e.Session, n)
			onDevice, array := devicetest.From(t, e.Session, text), devicetest.From(t, e.Session, sa)
			p.Run(ws, onDevice.Buffer, array.Buffer, plcp.Buffer, out.Buffer)
			_, err := out.Slice()
			require.NoError(t, err, name)
			_, err = plcp.Slice()
			require.NoError(t, err, name)
			require.NoError(t, guards.Intact(), name)
		}
	})
}

func TestMisuse(t *testing.T) {
	devicetest.Native(t, func(t *testing.T, e devicetest.Env) {
		_, err := lcp.New(e.Session, limits.MaxLen+1)
		require.True(t, device.IsTooLarge(err), err)
		p, err := lcp.New(e.Session, 10)
		require.NoError(t, err)
		ws, _ := devicetest.Workspace(t, e.Session, p.Workspace())
		text, array := devicetest.Guard[uint8](t, e.Session, 11), devicetest.Guard[uint32](t, e.Session, 11)
		p.Run(ws, text.Buffer, array.Buffer, array.Buffer, array.Buffer)
		require.ErrorContains(t, e.Err(), "planned for 10")
		e.Recover()
	})
}
