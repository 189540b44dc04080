package distributed

import (
	"context"
	"errors"
	"math"
	"strings"
	"time"

	"github.com/suffixcl/suffixcl"
	"github.com/suffixcl/suffixcl/device"
	"github.com/suffixcl/suffixcl/internal/verify"
)

// LCP returns the block of the LCP array of the text whose blocks of text and suffix array are given: lcp
// [len(block)]uint64; entry j is the length of the longest common prefix of the suffixes in slots j-1 and j, entry 0 is
// 0. The text is there once a node. Verify first what comes from elsewhere: with another array the time may be
// quadratic.
//
// Errors as SuffixArray; on all ranks a *device.LengthError where a block has 2^32 characters or more, and a
// *suffixcl.MismatchError for an entry that is no position.
func (b *Builder) LCP(ctx context.Context, block []byte, sa []uint64) (lcp []uint64, err error) {
	r, err := b.beginRouted(ctx, "LCP array", len(block), len(sa))
	if err != nil || r.n == 0 {
		return nil, err
	}
	defer r.end(time.Now())
	r.report("lcp", 0, int64(r.n))
	if err := r.checkRange(sa); err != nil {
		return nil, err
	}
	previous, err := r.previous(sa)
	if err != nil {
		return nil, err
	}
	// phi: 1 and the suffix in the slot before, by position (Kärkkäinen, Manzini & Puglisi 2009).
	phi := make([]uint64, len(block))
	pairs := make([]ranked[uint64], len(sa))
	for j, v := range sa {
		pairs[j] = ranked[uint64]{v, previous[j]}
	}
	if err := note(r, phi, pairs); err != nil {
		return nil, err
	}
	memory, text, err := replicate(r, block, itself)
	if err != nil {
		return nil, err
	}
	defer memory.Free()
	h, steps := uint64(0), 0
	for i := range phi {
		if v := r.first + uint64(i); phi[i] == 0 {
			h = 0
		} else {
			for u := phi[i] - 1; max(u, v)+h < r.n && text[u+h] == text[v+h]; {
				h++
				if steps++; steps%stepsAtOnce == 0 && r.ctx.Err() != nil {
					return nil, context.Cause(r.ctx)
				}
			}
		}
		phi[i] = h
		h = max(h, 1) - 1
	}
	return fetched(r, sa, phi)
}

// stepsAtOnce is how many characters are compared between looks at the context: a wrong array may need n^2 comparisons.
const stepsAtOnce = 1 << 20

// previous returns 1 and the entry in the slot before, for each slot; 0 for slot 0.
func (r *rank) previous(sa []uint64) ([]uint64, error) {
	var last uint64
	if len(sa) > 0 {
		last = sa[len(sa)-1] + 1
	}
	all, err := gathered(r, last)
	if err != nil || len(sa) == 0 {
		return nil, err
	}
	list := make([]uint64, len(sa))
	for _, v := range all[:r.comm.Rank()] {
		if v > 0 {
			list[0] = v
		}
	}
	for j := 1; j < len(sa); j++ {
		list[j] = sa[j-1] + 1
	}
	return list, nil
}

// BWT returns the block of the Burrows-Wheeler transform of the text whose blocks of text and suffix array are given:
// [len(block)]byte, the row of the end marker left out, and the primary index, which is 1 and the slot of the whole
// text. Errors as LCP.
func (b *Builder) BWT(ctx context.Context, block []byte, sa []uint64) (transform []byte, primary uint64, err error) {
	r, err := b.beginRouted(ctx, "transform", len(block), len(sa))
	if err != nil || r.n == 0 {
		return nil, 0, err
	}
	defer r.end(time.Now())
	r.report("bwt", 0, int64(r.n))
	if err := r.checkRange(sa); err != nil {
		return nil, 0, err
	}
	found := uint64(math.MaxUint64)
	for j, v := range sa {
		if v == 0 {
			found = r.first + uint64(j)
		}
	}
	all, err := gathered(r, found)
	if err != nil {
		return nil, 0, err
	}
	for _, v := range all {
		found = min(found, v)
	}
	previous, err := r.previous(sa)
	if err != nil {
		return nil, 0, err
	}
	// Row j is before the suffix in slot j-1 up to the primary index, and in slot j after it; row 0 is the last
	// character.
	places := make([]uint64, len(sa))
	for j, v := range sa {
		switch row := r.first + uint64(j); {
		case row == 0:
			places[j] = r.n - 1
		case row <= found:
			places[j] = previous[j] - 2
		default:
			places[j] = v - 1
		}
		if places[j] >= r.n { // zero twice in what is no suffix array
			places[j] = 0
		}
	}
	transform, err = fetched(r, places, block)
	return transform, found + 1, err
}

// Verify returns nil if sa is the block of the suffix array of the text whose blocks are given, and on all ranks the
// *suffixcl.MismatchError of the first wrong slot if it is not. Linear time, no rank needs the text. Other errors as
// LCP.
func (b *Builder) Verify(ctx context.Context, block []byte, sa []uint64) error {
	r, err := b.beginRouted(ctx, "verify", len(block), len(sa))
	if err != nil || r.n == 0 {
		return err
	}
	defer r.end(time.Now())
	r.report("verify", 0, int64(r.n))
	if err := r.checkRange(sa); err != nil {
		return err
	}
	if one, err := r.onOneDevice(); err != nil {
		return err
	} else if one {
		return r.verifyOnOneDevice(block, sa)
	}
	slots := make([]ranked[uint64], len(sa))
	for j, v := range sa {
		slots[j] = ranked[uint64]{v, r.first + uint64(j)}
	}
	got, _, _, _, err := routed(r, slots, func(e ranked[uint64]) int { return r.owner(e.Pos) })
	if err != nil {
		return err
	}
	isa := make([]uint64, len(block)) // 1 and the slot
	twice := uint64(math.MaxUint64)
	for _, e := range got {
		if old := isa[e.Pos-r.first]; old > 0 {
			twice = min(twice, max(old-1, e.Rank))
			continue
		}
		isa[e.Pos-r.first] = e.Rank + 1
	}
	if err := r.mismatch(twice, "holds a position that another slot holds too"); err != nil {
		return err
	}
	return r.verifyOrder(block, sa, isa)
}

