package verbs

import (
	"encoding/binary"
	"io"
	"math"
	"slices"
	"strconv"

	"github.com/suffixcl/suffixcl"
	"github.com/suffixcl/suffixcl/cmd/internal/formats/tsv"
	"github.com/suffixcl/suffixcl/cmd/internal/formats/wiggle"
	"github.com/suffixcl/suffixcl/cmd/internal/source"
)

// mappabilityTable writes values as they come.
type mappabilityTable struct {
	tsv.Writer
	genome *source.Sequences
	format string
	form   func(to []byte, values []uint32) []byte // of txt and raw files
	forms  [][]byte                                // of the least values; nil: frequencies, which are their own
	text   int                                     // that was begun; -1 before the first
	end    int                                     // of its values so far
	run    valueRun                                // that may go on
	span   int                                     // of the run before
	runs   tsv.Batch[valueRun]
}

// valueRun is a run of equal values.
type valueRun struct {
	text, start, end int
	value            uint32
	newSpan          bool // unlike that of the run before it, for wig
}

// mostForms is how many values have their forms made ahead: a division and its digits take 20 times as long.
const mostForms = 1 << 10

func newMappabilityTable(
	w io.Writer, g *source.Sequences, flags *mappabilityFlags, file mappabilityFile,
) *mappabilityTable {
	t := &mappabilityTable{Writer: tsv.New(w), genome: g, format: file.format, text: -1}
	t.runs.Format, t.form = t.lines, t.appendWords
	switch file.format {
	case "raw8":
		t.form = appendRaw8
	case "raw16":
		t.form = appendRaw16
	}
	if !flags.frequency && file.k > 0 {
		t.forms = [][]byte{{'0'}, {'1'}}
		for v := range mostForms - 2 {
			t.forms = append(t.forms, appendInverse(nil, uint32(v+2)))
		}
	}
	return t
}

func appendInverse(to []byte, v uint32) []byte {
	return strconv.AppendFloat(to, float64(1/float32(v)), 'g', 6, 32)
}

// appendValue appends a value.
func (t *mappabilityTable) appendValue(to []byte, v uint32) []byte {
	switch {
	case int(v) < len(t.forms):
		return append(to, t.forms[v]...)
	case t.forms != nil:
		return appendInverse(to, v)
	}
	return tsv.AppendNumber(to, uint64(v))
}

// raw tells whether texts follow one another without a word about them.
func (t *mappabilityTable) raw() bool { return t.format == "raw8" || t.format == "raw16" }

func (t *mappabilityTable) add(m *suffixcl.Mappability) error {
	if t.raw() {
		return t.values(m.Values)
	}
	if err := t.begin(m.Text); err != nil {
		return err
	}
	if t.format == "txt" {
		return t.words(m.Values)
	}
	for values := m.Values; len(values) > 0; {
		same := alike(values, t.run.value)
		t.end += same
		if values = values[same:]; len(values) == 0 {
			break
		}
		if err := t.endRun(values[0]); err != nil {
			return err
		}
	}
	return nil
}

// alike is how many values a slice begins with that are v: eight at a time, as most runs are long.
func alike(values []uint32, v uint32) (n int) {
	for ; len(values)-n >= 8; n += 8 {
		e := (*[8]uint32)(values[n:])
		if (e[0]^v)|(e[1]^v)|(e[2]^v)|(e[3]^v)|(e[4]^v)|(e[5]^v)|(e[6]^v)|(e[7]^v) != 0 {
			break
		}
	}
	for n < len(values) && values[n] == v {
		n++
	}
	return n
}

// valuesEach are worth a processor, and valuesAtOnce are formatted before a look at how much there is.
const valuesEach, valuesAtOnce = 1 << 14, 1 << 12

