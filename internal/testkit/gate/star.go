package gate

import "bytes"

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
