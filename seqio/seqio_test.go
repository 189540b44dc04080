package seqio

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/stretchr/testify/require"
	"github.com/suffixcl/suffixcl/internal/jsonline"
)

const everything = math.MaxInt

// divide makes a reader divide its input into parts of so many bytes about, on so many processors.
func divide(d *Reader, each, processors int) {
	if p := d.parser; p != nil {
		p.each, p.size, p.most, p.processors = each, each, processors*each, processors
	}
}

// read reads an input whole, divided into small parts and from a reader that gives a byte at a time, in batches of all
// sizes, and as a stream: all must agree.
func read(t *testing.T, input string, o Options) (*Batch, error) {
	t.Helper()
	want, wantErr := ReadAll(strings.NewReader(input), o)
	if o.Format == Auto {
		d, err := NewReader(iotest.OneByteReader(strings.NewReader(input)), o)
		if err != nil {
			require.EqualError(t, wantErr, err.Error())
			return nil, err
		}
		o.Format = d.o.Format
	}
	for _, each := range []int{1, 2, 7, 16, 64} {
		for _, processors := range []int{1, 3} {
			d, err := NewReader(iotest.OneByteReader(strings.NewReader(input)), o)
			if err == nil {
				divide(d, each*(1+len(input)>>12), processors)
				got := new(Batch)
				if err = d.Next(got, everything); err == nil || err == io.EOF {
					err = nil
					require.True(t, bytes.Equal(want.Text, got.Text), "%q, %d: %q, %q", input, each, want.Text, got.Text)
					require.Equal(t, append(Table{}, want.Records...), append(Table{}, got.Records...), "%q, %d", input, each)
				}
			}
			require.Equal(t, fmt.Sprint(wantErr), fmt.Sprint(err), "%q, %d", input, each)
		}
	}
	for _, size := range []int{0, 1, 5, 1000} {
		d, err := NewReader(strings.NewReader(input), o)
		if err != nil {
			require.Error(t, wantErr)
			continue
		}
		divide(d, (size+1)*(1+len(input)>>12), 2)
		var all Batch
		for {
			var b Batch
			err = d.Next(&b, size)
			require.EqualValues(t, len(all.Records), b.First)
			for _, r := range b.Records {
				r.Offset += len(all.Text)
				all.Records = append(all.Records, r)
			}
			all.Text = append(all.Text, b.Text...)
			if err != nil {
				break
			}
			require.NotEmpty(t, b.Records)
		}
		if wantErr != nil {
			require.EqualError(t, err, wantErr.Error())
			require.EqualError(t, d.Next(new(Batch), size), wantErr.Error(), "the error comes again")
			continue
		}
		require.Equal(t, io.EOF, err)
		require.True(t, bytes.Equal(want.Text, all.Text))
		require.Equal(t, append(Table{}, want.Records...), append(Table{}, all.Records...))

		d, err = NewReader(strings.NewReader(input), o)
		require.NoError(t, err)
		more := Batch{Text: []byte("before"), Records: Table{{Name: "before", Length: 6}}}
		for before := -1; err == nil; err = d.More(&more, size) {
			require.Greater(t, len(more.Records), before)
			before = len(more.Records)
		}
		require.Equal(t, io.EOF, err)
		require.Equal(t, "before"+string(want.Text), string(more.Text))
		require.Len(t, more.Records, 1+len(want.Records))
		for i, r := range want.Records {
			r.Offset += len("before")
			require.Equal(t, r, more.Records[1+i])
		}
	}
	return want, wantErr
}