// values writes values of txt and raw files.
func (t *mappabilityTable) values(values []uint32) error {
	if len(values) < valuesAtOnce { // of a short text
		t.Line = t.form(t.Line, values)
		return t.Spill()
	}
	return t.Many(len(values), valuesEach, func(rows tsv.Writer, lo, hi int) (tsv.Writer, error) {
		for part := range slices.Chunk(values[lo:hi], valuesAtOnce) {
			rows.Line = t.form(rows.Line, part)
			if err := rows.Spill(); err != nil {
				return rows, err
			}
		}
		return rows, nil
	})
}

func appendRaw8(to []byte, values []uint32) []byte {
	at := len(to)
	to = slices.Grow(to, len(values))[:at+len(values)]
	for i, v := range values {
		to[at+i] = uint8(min(v, math.MaxUint8))
	}
	return to
}

func appendRaw16(to []byte, values []uint32) []byte {
	at := len(to)
	to = slices.Grow(to, 2*len(values))[:at+2*len(values)]
	for i, v := range values {
		binary.LittleEndian.PutUint16(to[at+2*i:], uint16(min(v, math.MaxUint16)))
	}
	return to
}

// words writes the values of txt.
func (t *mappabilityTable) words(values []uint32) error {
	if t.end == 0 {
		t.Line = t.appendValue(t.Line, values[0])
		values = values[1:]
		t.end++
	}
	t.end += len(values)
	return t.values(values)
}

// appendWords appends values, with a space before each.
func (t *mappabilityTable) appendWords(to []byte, values []uint32) []byte {
	for _, v := range values {
		to = t.appendValue(append(to, ' '), v)
	}
	return to
}

// begin begins the texts up to one, and ends those before it.
func (t *mappabilityTable) begin(text int) error {
	for t.text < text {
		if err := t.endText(); err != nil {
			return err
		}
		t.text++
		t.end, t.span = 0, 0
		t.run = valueRun{text: t.text}
		if t.format == "txt" && t.text < len(t.genome.Records) {
			t.Line = append(t.genome.AppendName(append(t.Line, '>'), t.text), '\n')
		}
	}
	return nil
}

// endText ends the text, if there is one.
func (t *mappabilityTable) endText() error {
	if t.text < 0 {
		return nil
	}
	if t.format == "txt" {
		t.Line = append(t.Line, '\n')
		return t.Spill()
	}
	return t.endRun(0)
}

// endRun ends the run of equal values, and begins that of another.
func (t *mappabilityTable) endRun(next uint32) error {
	run := t.run
	run.end = t.end
	t.run.start, t.run.value = t.end, next
	if run.value == 0 || run.start == run.end {
		return nil
	}
	run.newSpan = run.end-run.start != t.span
	t.span = run.end - run.start
	return t.runs.Add(&t.Writer, run)
}

// lines has a line for each run.
func (t *mappabilityTable) lines(rows tsv.Writer, runs []valueRun) (tsv.Writer, error) {
	text, wig := -1, t.format == "wig"
	var name []byte
	for _, r := range runs {
		if r.text != text {
			text = r.text
			name = t.genome.AppendName(name[:0], text)
		}
		switch {
		case !wig:
			rows.Line = wiggle.AppendRange(rows.Line, name, r.start, r.end)
		case r.newSpan:
			rows.Line = wiggle.AppendStep(wiggle.AppendSpan(rows.Line, name, r.end-r.start), r.start)
		default:
			rows.Line = wiggle.AppendStep(rows.Line, r.start)
		}
		rows.Line = append(t.appendValue(rows.Line, r.value), '\t')
		if err := rows.End(); err != nil {
			return rows, err
		}
	}
	return rows, nil
}

// finish ends the last text, and writes the empty ones after it.
func (t *mappabilityTable) finish() error {
	if !t.raw() {
		if err := t.begin(len(t.genome.Records)); err != nil {
			return err
		}
	}
	if err := t.runs.Write(&t.Writer); err != nil {
		return err
	}
	return t.Flush()
}
