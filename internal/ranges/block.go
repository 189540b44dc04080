package ranges

// blockLen is the most suffixes of a block, and blocksAtOnce how many blocks are on their way. Where their order is
// free there are blockParts times as many, which are smaller: each has a goroutine that hands it out, and copies alone.
// Where processors share each block, they wait for each other longer than they copy.
const (
	blocksAtOnce = 3
	blockParts   = 4
)

var blockLen = 4 << 20 // tests have others

// Block is a part of the results.
type Block[P uint32 | uint64] struct {
	First     int    // index in the suffix array
	Len       int    // suffixes
	Positions []P    // [Len] the suffixes, if they are wanted
	Packed    []byte // [Options.Packed.Bytes(Entries)] the suffixes, if they are wanted so
	Entries   int    // of Packed: Len if all positions are packed, else the next ones of those that are
	Transform []byte // a part of the transform, if that is wanted
	// LCP [Len] is how many characters each suffix shares with the one before, if that is wanted; 0 for the first of all.
	LCP []P
	// TransformFirst and LCPFirst are the indices of the first of these. That of LCP is First, but where there are
	// [Ranks]: then a block has the entry after its last suffix instead of that of its first.
	TransformFirst, LCPFirst int
}

// hostBlock is page-locked memory for a block.
type hostBlock[P uint32 | uint64] struct {
	positions []P      // nil if they are not wanted
	packed    []byte   // the same
	entries   *Entries // as which these are packed where that is done on the host
	transform []byte   // the same, with room for the first character
	lcp       []P      // the same, with room for what the block before has left
}

func newHostBlock[P uint32 | uint64](from *pinned, n int, o Options) (b hostBlock[P]) {
	switch {
	case o.NoPositions:
	case o.Packed != nil:
		b.packed = take[byte](from, o.Packed.Bytes(n))
	default:
		b.positions = take[P](from, n)
	}
	if o.Transform {
		b.transform = take[byte](from, n+1)
	}
	if o.LCP {
		b.lcp = take[P](from, n+1)
	}
	return b
}

// cut leaves a block its part of the transform, of which the first place is free: the last character of the text is
// before that of the first suffix, and the whole text, at slot `whole` of the block unless that is negative, has none.
// before tells whether the whole text comes in this block, or after it.
func (b *Block[P]) cut(whole int, before bool, last byte) {
	part := b.Transform[1:]
	if whole >= 0 {
		part = append(part[:whole], part[whole+1:]...)
	}
	if b.TransformFirst = b.First; before {
		b.TransformFirst++
	}
	if b.First == 0 {
		part = b.Transform[:len(part)+1]
		part[0], b.TransformFirst = last, 0
	}
	b.Transform = part
}
