package seqio

import (
	"bytes"
	"fmt"
	"io"
	"math/rand/v2"
	"runtime"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// readDivided reads an input in batches of about so many bytes, in parts of about so many on so many processors, and
// returns all batches, and the error.
func readDivided(t *testing.T, input string, o Options, each, processors, want int) (batches []Batch, err error) {
	d, err := NewReader(strings.NewReader(input), o)
	if err != nil {
		return nil, err
	}
	if d.parser != nil {
		d.parser.field = "a"
	}
	divide(d, each, processors)
	for {
		var b Batch
		err := d.Next(&b, want)
		batches = append(batches, b)
		if err != nil {
			return batches, err
		}
		require.NotEmpty(t, b.Records)
	}
}

// requireUndivided compares what becomes of an input in parts with what becomes of it on one processor at once.
func requireUndivided(t *testing.T, input string, o Options, each, processors, want int) {
	t.Helper()
	whole, wholeErr := readDivided(t, input, o, partBytes, 1, want)
	parts, err := readDivided(t, input, o, each, processors, want)
	require.Equal(t, fmt.Sprint(wholeErr), fmt.Sprint(err), "%q in parts of %d", input, each)
	require.Equal(t, fmt.Sprintf("%v", whole), fmt.Sprintf("%v", parts), "%q in parts of %d", input, each)
}

// Any division of any input gives the same batches and the same error, wherever the parts end.
func FuzzDivided(f *testing.F) {
	for _, seed := range []string{
		">a\nAC\r\n>b c\nN*\n;x\n", "@a\nACGT\n+a\nIIII\n\n@b\nA\n+\n@\n", "@a\nAC\nGT\n+\n@@\n@I\n@b\n\n+\n\n",
		">a\nAC\r\r\nG7",
		"{\"a\":\"x\"}\n\n{\"a\":1}\n", "line\r\n\nline", "A000\xdc0",
	} {
		for format := range uint8(6) {
			f.Add([]byte(seed), format, uint8(3), uint8(2), uint8(9))
		}
	}
	f.Fuzz(func(t *testing.T, input []byte, format, each, processors, want uint8) {
		o := Options{Name: "f", Format: Format(format % 6), DNA: want&1 != 0, Upper: want&2 != 0}
		if want&4 != 0 {
			o.Separator = []byte("$$")
		}
		requireUndivided(t, string(input), o, 1+int(each%64), 1+int(processors%8), int(want))
	})
}

// Pieces of files, right and wrong ones, in any order.
func TestDivided(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 9))
	pieces := []string{">", ">a b\n", "@", "@r x\n", "ACGT", "\n", "\r\n", "+\n", "+r x\n", "IIII", "@@@@\n", ";c\n", " ",
		"\t", "acgt\n", "7", "\r", "ACGT\n+\nIIII\n", "@r\nACGT\n+\nII@I\n", ">x\nACGTACGT\nAC\n", ";", "\x01",
		"AC\nGT\n+\n@I\n@I\n", "\n\n", "*-.", "U", "{\"a\":\"b\\n\"}\n", "[", "{\"b\":[1]}"}
	for range 4000 {
		var input strings.Builder
		o := Options{Name: "f", Format: Format(1 + rng.IntN(5)), DNA: rng.IntN(2) == 0, Upper: rng.IntN(2) == 0}
		count := rng.IntN(20)
		for k := range count {
			switch wrong := rng.IntN(3*count) == 0; {
			case wrong:
				input.WriteString(pieces[rng.IntN(len(pieces))])
			case o.Format == FASTQ: // whose qualities look like anything
				n := rng.IntN(12)
				quality := bytes.Repeat([]byte{"@I+>"[rng.IntN(4)]}, n)
				fmt.Fprintf(&input, "@r%d\n%s\n+\n%s\n", k, strings.Repeat("A", n), quality)
			case o.Format == jsonLines:
				fmt.Fprintf(&input, "{\"a\":\"%d\"}\n", k)
			default:
				input.WriteString(pieces[rng.IntN(len(pieces))])
			}
		}
		want := []int{0, 1, 5, 30, everything}[rng.IntN(5)]
		requireUndivided(t, input.String(), o, 1+rng.IntN(20), 1+rng.IntN(5), want)
	}
}

