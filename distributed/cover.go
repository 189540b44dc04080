package distributed

import (
	"bytes"
)

// A difference cover of period 31: of any two positions there is a distance below 31 at which both are samples
// (Burkhardt & Kärkkäinen 2003; the set is J. Singer's, 1938). pDC3 of the papers has period 3. With 31 a fifth of the
// positions are samples instead of two thirds, and their names are of 31 characters.
const (
	period  = 31
	classes = 6
)

// residues are the residues of samples, in order; distributed.cl has the same.
var residues = [classes]uint8{0, 1, 3, 8, 12, 18}

var (
	classOf [period]uint8 // the number of a residue, or of the next one
	sampled [period]bool  // whether it is one
	common  [period]uint8 // by a difference d: residue x for which x+d is one, too
)

func init() {
	for class := len(residues) - 1; class >= 0; class-- {
		x := residues[class]
		sampled[x] = true
		for _, y := range residues {
			common[(period+y-x)%period] = x
		}
	}
	for x, class := 0, uint8(0); x < period; x++ {
		classOf[x] = class
		if sampled[x] {
			class++
		}
	}
}

// sampleNumber is the number of samples before position x, which is that of x if it is a sample.
func sampleNumber(x uint64) uint64 { return x/period*classes + uint64(classOf[x%period]) }

// samplePosition is the position of sample i.
func samplePosition(i uint64) uint64 { return i/classes*period + uint64(residues[i%classes]) }

// distance is the one at which x and y are samples both.
func distance(x, y uint64) uint64 {
	a := uint64(common[(y%period+period-x%period)%period])
	return (a + period - x%period) % period
}

// classSizes are how many samples of a text of n characters each class has.
func classSizes(n uint64) (sizes [classes]uint64) {
	for c, x := range residues {
		if n > uint64(x) {
			sizes[c] = (n-uint64(x)-1)/period + 1
		}
	}
	return sizes
}

// suffixes compares suffixes of a text by up to 31 characters and the ranks of samples.
type suffixes[P position] struct {
	text  []byte
	ranks []P // of the samples; nil: by all their characters
}

// compare compares the suffixes at x and y; those at the end of the text are empty.
func (s suffixes[P]) compare(x, y uint64) int {
	a, b := s.text[x:], s.text[y:]
	if x == y || s.ranks == nil {
		return compareBytes(a, b)
	}
	if k := distance(x, y); max(x, y)+k < uint64(len(s.text)) {
		if c := compareBytes(a[:k], b[:k]); c != 0 {
			return c
		}
		if s.ranks[sampleNumber(x+k)] < s.ranks[sampleNumber(y+k)] {
			return -1
		}
		return 1
	}
	return compareBytes(a, b) // one has 31 characters or fewer
}

func compareBytes(a, b []byte) int { return bytes.Compare(a, b) }
