package fmindex_test

import (
	"bytes"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/suffixcl/suffixcl/conformance"
	"github.com/suffixcl/suffixcl/internal/fmindex"
	"github.com/suffixcl/suffixcl/seqio"
)

// strandsOf is the index of bases and their reverse complement, by definition.
func strandsOf(bases []byte, every int) *fmindex.Strands {
	n := 2 * len(bases)
	text := make([]byte, n)
	for i, base := range bases {
		text[i], text[n-1-i] = base, 3-base
	}
	x := &fmindex.Strands{Transform: []byte{}, Samples: []uint32{}, Every: every}
	rows := append([]uint32{uint32(n)}, conformance.ReferenceSuffixArray(text)...)
	for row, place := range rows {
		if place == 0 {
			x.Primary = row
		} else {
			x.Transform = append(x.Transform, text[place-1])
		}
		if every > 0 && row > 0 && row%every == 0 {
			x.Samples = append(x.Samples, place)
		}
	}
	return x
}

// An index of both strands is read as it was written, has the size of its header, and is no other index.
func TestStrands(t *testing.T) {
	r := rand.New(rand.NewPCG(71, 1))
	for _, n := range []int{1, 31, 32, 33, 63, 64, 65, 1000} {
		bases := make([]byte, n)
		for i := range bases {
			bases[i] = byte(r.IntN(4))
		}
		for _, every := range []int{0, 1, 2, 32, 5000} {
			x := strandsOf(bases, every)
			x.Records = seqio.Table{{Name: "first", Length: n / 2}, {Name: "", Offset: n / 2, Length: n - n/2}}
			var file bytes.Buffer
			require.NoError(t, x.Write(&file))
			as, cs := bytes.Count(x.Transform, []byte{0}), bytes.Count(x.Transform, []byte{1})
			h := fmindex.StrandsHeader(2*n, uint64(as), uint64(cs), x.Records, every)
			size, err := h.FileBytes()
			require.NoError(t, err)
			require.EqualValues(t, size, file.Len())
			got, err := fmindex.ReadStrands(bytes.NewReader(file.Bytes()))
			require.NoError(t, err)
			require.Equal(t, x, got)
			_, err = fmindex.Read(bytes.NewReader(file.Bytes()))
			require.ErrorIs(t, err, fmindex.ErrBothStrands)
			require.ErrorIs(t, err, fmindex.ErrFormat)
			_, err = fmindex.ReadHeader(bytes.NewReader(file.Bytes()))
			require.ErrorIs(t, err, fmindex.ErrBothStrands)
			_, err = fmindex.ReadStrands(bytes.NewReader(file.Bytes()[:file.Len()-1]))
			require.ErrorContains(t, err, "it is cut off")
		}
	}
	var file bytes.Buffer
	far := strandsOf([]byte{0, 1, 2}, 2)
	far.Samples[1] = 6
	require.NoError(t, far.Write(&file))
	_, err := fmindex.ReadStrands(&file)
	require.ErrorContains(t, err, "sample 1 is 6, beyond the text")
	one := strandsOf([]byte{0, 1, 2}, 2)
	one.Transform[0] ^= 1
	require.ErrorContains(t, one.Write(&file), "not those of both strands")
	long := strandsOf([]byte{0, 1, 2}, 2)
	long.Records = seqio.Table{{Length: 4}}
	require.ErrorContains(t, long.Write(&file), "on both strands")
}
