package source

import (
	"bytes"
	"fmt"
	"io"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/suffixcl/suffixcl/seqio"
)

// Records are taken as they are written, whatever else is between them, and however many are read at once.
func TestWritten(t *testing.T) {
	r := rand.New(rand.NewPCG(63, 1))
	one := func(choices ...string) string { return choices[r.IntN(len(choices))] }
	for round := range 300 {
		format := []seqio.Format{seqio.FASTA, seqio.FASTQ, seqio.Lines}[round%3]
		end := one("\n", "\n", "\r\n")
		// divided has a text in lines.
		divided := func(text string) (lines string) {
			for len(text) > 0 {
				n := 1 + r.IntN(len(text))
				lines, text = lines+text[:n]+end, text[n:]
			}
			return lines
		}
		file, want := one("", "\ufeff"), []string(nil)
		if format == seqio.FASTA {
			file += one("", "", end, ";of >all"+end)
		}
		for k := range r.IntN(9) {
			letters := strings.Repeat(one("ACGT", "A", "acgtN"), r.IntN(9))
			record := ""
			switch format {
			case seqio.FASTA:
				record = fmt.Sprintf(">%d %s%s", k, one("", "a > b", "@c\t+"), end) + divided(letters) +
					one("", "", end, ";a > comment"+end)
			case seqio.FASTQ:
				header := fmt.Sprintf("%d%s", k, one("", " c=1"))
				qualities := ""
				for range letters {
					qualities += one("@", "+", ">", "I")
				}
				record = "@" + header + end + divided(letters) + one("+", "+"+header) + end
				if len(letters) == 0 {
					record += end
				}
				record += divided(qualities)
			default:
				record = letters + end
			}
			want = append(want, record)
			file += record
			if format == seqio.FASTQ {
				file += one("", "", end)
			}
		}
		if n := len(want); n > 0 && format != seqio.FASTQ && r.IntN(3) == 0 && want[n-1] != end {
			file = strings.TrimSuffix(file, end)
			if want[n-1] = strings.TrimSuffix(want[n-1], end); !strings.HasSuffix(want[n-1], "\n") {
				want[n-1] += "\n"
			}
		}
		w := &written{format: format}
		reader, err := seqio.NewReader(io.TeeReader(strings.NewReader(file), w), seqio.Options{Format: format})
		require.NoError(t, err)
		var batch seqio.Batch
		var got []string
		for {
			err := reader.Next(&batch, 1+r.IntN(30))
			if err == io.EOF {
				break
			}
			require.NoError(t, err, "%q", file)
			text, ends, err := w.take(nil, nil, batch.Records)
			require.NoError(t, err)
			from := 0
			for _, end := range ends {
				got = append(got, string(text[from:end]))
				from = end
			}
		}
		require.Equal(t, want, got, "%q", file)
	}
	// Long files are let go of.
	w := &written{format: seqio.FASTA}
	record := []byte(">a\nACGT\n")
	for range 10000 {
		_, _ = w.Write(bytes.Repeat(record, 2))
		_, _, err := w.take(nil, nil, make(seqio.Table, 2))
		require.NoError(t, err)
	}
	require.Less(t, cap(w.data), 1000)
	_, _, err := w.take(nil, nil, make(seqio.Table, 1))
	require.Error(t, err)
}
