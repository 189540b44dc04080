package bsdiff

import (
	"bytes"
	"math/rand/v2"
	"testing"

	"github.com/suffixcl/suffixcl/conformance"
	"github.com/suffixcl/suffixcl/internal/bzip2"
)

// BenchmarkSegments finds the segments of a new file and makes blocks of them: all of a patch but sorting and coding.
func BenchmarkSegments(b *testing.B) {
	random := rand.New(rand.NewPCG(9, 9))
	old := make([]byte, 8<<20)
	for i := range old {
		old[i] = byte(random.IntN(30))
	}
	changed := func(each int) []byte {
		fresh := bytes.Clone(old)
		for range len(fresh) / each {
			from, to := random.IntN(len(old)-each/20), random.IntN(len(old)-each/20)
			copy(fresh[to:to+each/20], old[from:])
			fresh[random.IntN(len(old))] ^= 1
		}
		return fresh
	}
	sa := conformance.ReferenceSuffixArray(old)
	for name, fresh := range map[string][]byte{"few": changed(1 << 16), "many": changed(1 << 10)} {
		b.Run(name, func(b *testing.B) {
			b.SetBytes(int64(len(fresh)))
			for b.Loop() {
				m := &matcher{old: old, new: fresh, sa: sa}
				p := &packing{}
				for i := range p.splitters {
					p.splitters[i] = bzip2.NewSplitter(func(*bzip2.Block) error { return nil })
				}
				if err := m.each(func(s segment) error { return s.send(m, p) }); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
