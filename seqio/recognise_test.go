package seqio

import (
	"bufio"
	"io"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/stretchr/testify/require"
	"github.com/suffixcl/suffixcl/internal/jsonline"
)

func TestRecognise(t *testing.T) {
	long := strings.Repeat("ACGT", lookahead)
	const mark = jsonline.ByteOrderMark
	for input, want := range map[string]Format{
		"": Plain, " \n": Plain, "text": Plain, "AC>GT\n": Plain, "\x00>a\nAC": Plain, mark: Plain, ";": Plain,
		";a comment\n(lisp)\n": Plain, "; a comment\n@a\nAC\n+\nII\n": Plain,
		">a\nAC\n": FASTA, ">\n\n>b\nA": FASTA, " \r\n>a\nAC": FASTA, ";c\n\n;d\n>a\nMKV*\n": FASTA,
		mark + ">a\nAC\n": FASTA,
		"@a\nAC\n+\nII\n": FASTQ, "\n@a\n\n+\n\n@b\nA\n+\nI\n": FASTQ, mark + "@a\nAC\n+\nII": FASTQ,
		">a\n>b\n": FASTA, ">a\n\n>b c\n\n": FASTA, ">a": FASTA, "@a\n\n+\n\n": FASTQ, "@a\n\n+\n\n@b\n\n+\n": FASTQ,
		// What goes on beyond what is looked at.
		">" + long: FASTA, ">a\n" + long: FASTA, ">a\n" + long + "0": FASTA, "@a\n" + long + "\n": FASTQ,
		strings.Repeat("\n", lookahead) + ">a\nAC\n": Plain,
	} {
		for _, r := range []io.Reader{strings.NewReader(input), iotest.HalfReader(strings.NewReader(input))} {
			head := bufio.NewReaderSize(r, lookahead)
			got, err := Recognise(head)
			require.NoError(t, err, "%.20q", input)
			require.Equal(t, want, got, "%.20q", input)
			rest, err := io.ReadAll(head)
			require.NoError(t, err)
			require.True(t, input == string(rest), "nothing is taken")
		}
	}
}

// What begins like a format, and is not of it, is an error: silence would search the wrong text.
func TestRecogniseRefuses(t *testing.T) {
	for input, want := range map[string]string{
		"> as he wrote, in 1999:\n> yes\n":  "f begins like FASTA, but is not valid: no record has a sequence",
		">":                                 "no record has a sequence",
		">a\nAC1\n":                         `f begins like FASTA, but is not valid: f:2:3: symbol '1' in sequence "a"`,
		">a\nAC\x00\n":                      `f:2:3: byte 0x00 in sequence "a"`,
		"@article{key,\n title = {x},\n}\n": "f begins like FASTQ, but is not valid: f:2:8: symbol '='",
		"@a\nACGT\n":                        "the file ends inside of record",
		"@a\nAC\n+\nIII\n":                  "more quality symbols",
	} {
		_, err := NewReader(strings.NewReader(input), Options{Name: "f"})
		var wrong *Error
		require.ErrorAs(t, err, &wrong, "%q", input)
		require.ErrorContains(t, err, want)
		require.Equal(t, map[byte]Format{'>': FASTA, '@': FASTQ}[input[0]], wrong.Recognised)
	}
}
