package ranges

import (
	"slices"

	"github.com/suffixcl/suffixcl/device"
)

// covers are the difference covers, by period: each difference is that of two residues, and all but 0 of only two. Such
// sets exist for periods q*q + q + 1, q a power of a prime (Singer, 1938).
var covers = map[int][]uint16{
	7:   {0, 1, 3},
	31:  {0, 1, 3, 8, 12, 18},
	73:  {0, 1, 3, 7, 15, 31, 36, 54, 63},
	133: {0, 1, 3, 12, 20, 34, 38, 81, 88, 94, 104, 109},
	273: {0, 1, 3, 7, 15, 31, 63, 90, 116, 127, 136, 181, 194, 204, 233, 238, 255},
	553: {0, 1, 3, 13, 41, 61, 85, 90, 94, 115, 137, 201, 207, 238, 246, 257, 264, 280, 326, 385, 421, 456, 488, 539},
	993: {0, 1, 3, 13, 101, 127, 154, 169, 204, 210, 226, 235, 259, 289, 297, 317, 356, 434, 474, 478, 495, 538, 570, 584,
		589, 607, 618, 654, 749, 756, 801, 920},
	1893: {0, 1, 9, 19, 97, 191, 254, 259, 291, 349, 430, 456, 505, 560, 616, 666, 768, 839, 953, 977, 993, 1005, 1066,
		1070, 1136, 1182, 1221, 1285, 1300, 1369, 1420, 1492, 1506, 1549, 1616, 1690, 1724, 1749, 1766, 1811, 1858, 1864,
		1871, 1891},
}

// periodsOf are the periods to choose from, the fastest first, for characters of so many bits. Small ones compare fewer
// characters, larger ones have fewer samples to sort, which each of several devices does. A CPU waits for the
// characters that it compares.
func periodsOf(c *device.Caps, width, devices int) []int {
	switch {
	case width <= 2 && c.CPUShape: // a period takes few windows
		return []int{273, 993}
	case width <= 2:
		return []int{993, 1893}
	case c.CPUShape:
		return []int{31, 73, 133, 273, 993}
	case devices > 1:
		return []int{273, 993, 1893}
	}
	return []int{133, 273, 993, 1893}
}

// cover is a difference cover.
type cover struct {
	period   int
	residues []uint16
}

func coverOf(period int) (cover, bool) {
	residues, ok := covers[period]
	return cover{period, residues}, ok
}

// table is the table of the cover in ranges.cl.
func (c cover) table() []uint16 {
	table := make([]uint16, 2*c.period, 3*c.period)
	for class, x := range c.residues {
		table[c.period+int(x)] = uint16(class)
		for _, y := range c.residues {
			table[(int(y)-int(x)+c.period)%c.period] = x
		}
	}
	return append(table, c.residues...)
}

// tableLen is the length of table.
func (c cover) tableLen() int { return 2*c.period + len(c.residues) }

// samples is the number of positions of a text of n characters that the cover has.
func (c cover) samples(n int) int {
	rest, _ := slices.BinarySearch(c.residues, uint16(n%c.period))
	return n/c.period*len(c.residues) + rest
}

// sampleAt is the number of the sample at a position.
func (c cover) sampleAt(position int) int { return c.samples(position) }

// position is the position of sample x.
func (c cover) position(x int) int {
	return x/len(c.residues)*c.period + int(c.residues[x%len(c.residues)])
}