func TestFormats(t *testing.T) {
	type rec struct{ name, description, sequence string }
	for name, c := range map[string]struct {
		input   string
		options Options
		format  Format
		want    []rec
	}{
		"plain":           {"any >text\r\n\x00\xff", Options{}, Plain, []rec{{"", "", "any >text\r\n\x00\xff"}}},
		"plain by option": {">a\nAC\n", Options{Format: Plain}, Plain, []rec{{"", "", ">a\nAC\n"}}},
		"nothing":         {"", Options{}, Plain, []rec{{}}},
		"no records":      {"\n\n", Options{Format: FASTA}, FASTA, nil},
		"fasta":           {">a b c\nAC\nGT\n>d\nNN", Options{}, FASTA, []rec{{"a", "b c", "ACGT"}, {"d", "", "NN"}}},
		"crlf": {">a b\r\nAC\r\nGT\r\n>d\r\nNN\r\n", Options{}, FASTA,
			[]rec{{"a", "b", "ACGT"}, {"d", "", "NN"}}},
		"blanks": {"\n \t\n>a\tb \n\nA C\tG \n\n>d\nT\n\n", Options{}, FASTA,
			[]rec{{"a", "b", "ACG"}, {"d", "", "T"}}},
		"comments":      {";x\n>a\n;y\n A\n;\n>b\n;z", Options{}, FASTA, []rec{{"a", "", "A"}, {"b", "", ""}}},
		"empty records": {">\n>a\n>b\nA\n>", Options{}, FASTA, []rec{{}, {"a", "", ""}, {"b", "", "A"}, {}}},
		"protein":       {">p\nMKV*-.x\n", Options{}, FASTA, []rec{{"p", "", "MKV*-.x"}}},
		"upper": {">a\nacgtRyswKmbdhvnUu\n", Options{Upper: true, DNA: true}, FASTA,
			[]rec{{"a", "", "ACGTRYSWKMBDHVNTT"}}},
		"case kept": {">a\nacgtRynNu\n", Options{DNA: true}, FASTA, []rec{{"a", "", "acgtRynNt"}}},
		"fastq": {"@a x\nACGT\n+\n@+!~\n@b\nN\n+b\n#\n", Options{}, FASTQ,
			[]rec{{"a", "x", "ACGT"}, {"b", "", "N"}}},
		"fastq lines": {"@a\r\nAC\r\nGT\r\n+a\r\n@@\r\n@@\r\n\r\n@b\r\nA\r\n+\r\n@", Options{}, FASTQ,
			[]rec{{"a", "", "ACGT"}, {"b", "", "A"}}},
		"fastq empty": {"@a\n\n+\n\n@b\nA\n+\nI\n@c\n+\n", Options{}, FASTQ,
			[]rec{{"a", "", ""}, {"b", "", "A"}, {"c", "", ""}}},
		"separator": {">a\nAC\n>b\n>c\nG\n", Options{Separator: []byte("$$")}, FASTA,
			[]rec{{"a", "", "AC"}, {"b", "", ""}, {"c", "", "G"}}},
		"fastq, separator": {"@a\nAC\n+\nIJ\n@b\nG\n+\n!\n", Options{Separator: []byte("$")}, FASTQ,
			[]rec{{"a", "", "AC"}, {"b", "", "G"}}},
		"byte order mark": {jsonline.ByteOrderMark + ">a\nAC\n", Options{}, FASTA, []rec{{"a", "", "AC"}}},
		"mark, FASTQ": {jsonline.ByteOrderMark + "@a\nAC\n+\nII\n", Options{Format: FASTQ}, FASTQ,
			[]rec{{"a", "", "AC"}}},
		"mark, plain": {jsonline.ByteOrderMark + "text", Options{}, Plain,
			[]rec{{"", "", jsonline.ByteOrderMark + "text"}}},
		"long line": {">" + strings.Repeat("n", 300000) + "\r\n" + strings.Repeat("ACGT", 200000) + "\r\n",
			Options{}, FASTA, []rec{{strings.Repeat("n", 300000), "", strings.Repeat("ACGT", 200000)}}},
	} {
		t.Run(name, func(t *testing.T) {
			got, err := read(t, c.input, c.options)
			require.NoError(t, err)
			d, err := NewReader(strings.NewReader(c.input), c.options)
			require.NoError(t, err)
			require.Equal(t, c.format, d.o.Format)
			text := ""
			require.Len(t, got.Records, len(c.want))
			for i, want := range c.want {
				r := got.Records[i]
				require.Equal(t, want, rec{r.Name, r.Description, string(got.Text[r.Offset:r.End()])})
				require.Equal(t, len(text), r.Offset)
				text += want.sequence + string(c.options.Separator)
			}
			require.Equal(t, text, string(got.Text))
		})
	}
}

