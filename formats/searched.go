package formats

import (
	"sort"

	"github.com/suffixcl/suffixcl"
	"github.com/suffixcl/suffixcl/formats/internal/bwa"
)

// BWAIndex is an index of bwa that is searched, or an FM-index of the same text.
type BWAIndex struct {
	transform suffixcl.DNATransform
	sequences []bwa.Sequence
	bases     uint64 // of a strand
}

// OpenBWA reads what is searched of the index of a prefix: the files .ann, .bwt and .sa. Memory: 2.5 bytes a base.
// Errors: those of the file system; suffixcl.ErrFormat with the file, the byte and what is wrong.
func OpenBWA(prefix string) (*BWAIndex, error) {
	x, err := bwa.ReadSearched(prefix)
	if err != nil {
		return nil, err
	}
	return &BWAIndex{suffixcl.DNATransform{Bases: x.Transform, Primary: x.Primary, Samples: x.Sample,
		Every: bwa.Interval}, x.Reference.Sequences, uint64(len(x.Transform) / 2)}, nil
}

// Transform is what is searched.
func (x *BWAIndex) Transform() *suffixcl.DNATransform { return &x.transform }

// Bases is the number of bases of a strand.
func (x *BWAIndex) Bases() int { return int(x.bases) }

// Place tells where a string of so many letters is that is at a position of the text of both strands: the name of its
// sequence, on which strand of it, and its place there from 0 on. What begins in the first strand and ends in the other
// one is on the first. A string beyond the end of a sequence is of the one that has its first letter on the forward
// strand.
func (x *BWAIndex) Place(position uint64, letters int) (sequence string, forward bool, at int) {
	if forward = position < x.bases; !forward {
		position = 2*x.bases - position - uint64(letters)
	}
	k := sort.Search(len(x.sequences), func(i int) bool { return uint64(x.sequences[i].Offset) > position }) - 1
	if k < 0 {
		return "", forward, int(position)
	}
	return x.sequences[k].Name, forward, int(position) - x.sequences[k].Offset
}
