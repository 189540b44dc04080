// Package prefixes counts the suffixes of a text of four letters, and of its reverse complement, by the letters that
// they begin with, without sorting them. FirstRows is the index of STAR, which is made of these counts.
package prefixes

import (
	"fmt"

	"github.com/suffixcl/suffixcl/device"
	"github.com/suffixcl/suffixcl/internal/intmath"
	"github.com/suffixcl/suffixcl/internal/tune"
	"github.com/suffixcl/suffixcl/internal/tuned"
)

const (
	// Longest is the greatest number of letters that suffixes are told apart by.
	Longest = 16
	// NoLetter is the code of what is no letter.
	NoLetter = 4
	// Unit divides where pieces of a text begin.
	Unit = 32

	// mostCarries is how often all counts together may pass 2^32: there are fewer than 2^37 suffixes.
	mostCarries = 32
	// mostItems is how many words a work-item takes at most where loops may not be long.
	mostItems = 1 << 9
)

// Sequences is the number of sequences of 1 to k letters: about 4/3 * 4^k.
func Sequences(k int) int { return (1<<(2*k+2) - 4) / 3 }

// Start is the number of the first sequence of so many letters. Those of fewer come before, and each number of letters
// has its sequences in the order of the codes, the first letter in the high bits.
func Start(letters int) int { return Sequences(letters - 1) }

// Table are the sequences that are told apart: those of up to Letters letters. Of those of more than Fixed letters it
// has the ones that begin with the sequence Part of Fixed letters: with 0 fixed letters it has all.
type Table struct{ Letters, Fixed, Part int }

// leaves is how many sequences of Letters letters are in it.
func (t Table) leaves() int { return 1 << (2 * (t.Letters - t.Fixed)) }

// firstLeaf is the place of the first of these: all others come before them.
func (t Table) firstLeaf() int { return Sequences(t.Fixed) + Start(t.Letters-t.Fixed) }

// Places is how many sequences it has.
func (t Table) Places() int { return t.firstLeaf() + t.leaves() }

// Sequence is one of so many letters, by its code.
type Sequence struct{ Length, Code int }

// has tells whether it has a sequence.
func (t Table) has(of Sequence) bool {
	return of.Length <= t.Fixed || of.Code>>(2*(of.Length-t.Fixed)) == t.Part
}

// at is the place of a sequence that it has.
func (t Table) at(of Sequence) int {
	if of.Length <= t.Fixed {
		return Start(of.Length) + of.Code
	}
	more := of.Length - t.Fixed
	return Sequences(t.Fixed) + Start(more) + of.Code&(1<<(2*more)-1)
}

// args are TABLE_PARAMS of prefixes.cl.
func (t Table) args() []any { return []any{uint32(t.Letters), uint32(t.Fixed), uint64(t.Part)} }

// Plan counts in texts of up to n characters.
type Plan struct {
	s           *device.Session
	n, room     int
	table       Table
	shape       tune.Map
	pack, count *device.Kernel

	codes, pieces *device.Slot[uint8]
	packed        *device.Slot[uint64]
	gaps          *device.Slot[uint32]
	counts        *device.Slot[uint32]
	carries       *device.Slot[uint32]
	layout        *device.Layout
}

// New plans for suffixes told apart by k letters, all but `free` of which are fixed in a table. piece is the longest
// part of the text that Pack takes. Memory of the device: 3/8 bytes a character, 4 for each sequence of a table, and
// the piece. Error: k is not 1 to Longest, or free not 1 to k.
func New(s *device.Session, n, k, free, piece int) (*Plan, error) {
	if k < 1 || k > Longest {
		return nil, fmt.Errorf("prefixes: suffixes told apart by %d letters: 1 to %d are possible", k, Longest)
	}
	if free < 1 || free > k {
		return nil, fmt.Errorf("prefixes: %d free letters of %d", free, k)
	}
	p := &Plan{s: s, n: n, room: Table{Letters: k, Fixed: k - free}.Places(), shape: tuned.Of(s).Map}
	p.layout = device.NewLayout("prefixes")
	if !tuned.Quirks(s.Caps()).LongLoops { // prefixes_count goes round 32 times for a word
		p.shape.Items = min(p.shape.Items, mostItems)
	}
	program := s.Program(source(p.shape, "text.cl", "kmers.cl", "prefixes.cl", "prefixes_count.cl"))
	p.pack, p.count = program.Kernel("kmers_pack", p.shape.WG), program.Kernel("prefixes_count", p.shape.WG)
	p.packed = device.Reserve[uint64](p.layout, "packed text", p.words()+1)
	p.gaps = device.Reserve[uint32](p.layout, "gaps of the text", p.words()+1)
	p.pieces = device.Reserve[uint8](p.layout, "piece of the text", min(n, piece))
	p.codes = device.Reserve[uint8](p.layout, "codes", 256)
	p.counts = device.Reserve[uint32](p.layout, "counts", p.room+1)
	p.carries = device.Reserve[uint32](p.layout, "carries", 1+2*mostCarries)
	return p, nil
}