func TestErrors(t *testing.T) {
	for input, want := range map[string]string{
		">a\nACGT\nAC1\n": `f:3:3: symbol '1' in sequence "a"`,
		">a\nAC\x00\n":    `f:2:3: byte 0x00 in sequence "a"`,
		">a\nAC\rGT\n":    `f:2:3: byte 0x0d in sequence "a"`,
		">a\nAC>b\n":      `f:2:3: symbol '>' in sequence "a"`,
		">a\x01b\nAC\n":   "f:1:3: byte 0x01 in a header",
		"@a\nAC\n":        `f:2: the file ends inside of record "a"`,
		"@a\nAC\n+\nI":    `f:4: the file ends inside of record "a"`,
		"@a\nAC\n+\nIII\n": `f:4: record "a" has more quality symbols than its sequence has symbols, ` +
			`which are 2`,
		"@a\nAC\n+b\nII\n":               `f:3: the line with '+' names "b", the record is "a"`,
		"@a\nAC\n+\nI \n":                `f:4:2: byte 0x20 in the quality of "a"`,
		"@a\nAC\n+\nII\nACGT\n":          "f:5:1: symbol 'A' where a record should begin with '@'",
		"@a\nAC\n+\nII\n  ACGT\n":        "f:5:3: symbol 'A' outside of a record",
		">" + strings.Repeat("x", 1<<20): "f:1: a header of more than 1048576 bytes",
	} {
		_, err := read(t, input, Options{Name: "f", Format: map[byte]Format{'>': FASTA, '@': FASTQ}[input[0]]})
		require.EqualError(t, err, want)
		var placed *Error
		require.ErrorAs(t, err, &placed)
	}
	for input, want := range map[string]string{
		"ACGT\n":    "input:1:1: symbol 'A' where a record should begin with '>'",
		"\n\nx\n":   "input:3:1: symbol 'x' where",
		"\x1f\x8b":  "input:1:1: byte 0x1f where",
		">a\nACE\n": `input:2:3: symbol 'E' in sequence "a"`,
	} {
		_, err := read(t, input, Options{Format: FASTA, DNA: true})
		require.ErrorContains(t, err, want)
	}

	// The records before an error are there.
	d, err := NewReader(strings.NewReader(">a\nAC\n>b\nA!\n"), Options{})
	require.NoError(t, err)
	var b Batch
	require.ErrorContains(t, d.Next(&b, everything), "'!'")
	require.Equal(t, "AC", string(b.Text))
	require.Len(t, b.Records, 1)

	// Errors of the input name the file.
	broken := errors.New("broken")
	_, err = ReadAll(io.MultiReader(strings.NewReader(">a\nAC\n"), iotest.ErrReader(broken)), Options{Name: "f"})
	require.ErrorIs(t, err, broken)
	require.ErrorContains(t, err, "f: ")
	_, err = NewReader(iotest.ErrReader(broken), Options{})
	require.ErrorIs(t, err, broken)
}

func TestFind(t *testing.T) {
	b, err := ReadAll(strings.NewReader(">a\nACGT\n>b\n>c\nGG\n"), Options{Separator: []byte("$")})
	require.NoError(t, err)
	require.Equal(t, "ACGT$$GG$", string(b.Text))
	for at := -1; at <= len(b.Text)+1; at++ {
		for n := 0; n <= 5; n++ {
			record, place, ok := b.Records.Find(at, n)
			want := false
			for i, r := range b.Records {
				if at >= r.Offset && at < r.End() && at+n <= r.End() {
					want = true
					require.Equal(t, [2]int{i, at - r.Offset}, [2]int{record, place})
				}
			}
			require.Equal(t, want, ok, "%d, %d", at, n)
		}
	}
	without, err := ReadAll(strings.NewReader(">a\n>b\nAC\n>c\n>d\nG\n>e\n"), Options{})
	require.NoError(t, err)
	for at, want := range []int{1, 1, 3} {
		record, _, ok := without.Records.Find(at, 1)
		require.True(t, ok)
		require.Equal(t, want, record)
	}
	_, _, ok := without.Records.Find(1, 2)
	require.False(t, ok, "across records")
	_, _, ok = without.Records.Find(1, math.MaxInt)
	require.False(t, ok)
	_, _, ok = Table(nil).Find(0, 0)
	require.False(t, ok)
}