// An error has its line at every border of parts.
func TestErrorsAtBorders(t *testing.T) {
	for format, record := range map[Format]string{
		FASTA: ">r\nACGT\nAC\n", FASTQ: "@r\nACGT\n+\n@III\n", jsonLines: "{\"a\":\"ACGTAC\"}\n",
	} {
		input := strings.Repeat(record, 12)
		for at := range input {
			damaged := input[:at] + "\x02" + input[at:]
			for _, each := range []int{5, 11, 16} {
				requireUndivided(t, damaged, Options{Name: "f", Format: format}, each, 3, everything)
			}
			_, err := readDivided(t, damaged, Options{Name: "f", Format: format}, 7, 2, everything)
			require.ErrorContains(t, err, fmt.Sprintf("f:%d", 1+strings.Count(input[:at], "\n")))
		}
	}
}

// Records are not what goroutines begin or memory is taken for: the same bytes in a hundred times as many records make
// as many rounds, and parts of as many pieces of memory.
func TestRecordsAreFree(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(4))
	const size = 4 << 20
	for _, format := range []Format{FASTA, FASTQ, Lines, jsonLines} {
		var rounds [2]int
		var allocations [2]int
		for i, length := range []int{2000, 20} {
			file := madeFile(format, size, length)
			var batch Batch
			var before, after runtime.MemStats
			runtime.ReadMemStats(&before)
			d := readerOf(t, file, format)
			err := d.Next(&batch, everything)
			runtime.ReadMemStats(&after)
			require.NoError(t, err)
			rounds[i], allocations[i] = d.parser.rounds, int(after.Mallocs-before.Mallocs)
			require.Greater(t, len(batch.Records), size/(2*length+60))
		}
		require.Greater(t, rounds[0], 1, "long blocks are divided")
		require.InDelta(t, rounds[0], rounds[1], float64(rounds[0])/2)
		require.Less(t, allocations[1], 2*allocations[0]+500, "%v, %v", rounds, allocations)
	}
	// Short inputs have no rounds at all, nor has one processor.
	short := readerOf(t, madeFile(FASTQ, firstBlock/2, 10), FASTQ)
	require.NoError(t, short.Next(new(Batch), everything))
	require.Zero(t, short.parser.rounds)
	runtime.GOMAXPROCS(1)
	alone := readerOf(t, madeFile(FASTA, size, 10), FASTA)
	require.NoError(t, alone.Next(new(Batch), everything))
	require.Zero(t, alone.parser.rounds)
}

// Records that are longer than all blocks are read whole.
func TestRecordsLongerThanBlocks(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(2))
	for _, format := range []Format{FASTA, FASTQ, Lines, jsonLines} {
		const length = 3 << 20
		file := madeFile(format, 1, length)
		file = append(file, madeFile(format, 1<<16, 70)...)
		file = append(file, madeFile(format, 1, length)...)
		d := readerOf(t, file, format)
		var batch Batch
		require.NoError(t, d.Next(&batch, everything))
		require.Equal(t, io.EOF, d.Next(new(Batch), 1))
		if format != jsonLines { // whose lines are parsed whole
			require.LessOrEqual(t, len(d.parser.blocks.now.memory), d.parser.most+leastRoom)
		}
		first, last := batch.Records[0], batch.Records[len(batch.Records)-1]
		require.GreaterOrEqual(t, first.Length, length)
		text := batch.Text[:len(batch.Text)-1]
		require.True(t, bytes.Equal(text[first.Offset:first.End()], text[last.Offset:last.End()]))
		require.Equal(t, len(text), last.End())
	}
}

// What is wrong in a line that is longer than blocks is found at its place.
func TestErrorsInLongLines(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(2))
	const length = 5 << 20
	file := madeFile(FASTQ, 1, length)
	sequence := bytes.IndexByte(file, '\n') + 1
	for _, place := range []int{0, 1 << 20, 3<<20 + 1, length - 1} {
		for line, begin := range map[int]int{2: sequence, 4: sequence + length + len("\n+\n")} {
			damaged := bytes.Clone(file)
			damaged[begin+place] = 1
			_, err := ReadAll(bytes.NewReader(damaged), Options{Name: "f", Format: FASTQ})
			require.ErrorContains(t, err, fmt.Sprintf("f:%d:%d: byte 0x01 in", line, place+1))
			require.ErrorContains(t, err, `"read0"`)
		}
	}
	_, err := ReadAll(bytes.NewReader(append(file[:len(file)-1], "I\n"...)), Options{Name: "f", Format: FASTQ})
	require.EqualError(t, err, fmt.Sprintf(
		`f:4: record "read0" has more quality symbols than its sequence has symbols, which are %d`, length))
}
