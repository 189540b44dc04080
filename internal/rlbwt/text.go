package rlbwt

import (
	"fmt"
	"math/bits"

	"github.com/suffixcl/suffixcl/device"
	"github.com/suffixcl/suffixcl/internal/fmd"
	"github.com/suffixcl/suffixcl/internal/intmath"
)

// textRounds is TEXT_ROUNDS of kernels/rlbwt_text.cl.
const textRounds = 16

// letterSet has a bit for each letter that occurs, and that of fmd.Letters for what is no letter.
type letterSet uint32

const noLetter = letterSet(1 << fmd.Letters)

// count is the number of distinct letters of strings.
func (l letterSet) count() int { return bits.OnesCount32(uint32(l &^ 1)) }

// occur tells which letters of strings occur.
func (l letterSet) occur() *[256]bool {
	var there [256]bool
	for c := 1; c < fmd.Letters; c++ {
		there[c] = l>>c&1 == 1
	}
	return &there
}

// look tells where the strings of a text end, and what letters they have. Errors: what is no letter, letters without an
// end, the device's.
func (x *Index) look(codes []byte, text *device.Buffer[uint8]) (ends []uint32, letters letterSet, err error) {
	n := len(codes)
	if codes[n-1] != 0 {
		return nil, 0, fmt.Errorf("rlbwt: %d letters without an end", n)
	}
	seen, err := device.Alloc[uint32](x.s, 1)
	if err != nil {
		return nil, 0, err
	}
	defer seen.Release()
	seen.Fill(0)
	counts := counter{s: x.s}
	defer counts.release()
	tiles := intmath.CeilDiv(n, x.k.WG*x.k.Items*textRounds)
	total, err := counts.total(tiles, func(of *device.Buffer[uint32]) {
		x.k.textCount.Launch(tiles+1, int64(n), text, uint64(n), seen, of)
	})
	if err != nil {
		return nil, 0, err
	}
	var word [1]uint32
	if err := seen.Read(word[:]); err != nil {
		return nil, 0, err
	}
	if letters = letterSet(word[0]); letters&noLetter != 0 {
		for i, c := range codes {
			if c >= fmd.Letters {
				return nil, 0, fmt.Errorf("rlbwt: letter %d at %d", c, i)
			}
		}
	}
	places, err := device.Alloc[uint32](x.s, total)
	if err != nil {
		return nil, 0, err
	}
	defer places.Release()
	x.k.textEnds.Launch(tiles, int64(n), text, uint64(n), counts.first, places)
	ends = make([]uint32, total)
	return ends, letters, places.Read(ends)
}
