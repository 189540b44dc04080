package fmd_test

import (
	"bytes"
	"encoding/binary"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/suffixcl/suffixcl/internal/fmd"
)

// Samples are read as they were written, and damaged ones are an error.
func TestSamples(t *testing.T) {
	for _, c := range []struct{ m, shift uint64 }{{0, 1}, {1, 1}, {2, 1}, {3, 2}, {4, 2}, {5, 3}, {70000, 17}} {
		require.EqualValues(t, c.shift, fmd.Shift(c.m))
	}
	s := &fmd.Samples{Rate: 2, Places: make([]uint64, 11)} // of 45 rows
	for i := range s.Places {
		s.Places[i] = uint64(i) * 77
	}
	s.Strings = []uint64{3, 1, 0, 2}
	var file bytes.Buffer
	require.NoError(t, fmd.WriteSampledStrings(&file, s.Rate, s.Strings, uint64(len(s.Places))))
	require.NoError(t, fmd.WritePlaces(&file, s.Places[:5])) // in parts
	require.NoError(t, fmd.WritePlaces(&file, s.Places[5:]))
	n := int64(file.Len())
	require.Equal(t, n, fmd.SampledBytes(2, 45, 4))
	want := append([]byte("SSA\x01"), 2, 0, 0, 0, 2, 0, 0, 0)
	want = binary.LittleEndian.AppendUint64(binary.LittleEndian.AppendUint64(want, 4), 11)
	require.Equal(t, want, file.Bytes()[:28])
	got, err := fmd.ReadSamples(bytes.NewReader(file.Bytes()), n)
	require.NoError(t, err)
	require.Equal(t, s, got)
	rng := rand.New(rand.NewPCG(1, 2))
	for range 300 {
		bad := bytes.Clone(file.Bytes())
		if rng.IntN(2) == 0 {
			bad = bad[:rng.IntN(len(bad))]
		} else {
			bad[rng.IntN(28)] ^= 1 << rng.IntN(8)
		}
		got, err := fmd.ReadSamples(bytes.NewReader(bad), int64(len(bad)))
		if err == nil { // another rate
			require.Equal(t, s.Places, got.Places)
		}
	}
}

// Lengths are read as they were written; what is no list of them is an error.
func TestLengths(t *testing.T) {
	list := []fmd.Sequence{{"chr1", 248956422}, {"name with blanks", 1}, {"", 7}}
	var file bytes.Buffer
	require.NoError(t, fmd.WriteLengths(&file, list))
	got, err := fmd.ReadLengths(bytes.NewReader(file.Bytes()))
	require.NoError(t, err)
	require.Equal(t, list, got)
	for _, length := range []int{0, -1, 1 << 31} {
		require.Error(t, fmd.WriteLengths(&file, []fmd.Sequence{{"a", length}}))
	}
	for cut := range file.Len() {
		if got, err := fmd.ReadLengths(bytes.NewReader(file.Bytes()[:cut])); err == nil {
			require.Equal(t, list, got)
		}
	}
	_, err = fmd.ReadLengths(bytes.NewReader([]byte("chr1\t5\n")))
	require.Error(t, err)
}
