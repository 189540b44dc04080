package patternset_test

import (
	"bytes"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/suffixcl/suffixcl/device"
	"github.com/suffixcl/suffixcl/internal/patternset"
	"github.com/suffixcl/suffixcl/internal/testkit/devicetest"
	"github.com/suffixcl/suffixcl/internal/tuned"
	"github.com/suffixcl/suffixcl/patterns"
)

func TestCheck(t *testing.T) {
	whole, err := patterns.Of([]byte("ACGU"), nil, []byte("nRyx"))
	require.NoError(t, err)
	for _, good := range []patterns.Batch{{}, *whole, {Offsets: []uint32{0}}} {
		require.NoError(t, patternset.Check(&good), "%v", good)
	}
	for _, bad := range []patterns.Batch{
		{Text: []byte("x")}, {Offsets: []uint32{1}}, {Text: []byte("ab"), Offsets: []uint32{0, 1}},
		{Text: []byte("ab"), Offsets: []uint32{0, math.MaxUint32, 2}}, {Text: []byte("ab"), Offsets: []uint32{1, 2}},
	} {
		require.Error(t, patternset.Check(&bad), "%v", bad)
	}
}

// The numbers are the sums of the intervals' lengths, 64 bits of them.
func TestNumbering(t *testing.T) {
	devicetest.Each(t, func(t *testing.T, e devicetest.Env) {
		for _, n := range []int{0, 1, 2, 100, 1000} {
			p := patternset.NewNumbering(e.Session, n)
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
		}
	})
}

// Every pattern is in one piece, whose text is there when it is searched.
func TestPieces(t *testing.T) {
	var b patterns.Batch
	for q := range 200 {
		require.NoError(t, b.Add(bytes.Repeat([]byte{byte(q)}, q*7%31)))
	}
	for range 100 {
		require.NoError(t, b.Add(nil))
	}
	for _, chunk := range []int{1, 30, 100, len(b.Text) - 1, len(b.Text)} {
		devicetest.Chunked(t, chunk, func(t *testing.T, e devicetest.Env) {
			l := device.NewLayout("patterns")
			slots := patternset.Reserve(l, b.Len(), len(b.Text))
			require.NoError(t, l.Allocate(e.Session))
			defer l.Release(e.Session)
			next, count := 0, 0
			err := slots.Pieces(t.Context(), e.Session, &b, func(s patternset.Set) {
				require.Equal(t, next, s.First)
				from, to := b.Offsets[s.First], b.Offsets[s.End()]
				require.EqualValues(t, from, s.From)
				require.EqualValues(t, to-from, s.Bytes)
				got := make([]byte, s.Bytes)
				require.NoError(t, s.Text.View(s.From, s.Bytes).Read(got))
				require.Equal(t, b.Text[from:to], got)
				next = s.End()
				count++
			})
			require.NoError(t, err)
			require.Equal(t, b.Len(), next)
			if chunk > 31 {
				require.Equal(t, (len(b.Text)+chunk-1)/chunk, count)
			}
		})
	}
}

// Folding is that of a loop on the host, and touches nothing around a set.
func TestFolding(t *testing.T) {
	devicetest.Each(t, func(t *testing.T, e devicetest.Env) {
		var table [256]uint32
		for c := range table {
			table[c] = uint32(c)
		}
		for c := 'a'; c <= 'z'; c++ {
			table[c] -= 'a' - 'A'
		}
		table['n'], table['N'], table[0], table[255] = patternset.Refused, patternset.Refused, patternset.Refused,
			patternset.Refused
		f := patternset.NewFolding(e.Session, &table)
		defer f.Release()
		require.NoError(t, f.Allocate())
		random := rand.New(rand.NewPCG(1, 1))
		var b patterns.Batch
		for q := range 300 {
			pattern := make([]byte, random.IntN(50))
			for i := range pattern {
				pattern[i] = "abcXYZ0~"[random.IntN(8)]
			}
			if len(pattern) > 0 && q%3 == 0 {
				pattern[random.IntN(len(pattern))] = "nN\x00\xff"[random.IntN(4)]
			}
			require.NoError(t, b.Add(pattern))
		}
		text, offsets := devicetest.From(t, e.Session, b.Text), devicetest.From(t, e.Session, b.Offsets)
		intervals := make([][2]uint32, b.Len())
		for q := range intervals {
			intervals[q] = [2]uint32{uint32(q), uint32(q + q%2)} // every other one is empty
		}
		found := devicetest.From(t, e.Session, intervals)
		for _, part := range [][2]int{{0, 1}, {1, 100}, {100, 101}, {150, 300}} {
			set := patternset.Set{Text: text.Buffer, Offsets: offsets.Buffer, First: part[0], Len: part[1] - part[0],
				From: int(b.Offsets[part[0]])}
			set.Bytes = int(b.Offsets[part[1]]) - set.From
			for q := part[0]; q < part[1]; q++ {
				for i, c := range b.Pattern(q) {
					if table[c] == patternset.Refused {
						if q%2 == 1 {
							intervals[q] = [2]uint32{}
						}
					} else {
						b.Pattern(q)[i] = byte(table[c])
					}
				}
			}
			searched := false
			f.Search(set, found.Buffer, func() { searched = true })
			require.True(t, searched)
			got, err := text.Slice()
			require.NoError(t, err)
			require.Equal(t, b.Text, got)
			rest, err := found.Slice()
			require.NoError(t, err)
			require.Equal(t, intervals, rest)
		}
		f.Search(patternset.Set{Text: text.Buffer, Offsets: offsets.Buffer, Len: 301}, found.Buffer, func() {})
		require.ErrorContains(t, e.Err(), "room for")
		e.Recover()
	})
}

func TestUploadRefuses(t *testing.T) {
	devicetest.Native(t, func(t *testing.T, e devicetest.Env) {
		l := device.NewLayout("patterns")
		slots := patternset.Reserve(l, 1, 3)
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

// Where work-items cannot loop for long a pattern that is too long is refused, and the longest
// that is not is as long with fewer patterns a work-item.
func TestLongest(t *testing.T) {
	for _, d := range devicetest.Devices(t) {
		s, err := tuned.Open(device.Config{Device: d}, tuned.Edits{
			Caps: func(c *device.Caps) { tuned.Quirks(c).LongLoops = false },
		})
		require.NoError(t, err)
		defer s.Close()
		tuned.Of(s).Search.Items = 4
		ofFour := patternset.Longest(s)
		tuned.Of(s).Search.Items = 1
		limit := patternset.Longest(s)
		require.Equal(t, limit/4, ofFour)
		l := device.NewLayout("patterns")
		slots := patternset.Reserve(l, 2, 3*limit)
		require.NoError(t, l.Allocate(s))
		defer l.Release(s)
		for more := range 2 {
			b, err := patterns.Of([]byte("a"), bytes.Repeat([]byte("a"), limit+more))
			require.NoError(t, err)
			_, err = slots.Upload(t.Context(), s, b)
			if more == 0 {
				require.NoError(t, err)
			} else {
				require.ErrorContains(t, err, "pattern 1 has")
				require.ErrorContains(t, err, "cannot loop")
			}
		}
	}
}
