package scan_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/suffixcl/suffixcl/conformance"
	"github.com/suffixcl/suffixcl/device"
	"github.com/suffixcl/suffixcl/internal/devicetest"
	"github.com/suffixcl/suffixcl/scan"
)

func TestScan(t *testing.T) {
	devicetest.Each(t, func(t *testing.T, e devicetest.Env) {
		e.Suite.Tile = e.Tuning().Scan.WG * e.Tuning().Scan.Items
		t.Run("u32", func(t *testing.T) { testScan[uint32](t, e) })
		t.Run("u64", func(t *testing.T) { testScan[uint64](t, e) })
	})
}

func testScan[T scan.Value](t *testing.T, e devicetest.Env) {
	for _, c := range []struct {
		name      string
		options   scan.Options
		reference func([]T) []T
	}{
		{"exclusive-sum", scan.Options{}, conformance.ExclusiveSum[T]},
		{"inclusive-sum", scan.Options{Inclusive: true}, conformance.InclusiveSum[T]},
		{"exclusive-max", scan.Options{Op: scan.Max}, conformance.ExclusiveMax[T]},
		{"inclusive-max", scan.Options{Op: scan.Max, Inclusive: true}, conformance.InclusiveMax[T]},
	} {
		t.Run(c.name, func(t *testing.T) {
			conformance.Scan(t, func(in []T) ([]T, error) {
				p, err := scan.NewPlan[T](e.Session, len(in), c.options)
				if err != nil {
					return nil, err
				}
				defer p.Release()
				ws, space := devicetest.Workspace(t, e.Session, p.WorkspaceBytes())
				defer space.Release()
				from, to := devicetest.From(t, e.Session, in), devicetest.Guard[T](t, e.Session, len(in))
				defer from.Release()
				defer to.Release()
				p.Run(ws, from.Buffer, to.Buffer, len(in))
				if _, err := space.Slice(); err != nil {
					return nil, err
				}
				return to.Slice()
			}, c.reference, e.Suite)
		})
	}
}

func TestScanInPlace(t *testing.T) {
	devicetest.Native(t, func(t *testing.T, e devicetest.Env) {
		p, err := scan.NewPlan[uint32](e.Session, 10000, scan.Options{})
		require.NoError(t, err)
		in := make([]uint32, 10000)
		for i := range in {
			in[i] = uint32(i * i)
		}
		ws, _ := devicetest.Workspace(t, e.Session, p.WorkspaceBytes())
		b := devicetest.From(t, e.Session, in)
		p.Run(ws, b.Buffer, b.Buffer, len(in))
		got, err := b.Slice()
		require.NoError(t, err)
		require.Equal(t, conformance.ExclusiveSum(in), got)
	})
}

func TestSelect(t *testing.T) {
	devicetest.Each(t, func(t *testing.T, e devicetest.Env) {
		e.Suite.Tile = e.Tuning().Compact.WG * e.Tuning().Compact.Items
		t.Run("u32", func(t *testing.T) { testCompact[uint32](t, e) })
		t.Run("u64", func(t *testing.T) { testCompact[uint64](t, e) })
	})
}

func testCompact[T scan.Value](t *testing.T, e devicetest.Env) {
	run := func(compile func(*device.Session, int) (*scan.Selection[T], error), in []T, flagged []bool, room int) ([]T, int, error) {
		c, err := compile(e.Session, len(in))
		if err != nil {
			return nil, 0, err
		}
		defer c.Release()
		ws, space := devicetest.Workspace(t, e.Session, c.WorkspaceBytes())
		from, to := devicetest.From(t, e.Session, in), devicetest.Guard[T](t, e.Session, room)
		flags := make([]uint8, len(flagged))
		for i, f := range flagged {
			if f {
				flags[i] = uint8(1 + i%255)
			}
		}
		marks, kept := devicetest.From(t, e.Session, flags), devicetest.Guard[uint64](t, e.Session, 1)
		defer space.Release()
		defer from.Release()
		defer to.Release()
		defer marks.Release()
		defer kept.Release()
		c.Run(ws, marks.Buffer, from.Buffer, to.Buffer, len(in), kept.Buffer)
		if _, err := space.Slice(); err != nil {
			return nil, 0, err
		}
		count, err := kept.Slice()
		if err != nil {
			return nil, 0, err
		}
		out, err := to.Slice()
		return out, int(count[0]), err
	}
	t.Run("select", func(t *testing.T) {
		conformance.Select(t, func(in []T, flags []bool) ([]T, error) {
			room := 0
			for _, f := range flags {
				if f {
					room++
				}
			}
			out, n, err := run(scan.NewSelect[T], in, flags, room) // no room for one too many
			if err != nil {
				return nil, err
			}
			return out[:min(n, len(out))], nil
		}, e.Suite)
	})
	t.Run("partition", func(t *testing.T) {
		conformance.Partition(t, func(in []T, flags []bool) ([]T, int, error) {
			return run(scan.NewPartition[T], in, flags, len(in))
		}, e.Suite)
	})
}