// Random records, written in every layout, are read back.
func TestRoundTrip(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 1))
	for range 300 {
		var want []string
		for range rng.IntN(6) {
			sequence := make([]byte, rng.IntN(100))
			for i := range sequence {
				sequence[i] = "ACGTNacgtn"[rng.IntN(10)]
			}
			want = append(want, string(sequence))
		}
		end := []string{"\n", "\r\n"}[rng.IntN(2)]
		wrap := 1 + rng.IntN(80)
		var fasta, fastq strings.Builder
		lines := func(w *strings.Builder, s string) {
			for len(s) > wrap {
				w.WriteString(s[:wrap] + end)
				s = s[wrap:]
			}
			w.WriteString(s + end)
		}
		for i, s := range want {
			fmt.Fprintf(&fasta, ">r%d%s", i, end)
			lines(&fasta, s)
			fmt.Fprintf(&fastq, "@r%d%s", i, end)
			lines(&fastq, s)
			fastq.WriteString("+" + end)
			lines(&fastq, strings.Repeat("@", len(s)))
		}
		for format, input := range map[Format]string{FASTA: fasta.String(), FASTQ: fastq.String()} {
			got, err := read(t, input, Options{Format: format})
			require.NoError(t, err, "%q", input)
			require.Len(t, got.Records, len(want))
			for i, r := range got.Records {
				require.Equal(t, want[i], string(got.Text[r.Offset:r.End()]))
				require.Equal(t, fmt.Sprintf("r%d", i), r.Name)
			}
		}
	}
}

// Whatever the bytes are: no panic, one result for every way to read, records in order.
func FuzzReader(f *testing.F) {
	for _, seed := range []string{
		"", ">a\nAC\r\n>b c\nN*\n", "@a\nACGT\n+a\nIIII\n", ";\n>x\n\nA", "\x1f\x8b\x08\x00", "@\n+\n", "plain",
	} {
		f.Add([]byte(seed), uint8(0), uint8(0))
		f.Add([]byte(seed), uint8(2), uint8(5))
		f.Add([]byte(seed), uint8(3), uint8(255))
	}
	f.Fuzz(func(t *testing.T, input []byte, format, settings uint8) {
		o := Options{Format: Format(format % 4), Upper: settings&2 != 0, DNA: settings&4 != 0}
		if settings&16 != 0 {
			o.Separator = []byte("\n")
		}
		b, err := read(t, string(input), o)
		if err != nil {
			return
		}
		at := 0
		for _, r := range b.Records {
			require.Equal(t, at, r.Offset)
			at = r.End() + len(o.Separator)
		}
		require.Equal(t, at, len(b.Text))
	})
}

// Long sequences, which several processors take, are read as short ones are, and their errors are the same.
func TestLongSequences(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 9))
	for _, ends := range []string{"\n", "\r\n"} {
		for _, o := range []Options{{Format: FASTA}, {Format: FASTA, DNA: true, Upper: true, Separator: []byte("$")}} {
			var file strings.Builder
			for k := range 4 {
				fmt.Fprintf(&file, ">r%d%s", k, ends)
				for file.Len() < 90_000*(k+1) {
					for range []int{60, 61, 1, 70_000}[k] {
						file.WriteByte("ACGTNacgtnU"[r.IntN(11)])
					}
					switch r.IntN(400) {
					case 0:
						file.WriteString(ends + "; a comment" + ends)
					case 1:
						file.WriteString(" A \t")
					}
					file.WriteString(ends)
				}
			}
			input := file.String()
			b, err := read(t, input, o)
			require.NoError(t, err)
			require.Len(t, b.Records, 4)
			for _, wrong := range []string{"7", "\r", ">", "\x00"} {
				for range 3 {
					at := 20 + r.IntN(len(input)-40)
					damaged := input[:at] + wrong + input[at:]
					_, err := ReadAll(strings.NewReader(damaged), o)
					d, problem := NewReader(strings.NewReader(damaged), o)
					require.NoError(t, problem)
					divide(d, 64, 1)
					slow := d.Next(new(Batch), everything)
					if slow == io.EOF {
						slow = nil
					}
					require.Equal(t, fmt.Sprint(slow), fmt.Sprint(err), "%q at %d", wrong, at)
				}
			}
		}
	}
}
