package mappability

import (
	"fmt"

	"github.com/suffixcl/suffixcl/device"
	"github.com/suffixcl/suffixcl/internal/cltype"
	"github.com/suffixcl/suffixcl/internal/intmath"
	"github.com/suffixcl/suffixcl/internal/limits"
	"github.com/suffixcl/suffixcl/internal/tune"
	"github.com/suffixcl/suffixcl/internal/tuned"
	"github.com/suffixcl/suffixcl/radixsort"
)

const (
	// LongestKmer is the greatest k that Kmers counts: each k-mer is read as often as there are parts.
	LongestKmer = 256
	// DistinctKmer is up to which k different k-mers have different hashes.
	DistinctKmer = 32
	// NoLetter is the code of what is no letter.
	NoLetter = 4
	// PackUnit divides where pieces of a text begin.
	PackUnit = 32

	letterBits = 2
)

// Kmers counts k-mers of texts of up to four letters without a suffix array: sorted hashes of them, part by part.
type Kmers struct {
	s                     *device.Session
	n, room               int
	shape                 tune.Matches
	pack, collect, counts *device.Kernel
	byHash                *radixsort.Plan[uint64, uint32]

	packed    *device.Buffer[uint64]
	gaps      *device.Buffer[uint32]
	codes     *device.Buffer[uint8]
	counters  *device.Buffer[uint32]
	hashes    radixsort.Pair[uint64]
	positions radixsort.Pair[uint32]
}

// NewKmers plans the k-mers of texts of up to n characters, of which a part has at most room. Errors: a
// *suffixcl.LengthError for n over suffixcl.MaxLen; room for none.
func NewKmers(s *device.Session, n, room int) (*Kmers, error) {
	if err := limits.CheckLen("text", n, limits.MaxLen); err != nil {
		return nil, err
	}
	if room < 1 {
		return nil, fmt.Errorf("mappability: room for %d k-mers", room)
	}
	p := &Kmers{s: s, n: n, room: min(room, max(n, 1)), shape: tuned.Of(s).Matches}
	program := s.Program(device.Source{Files: []string{"text.cl", "kmers.cl"},
		Defines: device.Defines{"WG": p.shape.WG, "ITEMS": p.shape.Items}})
	kernel := func(name string) *device.Kernel { return program.Kernel("kmers_"+name, p.shape.WG) }
	p.pack, p.collect, p.counts = kernel("pack"), kernel("collect"), kernel("counts")
	p.byHash = radixsort.NewPairs[uint64, uint32](s, p.room)
	return p, nil
}

// Room is the most k-mers of a part.
func (p *Kmers) Room() int { return p.room }

// Workspace is what Begin carves from its workspace, and each part's sort after it: 3/8 bytes a character and 24 for
// each k-mer of a part.
func (p *Kmers) Workspace() device.Pieces {
	hashes, positions := device.PieceOf[uint64](p.room), device.PieceOf[uint32](p.room)
	return device.PieceOf[uint64](p.words()+1).And(device.PieceOf[uint32](p.words()), device.PieceOf[uint8](256),
		device.PieceOf[uint32](2), hashes, hashes, positions, positions, p.byHash.Workspace())
}

// words is the number of words of the packed text.
func (p *Kmers) words() int { return max(intmath.CeilDiv(p.n, 64/letterBits), 1) }

func (p *Kmers) groups(n int) int { return intmath.CeilDiv(n, p.shape.WG*p.shape.Items) }

// Begin has memory for a text. codes are those of the letters, NoLetter for other bytes; that of a complement is 3 less
// that of the letter. Errors are the session's.
func (p *Kmers) Begin(ws *device.Workspace, codes *[256]uint8) {
	p.packed = device.Carve[uint64](ws, p.words()+1)
	p.gaps = device.Carve[uint32](ws, p.words())
	p.codes, p.counters = device.Carve[uint8](ws, 256), device.Carve[uint32](ws, 2)
	p.hashes = radixsort.Pair[uint64]{Cur: device.Carve[uint64](ws, p.room), Alt: device.Carve[uint64](ws, p.room)}
	p.positions = radixsort.Pair[uint32]{Cur: device.Carve[uint32](ws, p.room), Alt: device.Carve[uint32](ws, p.room)}
	p.packed.View(p.words(), 1).Fill(0)
	p.codes.Write(codes[:])
}

// Pack enqueues packing a piece of the text, from character `from` on, a multiple of PackUnit; pieces but the last one
// have multiples of it. Errors, on the session: a piece beyond the text, or that begins elsewhere.
func (p *Kmers) Pack(piece *device.Buffer[uint8], from int) {
	if from < 0 || from%PackUnit != 0 || piece.Len() > p.n-from {
		p.s.Fail(fmt.Errorf("mappability: a piece of %d characters from %d on, planned for %d", piece.Len(), from, p.n))
		return
	}
	words := intmath.CeilDiv(piece.Len(), PackUnit)
	p.pack.Launch(p.groups(words), int64(piece.Len())+12*int64(words), piece, uint64(piece.Len()), p.codes,
		uint64(from/PackUnit), p.packed, p.gaps)
}

// Part are the k-mers whose second hash is from Low to High. Those of all parts are counted with the same seed.
type Part struct {
	K         int
	Both      bool // a k-mer and its reverse complement are the same
	Seed      uint64
	Low, High uint32
}

// Collect enqueues listing the k-mers of a part of the text of n characters that was packed. It returns the buffer of
// their number, which may be greater than Room: then Count has to be called for smaller parts. Errors, on the session:
// k is 0 or greater than LongestKmer; a longer text.
func (p *Kmers) Collect(n int, of Part) *device.Buffer[uint32] {
	if of.K < 1 || of.K > LongestKmer || n > p.n {
		p.s.Fail(fmt.Errorf("mappability: %d-mers of %d characters, planned for %d", of.K, n, p.n))
		return p.counters
	}
	p.counters.Fill(0)
	p.collect.Launch(p.groups(n), int64(n)*3/8+12*int64(p.room), p.packed, p.gaps, uint64(n), uint32(of.K),
		cltype.Flag(of.Both), of.Seed, of.Low, of.High, uint32(p.room), p.counters, p.hashes.Cur, p.positions.Cur)
	return p.counters.View(0, 1)
}

// Count enqueues sorting the k-mers of the part that Collect listed, of which there are so many, and writing to
// counts [n]uint32 how often each occurs that is there several times. It returns a buffer whose element is not 0 if
// different k-mers have the same hash: then all parts have to be counted with another seed. Errors, on the session:
// more k-mers than Room.
func (p *Kmers) Count(ws *device.Workspace, of Part, kmers int, counts *device.Buffer[uint32]) *device.Buffer[uint32] {
	collisions := p.counters.View(1, 1)
	if kmers > p.room {
		p.s.Fail(fmt.Errorf("mappability: %d k-mers, planned for %d", kmers, p.room))
		return collisions
	}
	p.byHash.Run(ws, &p.hashes, &p.positions, kmers, 0, 64)
	p.counts.Launch(p.groups(kmers), 8*int64(kmers), p.packed, uint32(of.K), cltype.Flag(of.Both), p.hashes.Cur,
		p.positions.Cur, uint64(kmers), p.counters, counts)
	return collisions
}
