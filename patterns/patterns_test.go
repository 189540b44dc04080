package patterns_test

import (
	"bytes"
	"math"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/suffixcl/suffixcl/device"
	"github.com/suffixcl/suffixcl/internal/devicetest"
	"github.com/suffixcl/suffixcl/patterns"
)

func TestBatch(t *testing.T) {
	b, err := patterns.Of([]byte("ACGU"), nil, []byte("nRyx"))
	require.NoError(t, err)
	require.Equal(t, 3, b.Len())
	require.Equal(t, "nRyx", string(b.Pattern(2)))
	require.NoError(t, b.Check())
	var c patterns.Batch
	b.ReverseComplement(&c)
	require.NoError(t, c.Check())
	require.Equal(t, "ACGT", string(c.Pattern(0)))
	require.Empty(t, c.Pattern(1))
	require.Equal(t, "xrYn", string(c.Pattern(2)))
	b.Reset()
	require.Zero(t, b.Len())
	require.NoError(t, b.Check())
	for _, bad := range []patterns.Batch{
		{Text: []byte("x")}, {Offsets: []uint32{1}}, {Text: []byte("ab"), Offsets: []uint32{0, 1}},
		{Text: []byte("ab"), Offsets: []uint32{0, math.MaxUint32, 2}}, {Text: []byte("ab"), Offsets: []uint32{1, 2}},
	} {
		require.Error(t, bad.Check(), "%v", bad)
	}
}

// The numbers are the sums of the intervals' lengths, 64 bits of them.
func TestNumbering(t *testing.T) {
	devicetest.Each(t, func(t *testing.T, e devicetest.Env) {
		for _, n := range []int{0, 1, 2, 100, 1000} {
			p, err := patterns.NewNumbering(e.Session, n)
			require.NoError(t, err)
			intervals, want := make([][2]uint32, n), []uint64{0}
			for i := range intervals {
				intervals[i] = [2]uint32{uint32(i), uint32(i) * (2 + uint32(i%3)*1_000_000)}
				want = append(want, want[i]+uint64(intervals[i][1]-intervals[i][0]))
			}
			ws, guards := devicetest.Workspace(t, e.Session, p.Workspace())
			firsts := devicetest.Guard[uint64](t, e.Session, n+1)
			p.Run(ws, devicetest.From(t, e.Session, intervals).Buffer, n, firsts.Buffer)
			got, err := firsts.Slice()
			require.NoError(t, err)
			require.Equal(t, want, got)
			require.NoError(t, guards.Intact())
			p.Release()
		}
	})
}

// Every pattern is in one piece, whose text is there when it is searched.
func TestPieces(t *testing.T) {
	devicetest.Native(t, func(t *testing.T, e devicetest.Env) {
		var b patterns.Batch
		for q := range 200 {
			require.NoError(t, b.Add(bytes.Repeat([]byte{byte(q)}, q*7%31)))
		}
		for range 100 {
			require.NoError(t, b.Add(nil))
		}
		for _, size := range []int{0, 1, 30, 100, len(b.Text) - 1, len(b.Text)} {
			l := device.NewLayout("patterns")
			slots := patterns.Reserve(l, b.Len(), len(b.Text))
			require.NoError(t, l.Allocate(e.Session))
			next, count := 0, 0
			err := slots.Pieces(t.Context(), e.Session, &b, size, func(s patterns.Set) {
				require.Equal(t, next, s.First)
				from, to := b.Offsets[s.First], b.Offsets[s.End()]
				require.Equal(t, int(to-from), s.Bytes)
				require.True(t, s.Bytes <= size || s.Len == 1)
				got := make([]byte, s.Bytes)
				require.NoError(t, s.Text.View(int(from), s.Bytes).Read(got))
				require.Equal(t, b.Text[from:to], got)
				next = s.End()
				count++
			})
			require.NoError(t, err)
			require.Equal(t, b.Len(), next)
			if size == len(b.Text) {
				require.Equal(t, 1, count)
			} else if size > 100 {
				require.Equal(t, 2, count)
			}
			l.Release(e.Session)
		}
	})
}

func TestUploadRefuses(t *testing.T) {
	devicetest.Native(t, func(t *testing.T, e devicetest.Env) {
		l := device.NewLayout("patterns")
		slots := patterns.Reserve(l, 1, 3)
		require.NoError(t, l.Allocate(e.Session))
		defer l.Release(e.Session)
		b, err := patterns.Of([]byte("abcd"))
		require.NoError(t, err)
		_, err = slots.Upload(t.Context(), e.Session, b)
		require.ErrorContains(t, err, "room for")
		_, err = slots.Upload(t.Context(), e.Session, &patterns.Batch{Text: []byte("a")})
		require.ErrorContains(t, err, "offsets")
		set, err := slots.Upload(t.Context(), e.Session, &patterns.Batch{})
		require.NoError(t, err)
		require.Zero(t, set.Len)
	})
}
