package ranges

import (
	"math"
)

// chooseCode writes the alphabetic code of the text to the device, if it is worth it.
func (r *run[P]) chooseCode() error {
	r.code = nil
	m := r.memory
	if m.codes == nil || !mayCode(r.session, r.n) {
		return nil
	}
	pairs, err := r.text.pairs()
	if err != nil {
		return err
	}
	c, _ := r.text.coded()
	a := newAlphabetic(&c, pairs)
	if a.expected > worthCoding.share*float64(r.shape.width) {
		return nil
	}
	if err := m.codes.Buffer(r.session).View(0, len(a.words)).Write(a.words); err != nil {
		return err
	}
	r.code = a
	return m.classes.Buffer(r.session).Write(a.classes[:])
}

// codes tells whether first windows are those of the alphabetic code.
func (r *run[P]) codes() bool { return r.code != nil && !r.namesEqually() }

// codeArgs are the arguments of kernels about the code.
func (r *run[P]) codeArgs() []any {
	m := r.memory
	return []any{m.codes.Buffer(r.session), m.classes.Buffer(r.session), uint32(r.code.symbols), uint32(r.code.contexts)}
}

// codedSuffix reads what it codes from the device. A failure sticks to the session.
func (r *run[P]) codedSuffix(i int) uint64 {
	width := r.shape.width
	words, from := make([]uint64, wordsOfCoded(width)), i*width/64
	have := words[:min(len(words), packedWords(r.n, width)-from)]
	if err := r.memory.packed.Buffer(r.session).View(from, len(have)).Read(have); err != nil {
		r.session.Fail(err)
	}
	return r.code.of(words, width, i, r.n)
}

// redundancy is how many bits of the packed text tell as much as one of random text.
func (r *run[P]) redundancy() float64 { return float64(r.shape.width) / max(r.text.spread, 1e-3) }

// shortens tells whether m suffixes are sorted by short keys.
func (r *run[P]) shortens(m int) bool {
	if r.ranks == nil {
		m = r.samples // keys of an interval are those of all
	}
	return r.primitives.short != nil && !r.codes() && !r.namesEqually() &&
		(math.Log2(float64(m))+spareBitsShort)*r.redundancy() <= shortBits
}

// namesEqually tells whether equal names have to agree in equally many characters: samples are named, for LCP arrays.
func (r *run[P]) namesEqually() bool { return r.ranks == nil && r.options.LCP }

// keyOf is the key of the suffixes of an interval.
func (r *run[P]) keyOf(i interval) key {
	switch {
	case r.codes():
		low, high := r.ends(i, r.codedSuffix)
		k := keyOf(r.n, low, high, redundancyOfCode)
		k.chars = k.bits / longestCode
		return k
	case r.ranks == nil:
		return keyOfAll(r.samples, r.shape.width, r.redundancy())
	}
	low, high := r.ends(i, r.firstBits)
	k := keyOf(r.n, low, high, r.redundancy())
	k.chars = k.bits / r.shape.width
	return k
}

// ends are the first 64 bits of the least suffix that an interval may have, and of the greatest. Those of samples that
// are named are not known: they are compared with bounds up to the depth.
func (r *run[P]) ends(i interval, of func(suffix int) uint64) (low, high uint64) {
	high = math.MaxUint64
	if r.ranks == nil {
		return low, high
	}
	if i.low.kind != unbounded {
		low = of(i.low.suffix)
	}
	if i.high.kind != unbounded {
		high = of(i.high.suffix)
	}
	return low, high
}

// firstBits reads the first 64 bits of suffix i from the device. A failure sticks to the session.
func (r *run[P]) firstBits(i int) uint64 {
	var words [2]uint64
	at := i * r.shape.width
	if err := r.memory.packed.Buffer(r.session).View(at/64, 2).Read(words[:]); err != nil {
		r.session.Fail(err)
	}
	return words[0]<<(at%64) | words[1]>>1>>(63-at%64)
}
