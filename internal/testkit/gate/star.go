package gate

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"slices"
	"strings"
)

// starBin is the distance of sequences with starRest.
const starBin = 1 << 6

var starRest = []string{"out", "--sa-index-bases", fmt.Sprint(starLevels), "--chr-bin-bits", "6"}

// starLevels are those of the index with starRest.
const starLevels = 4

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

// starTrials are the runs of a genome.
var starTrials = []struct {
	out    string
	sparse int
	gtf    bool
}{{"out", 1, false}, {"sparse", 2, false}, {"annotated", 1, true}, {"both", 3, true}}

// runSTAR compares the genome, the suffix array and the index before it of folders of STAR with what they are by
// definition.
func runSTAR(t *trial, _ []string) error {
	plain := starGenome(t.in.texts)
	for _, of := range starTrials {
		flags := slices.Concat([]string{of.out}, starRest[1:], []string{"--sparse", fmt.Sprint(of.sparse)})
		if of.gtf {
			name, _, _ := strings.Cut(strings.TrimPrefix(string(t.in.file), ">"), "\n")
			n := len(t.in.texts[0])
			if n < 16 {
				continue
			}
			exon := "%s\t.\texon\t%d\t%d\t.\t+\t.\ttranscript_id x\n"
			gtf := fmt.Sprintf(exon+exon, name, n/8+1, n/4, name, n/2, n)
			if err := t.put("gtf", []byte(gtf)); err != nil {
				return err
			}
			flags = append(flags, "--gtf", "gtf", "--overhang", "9")
		}
		if _, err := t.command(with(strings.Fields(t.verb.name), "text", flags, "-q")...); err != nil {
			return err
		}
		genome, err := t.get(of.out + "/Genome")
		if err != nil {
			return err
		}
		if inserted := len(genome) - len(plain); of.gtf != (inserted == 2*9+1) {
			return fmt.Errorf("%s/Genome: %d positions, of which %d are inserted", of.out, len(genome), inserted)
		}
		if err := differs(of.out+"/Genome", genome[:len(plain)], plain); err != nil {
			return err
		}
		both := slices.Clone(genome)
		for _, code := range slices.Backward(genome) {
			both = append(both, []byte{3, 2, 1, 0, 4, 5}[code])
		}
		rows := starRows(both, len(plain), of.sparse)
		if err := t.file(of.out+"/SA", starArray(rows, len(genome))); err != nil {
			return err
		}
		if err := t.file(of.out+"/SAindex", starIndex(both, rows, len(plain))); err != nil {
			return err
		}
	}
	return nil
}

// isPlain tells whether a place of both strands is not inserted after so many positions, and where it is without.
func isPlain(both []byte, plain, at int) (place int, ok bool) {
	inserted := len(both)/2 - plain
	if at >= len(both)/2+inserted {
		return at - 2*inserted, true
	}
	return at, at < plain
}

// starRows are the suffixes of both strands that begin with a base, up to the first 5 in the order of their letters,
// then in that of their places. A sparse array has all that are inserted.
func starRows(both []byte, plain, sparse int) (rows []int) {
	for at, code := range both {
		if place, ok := isPlain(both, plain, at); code < 4 && (!ok || (2*plain-1-place)%sparse == 0) {
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
	return rows
}

// starPacked are entries of so many bits.
func starPacked(values []uint64, width int) []byte {
	packed := make([]byte, (len(values)-1)*width/8+8)
	for i, v := range values {
		for bit := range width {
			packed[(i*width+bit)/8] |= byte(v>>bit&1) << ((i*width + bit) % 8)
		}
	}
	return packed
}

// starBit is that of the reverse strand, in genomes that are not large.
const starBit = 32

func starArray(rows []int, n int) []byte {
	var values []uint64
	for _, at := range rows {
		v := uint64(at)
		if at >= n {
			v = uint64(at-n) | 1<<starBit
		}
		values = append(values, v)
	}
	return starPacked(values, starBit+1)
}

// starIndex is the index before rows, of starLevels levels. Its marks are those of an index without what is inserted,
// and of what is inserted.
func starIndex(both []byte, rows []int, plain int) []byte {
	starts := []int{0}
	for level := 1; level <= starLevels; level++ {
		starts = append(starts, starts[level-1]+1<<(2*level))
	}
	before := func(at int) (entries []int) { // of the bases that a suffix begins with
		code := 0
		for length := 0; length < starLevels && at+length < len(both) && both[at+length] < 4; length++ {
			code = 4*code + int(both[at+length])
			entries = append(entries, starts[length]+code)
		}
		return entries
	}
	var old []int // rows without those that are inserted
	for _, at := range rows {
		if _, ok := isPlain(both, plain, at); ok {
			old = append(old, at)
		}
	}
	hidden, n := -1, len(old) // a last run of one row that steps land before
	if n > 1 && !slices.Equal(before(old[n-1]), before(old[n-2])) {
		run := n - 2
		for run > 0 && slices.Equal(before(old[run-1]), before(old[n-2])) {
			run--
		}
		if step := n>>(2*starLevels) + 1; step > 1 && (n-2-run)%step == 0 {
			hidden = old[n-1]
		}
	}
	marks := make([]bool, starts[starLevels])
	mark := func(rows []int, marking func(at int) bool) {
		for level := 1; level <= starLevels; level++ {
			last := starts[level-1] - 1
			for _, at := range rows {
				if entries := before(at); at == hidden {
					continue
				} else if len(entries) >= level {
					last = entries[level-1]
				} else if last >= 0 && marking(at) {
					marks[last] = true
				}
			}
		}
	}
	mark(old, func(int) bool { return true })
	mark(rows, func(at int) bool {
		_, ok := isPlain(both, plain, at)
		return !ok
	})
	values := make([]uint64, starts[starLevels])
	for i := range values {
		values[i] = 1 << (starBit + 2)
	}
	for i, at := range slices.Backward(rows) {
		for _, entry := range before(at) {
			if at != hidden {
				values[entry] = uint64(i)
			}
		}
	}
	index := binary.LittleEndian.AppendUint64(nil, starLevels)
	for level, start := range starts {
		index = binary.LittleEndian.AppendUint64(index, uint64(start))
		next := uint64(n)
		for i := start - 1; level > 0 && i >= starts[level-1]; i-- {
			if values[i] == 1<<(starBit+2) {
				values[i] |= next
				continue
			}
			next = values[i]
			if marks[i] {
				values[i] |= 1 << (starBit + 1)
			}
		}
	}
	return append(index, starPacked(values, starBit+3)...)
}