// verifyOnOneDevice has the device that the ranks share verify the array.
func (r *rank) verifyOnOneDevice(block []byte, sa []uint64) error {
	l := device.NewLayout("verify")
	text, array := device.Reserve[uint8](l, "text", int(r.n)), device.Reserve[uint32](l, "suffix array", int(r.n))
	checker := verify.New(r.session, int(r.n))
	me, s := r.comm.Rank(), r.session
	var (
		characters []byte
		entries    []uint32
		err        error
	)
	if piped(s) {
		err = r.openPipe()
	} else if characters, err = collected(r, block); err == nil {
		entries, err = collected(r, narrowed(make([]uint32, len(sa)), sa))
	}
	if err != nil {
		return err
	}
	if me == 0 {
		defer l.Release(s)
		defer checker.Release()
		text.In(characters)
		array.In(entries)
		if err = l.Allocate(s); err == nil {
			err = checker.Allocate()
		}
	}
	if err := r.agreed(err); err != nil {
		return err
	}
	switch {
	case piped(s):
		err = uploadAll(r, text.Buffer(s), func(lo int, to []byte) { copy(to, block[lo:]) })
		if err == nil {
			err = uploadAll(r, array.Buffer(s), func(lo int, to []uint32) { narrowed(to, sa[lo:]) })
		}
		if err != nil {
			return err
		}
	case me == 0:
		if err = text.Buffer(s).Upload(r.ctx, characters, nil); err == nil {
			err = array.Buffer(s).Upload(r.ctx, entries, nil)
		}
	}
	wrong := mismatch{Slot: math.MaxUint64}
	if me == 0 && err == nil {
		err = checker.Run(r.ctx, text.Buffer(s), array.Buffer(s))
		if m := (*verify.MismatchError)(nil); errors.As(err, &m) {
			wrong.Slot, err = uint64(m.At), nil
			copy(wrong.Why[:], m.Why)
		}
	}
	if err := r.agreed(err); err != nil {
		return err
	}
	all, err := gathered(r, wrong)
	if err != nil || all[0].Slot == math.MaxUint64 {
		return err
	}
	return &suffixcl.MismatchError{What: "suffix array", At: int(all[0].Slot),
		Why: strings.TrimRight(string(all[0].Why[:]), "\x00")}
}

// narrowed copies entries to ones of 32 bits, and returns these.
func narrowed(to []uint32, from []uint64) []uint32 {
	for i := range to {
		to[i] = uint32(from[i])
	}
	return to
}

// mismatch is a *suffixcl.MismatchError for other ranks.
type mismatch struct {
	Slot uint64
	Why  [120]byte
}

// verifyOrder compares neighbours by their first character, and then by the rank of what follows.
func (r *rank) verifyOrder(block []byte, sa, isa []uint64) error {
	chars, err := fetched(r, sa, block)
	if err != nil {
		return err
	}
	places := make([]uint64, 0, len(sa))
	for _, v := range sa {
		places = append(places, min(v+1, r.n-1)) // the last is not used
	}
	next, err := fetched(r, places, isa)
	if err != nil {
		return err
	}
	keys := make([]ranked[uint64], len(sa))
	for j, v := range sa {
		keys[j] = ranked[uint64]{uint64(chars[j]), next[j]}
		if v+1 == r.n { // the empty suffix is the smallest
			keys[j].Rank = 0
		}
	}
	var last [3]uint64 // whether there is one, and its key
	if len(keys) > 0 {
		last = [3]uint64{1, keys[len(keys)-1].Pos, keys[len(keys)-1].Rank}
	}
	all, err := gathered(r, last)
	if err != nil {
		return err
	}
	wrong := uint64(math.MaxUint64)
	var before *ranked[uint64]
	for _, e := range all[:r.comm.Rank()] {
		if e[0] > 0 {
			before = &ranked[uint64]{e[1], e[2]}
		}
	}
	for j, k := range keys {
		if before != nil && (k.Pos < before.Pos || k.Pos == before.Pos && k.Rank <= before.Rank) {
			wrong = min(wrong, r.first+uint64(j))
		}
		before = &keys[j]
	}
	return r.mismatch(wrong, "is not larger than the suffix in the slot before")
}

// checkRange returns an error on all ranks unless all entries are positions.
func (r *rank) checkRange(sa []uint64) error {
	wrong := uint64(math.MaxUint64)
	for j, v := range sa {
		if v >= r.n {
			wrong = r.first + uint64(j)
			break
		}
	}
	return r.mismatch(wrong, "is not a position of the text")
}

// mismatch returns the mismatch of the least slot of all ranks, if there is one.
func (r *rank) mismatch(slot uint64, why string) error {
	all, err := gathered(r, slot)
	if err != nil {
		return err
	}
	for _, v := range all {
		slot = min(slot, v)
	}
	if slot == math.MaxUint64 {
		return nil
	}
	return &suffixcl.MismatchError{What: "suffix array", At: int(slot), Why: why}
}
