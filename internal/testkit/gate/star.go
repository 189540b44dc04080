package gate

import (
	"bytes"
	"slices"
	"strings"
)

// starBin is the distance of sequences with starRest.
const starBin = 1 << 6

var starRest = []string{"out", "--sa-index-bases", "4", "--chr-bin-bits", "6"}

// starGenome are the codes of sequences at multiples of starBin, with 5 between them.
func starGenome(texts [][]uint64) (genome []byte) {
	for _, text := range texts {
		for _, c := range text {
			code := bytes.IndexByte([]byte("ACGT"), byte(c)&^0x20)
			if code < 0 {
				code = 4
			}
			genome = append(genome, byte(code))
		}
		for next := ((len(genome)+1)/starBin + 1) * starBin; len(genome) < next; {
			genome = append(genome, 5)
		}
	}
	return genome
}

// runSTAR compares the genome and the suffix array of a folder of STAR with what they are by definition: suffixes of
// both strands that begin with a base, up to the first 5 in the order of their letters, then in that of their places.
func runSTAR(t *trial, _ []string) error {
	if _, err := t.command(with(strings.Fields(t.verb.name), "text", t.verb.rest, "-q")...); err != nil {
		return err
	}
	genome := starGenome(t.in.texts)
	if err := t.file("out/Genome", genome); err != nil {
		return err
	}
	both := slices.Clone(genome)
	for _, code := range slices.Backward(genome) {
		both = append(both, []byte{3, 2, 1, 0, 4, 5}[code])
	}
	var rows []int
	for at, code := range both {
		if code < 4 {
			rows = append(rows, at)
		}
	}
	letters := func(at int) []byte {
		end := bytes.IndexByte(both[at:], 5)
		if end < 0 {
			return both[at:]
		}
		return both[at : at+end]
	}
	slices.SortStableFunc(rows, func(a, b int) int { // what ends at a 5 is larger than what goes on
		return bytes.Compare(append(slices.Clone(letters(a)), 5), append(slices.Clone(letters(b)), 5))
	})
	const width = 33
	packed := make([]byte, (len(rows)-1)*width/8+8)
	for i, at := range rows {
		v := uint64(at)
		if at >= len(genome) {
			v = uint64(at-len(genome)) | 1<<(width-1)
		}
		for bit := range width {
			packed[(i*width+bit)/8] |= byte(v>>bit&1) << ((i*width + bit) % 8)
		}
	}
	return t.file("out/SA", packed)
}
