// Package weblike makes texts for measurements of deduplication: documents of words, with copies of the kinds that
// pages of the web have.
package weblike

import (
	"math"
	"math/rand/v2"

	"github.com/suffixcl/suffixcl/internal/parallel"
)

// Statistics of the documents. A block of documents is made on its own, so that a text is made by all cores, and the
// same on any number of them.
const (
	blockLen    = 1 << 22
	poolLen     = 1 << 22 // of the passages that are quoted, in the first block
	words       = 50_000  // different ones, by Zipf's law
	meanLog     = 7.3     // of the length of a document, in bytes: a median of 1,480
	sigmaLog    = 1.0
	templates   = 500  // pieces of boilerplate, of 60 to 460 bytes
	boilerplate = 0.30 // documents with one of them at their end, by Zipf's law
	quotes      = 0.10 // documents with a passage of 100 to 1,100 bytes of another
	copies      = 0.04 // documents that are another one, with a word in 200 changed
)

// maker has what all blocks share.
type maker struct {
	words     [][]byte
	templates [][]byte
	seed      uint64
}

// New returns a text of n bytes, and where its documents begin, with n after them.
func New(n int, seed uint64) (text []byte, documents []uint64) {
	rng := rand.New(rand.NewPCG(seed, 1))
	m := &maker{seed: seed}
	for range words {
		m.words = append(m.words, word(rng))
	}
	for range templates {
		m.templates = append(m.templates, m.sentence(rng, 60+rng.IntN(400)))
	}
	text = make([]byte, n)
	blocks := (n + blockLen - 1) / blockLen
	starts := make([][]uint64, blocks)
	make1 := func(b int) {
		at := b * blockLen
		starts[b] = m.block(text[:min(at+blockLen, n)], at, text[:min(poolLen, n)])
	}
	if n > 0 {
		make1(0)
	}
	parallel.Do(max(blocks-1, 0), 1, func(lo, hi int) {
		for b := lo; b < hi; b++ {
			make1(b + 1)
		}
	})
	for _, s := range starts {
		documents = append(documents, s...)
	}
	return text, append(documents, uint64(n))
}

func word(rng *rand.Rand) []byte {
	w := make([]byte, 2+rng.IntN(5)+rng.IntN(5))
	for i := range w {
		w[i] = "etaoinshrdlucmfwypvbgkjqxz"[int(26*math.Pow(rng.Float64(), 1.7))]
	}
	return append(w, ' ')
}

func (m *maker) pick(rng *rand.Rand) []byte {
	return m.words[min(int(math.Exp(rng.Float64()*math.Log(words)))-1, words-1)]
}

func (m *maker) sentence(rng *rand.Rand, length int) (s []byte) {
	for len(s) < length {
		s = append(s, m.pick(rng)...)
	}
	return s[:length]
}

// block fills text from byte `at` on with documents, and returns where they begin. Passages come from the pool.
func (m *maker) block(text []byte, at int, pool []byte) (starts []uint64) {
	rng := rand.New(rand.NewPCG(m.seed, uint64(at)+2))
	source := pool[:min(len(pool), max(at, 1))]
	for at < len(text) {
		starts = append(starts, uint64(at))
		length := int(math.Exp(meanLog + sigmaLog*rng.NormFloat64()))
		end := min(at+max(length, 50), len(text))
		from := rng.IntN(len(source))
		if rng.Float64() < copies {
			for at < end && from < len(source) {
				some := min(end-at, len(source)-from, 200+rng.IntN(2000))
				copy(text[at:], source[from:from+some])
				at, from = at+some, from+some
				at += copy(text[at:end], m.pick(rng))
			}
			continue
		}
		quote := -1
		if rng.Float64() < quotes {
			quote = at + rng.IntN(end-at)
		}
		tail := end
		var template []byte
		if rng.Float64() < boilerplate {
			template = m.templates[min(int(math.Exp(rng.Float64()*math.Log(templates)))-1, templates-1)]
			tail = max(end-len(template), at)
		}
		for at < tail {
			if quote >= 0 && at >= quote {
				at += copy(text[at:tail], source[from:min(from+100+rng.IntN(1000), len(source))])
				quote = -1
				continue
			}
			at += copy(text[at:tail], m.pick(rng))
		}
		at += copy(text[at:end], template)
	}
	return starts
}