// source is a program of these files.
func source(shape tune.Map, files ...string) device.Source {
	return device.Source{Files: files,
		Defines: device.Defines{"WG": shape.WG, "ITEMS": shape.Items, "MOST_CARRIES": mostCarries}}
}

// Layout is the memory of the device.
func (p *Plan) Layout() *device.Layout { return p.layout }

func (p *Plan) words() int { return max(intmath.CeilDiv(p.n, Unit), 1) }

func (p *Plan) groups(n int) int { return intmath.CeilDiv(n, p.shape.WG*p.shape.Items) }

// Begin has the memory ready for a text. codes are those of the letters, NoLetter for other bytes; that of a complement
// is 3 less that of the letter. Errors are the session's.
func (p *Plan) Begin(codes *[256]uint8) {
	p.packed.Buffer(p.s).View(p.words(), 1).Fill(0)
	p.gaps.Buffer(p.s).Fill(^uint32(0))
	p.codes.Buffer(p.s).Write(codes[:])
}

// Piece is memory for a piece of so many characters.
func (p *Plan) Piece(n int) *device.Buffer[uint8] { return p.pieces.Buffer(p.s).View(0, n) }

// Pack enqueues packing a piece of the text, from a multiple of Unit on; pieces but the last one have multiples of it.
// Errors, on the session: a piece beyond the text, or that begins elsewhere.
func (p *Plan) Pack(piece *device.Buffer[uint8], from int) {
	if from < 0 || from%Unit != 0 || piece.Len() > p.n-from {
		p.s.Fail(fmt.Errorf("prefixes: a piece of %d characters from %d on, planned for %d", piece.Len(), from, p.n))
		return
	}
	words := intmath.CeilDiv(piece.Len(), Unit)
	p.pack.Launch(p.groups(words), int64(piece.Len())+12*int64(words), piece, uint64(piece.Len()), p.codes.Buffer(p.s),
		uint64(from/Unit), p.packed.Buffer(p.s), p.gaps.Buffer(p.s))
}

// Part are the suffixes that begin at characters [From, End), of the text and of its reverse complement. Of these only
// those count whose distance from Last, in both strands, is a multiple of Every: Last - i for that of the text at
// character i, i for that of the complement that begins at character i.
type Part struct {
	From, End   int
	Every, Last int
}

// Clear enqueues beginning a table, with no suffix counted. Error, on the session: one that has more sequences than
// planned.
func (p *Plan) Clear(t Table) {
	if t.Letters < 1 || t.Letters > Longest || t.Fixed < 0 || t.Fixed >= t.Letters || t.Places() > p.room {
		p.s.Fail(fmt.Errorf("prefixes: %+v, planned for %d sequences", t, p.room))
		return
	}
	p.table = t
	p.counts.Buffer(p.s).View(0, t.Places()+1).Fill(0)
	p.carries.Buffer(p.s).Fill(0)
}

// Count enqueues adding the suffixes of a part to the counts of the table. Errors, on the session: a part beyond the
// text; Every less than 1.
func (p *Plan) Count(of Part) {
	if of.From < 0 || of.From > of.End || of.End > p.n || of.Every < 1 || of.Last < of.End-1 {
		p.s.Fail(fmt.Errorf("prefixes: %+v of a text of %d characters", of, p.n))
		return
	}
	if of.From == of.End {
		return
	}
	words := intmath.CeilDiv(of.End, Unit) - of.From/Unit
	p.count.Launch(p.groups(words), 12*int64(words)+16*int64(of.End-of.From), p.packed.Buffer(p.s), p.gaps.Buffer(p.s),
		uint64(of.From), uint64(of.End), uint32(of.Every), uint64(of.Last), p.table.args(), p.counts.Buffer(p.s),
		p.carries.Buffer(p.s))
}

// Counts are the counts of the table, in 32 bits, in the order of prefixes.cl.
func (p *Plan) Counts() *device.Buffer[uint32] { return p.counts.Buffer(p.s).View(0, p.table.Places()) }

// Carries returns the places of counts that have passed 2^32, each as often as that was. Errors are the session's.
func (p *Plan) Carries() ([]int, error) {
	var all [1 + 2*mostCarries]uint32
	if err := p.carries.Buffer(p.s).Read(all[:]); err != nil {
		return nil, err
	}
	places := make([]int, min(int(all[0]), mostCarries))
	for i := range places {
		places[i] = int(all[2+2*i])<<32 | int(all[1+2*i])
	}
	return places, nil
}
