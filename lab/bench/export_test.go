package bench

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/suffixcl/suffixcl"
	"github.com/suffixcl/suffixcl/device"
)

// Try runs the case once and checks the result.
func (p *Prepared) Try(ctx context.Context) error { return p.try(ctx, p.input.plan) }

// TryNothing is Try of a primitive that does nothing.
func (p *Prepared) TryNothing(ctx context.Context) error {
	return p.try(ctx, func(*setup) func() { return func() {} })
}

func (p *Prepared) try(ctx context.Context, plan func(*setup) func()) error {
	u := &setup{ctx: ctx, s: p.u.s}
	defer u.releaseAll()
	run := plan(u)
	if u.err != nil {
		return u.err
	}
	return p.first(ctx, run)
}

// TrySorter measures a sorter that is right in so many runs, and then does nothing.
func TrySorter(ctx context.Context, s *device.Session, text []byte, right int) error {
	d, err := place(ctx, s, Text{"text", text})
	if err != nil {
		return err
	}
	defer d.releaseAll()
	c := contenderOf("lazy", func(s *device.Session, n int) (*lazy, error) {
		o, err := contendOsipov.make(s, n)
		return &lazy{o, right}, err
	})
	_, err = d.measure(ctx, c, 3, false, PaperRow{})
	return err
}

type lazy struct {
	arraySorter
	right int
}

func (l *lazy) Run(
	ctx context.Context, text *device.Buffer[uint8], sa *device.Buffer[uint32], progress func(string, int64, int64),
) error {
	if l.right--; l.right < 0 {
		return nil
	}
	return l.arraySorter.Run(ctx, text, sa, progress)
}

// PublishedIn is what the papers say for a figure.
func PublishedIn(t *testing.T, figure string) []PaperRow {
	rows, _, err := publishedIn(figure, false)
	require.NoError(t, err)
	return rows
}

// transformer is what a Sorter has and an arraySorter has not.
type transformer interface {
	RunBWT(ctx context.Context, text *device.Buffer[uint8], sa *device.Buffer[uint32], out *device.Buffer[uint8],
		progress func(phase string, done, total int64)) (primary int, err error)
}

// Lazy lets the sorters do nothing after so many runs that are right.
func (b *Sort) Lazy(right int) {
	b.newSorter = func(
		s *device.Session, algorithm suffixcl.Algorithm, n int,
	) (suffixcl.Sorter, suffixcl.Algorithm, error) {
		o, name, err := suffixcl.NewSorter(s, algorithm, n)
		return struct {
			arraySorter
			transformer
		}{&lazy{o, right}, o}, name, err
	}
}

var (
	CheckTransform = checkTransform
	CompareEvery   = compareEvery[uint32]
	SortMeans      = sortMeans
)

// Anchored is libcubwt's rate.
func Anchored(t *testing.T, device, text string, bytes int, job string, endToEnd bool) float64 {
	f, err := anchors()
	require.NoError(t, err)
	rate, _ := f.rate(device, text, bytes, job, endToEnd)
	return rate
}
