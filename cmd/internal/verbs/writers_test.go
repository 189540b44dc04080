package verbs

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/suffixcl/suffixcl"
	"github.com/suffixcl/suffixcl/cmd/internal/formats/tsv"
	"github.com/suffixcl/suffixcl/cmd/internal/job"
	"github.com/suffixcl/suffixcl/cmd/internal/options"
	"github.com/suffixcl/suffixcl/cmd/internal/source"
	"github.com/suffixcl/suffixcl/internal/cli"
	"github.com/suffixcl/suffixcl/internal/cli/clitest"
	"github.com/suffixcl/suffixcl/internal/corpus"
	"github.com/suffixcl/suffixcl/internal/sentencepiece"
	"github.com/suffixcl/suffixcl/seqio"
)

// resultWriter writes a result, whose contents a seed decides.
type resultWriter struct {
	name  string
	write func(w io.Writer) error
}

// randomRecords are records of a text of n characters, with gaps between them.
func randomRecords(r *rand.Rand, n, longest int) (records seqio.Table) {
	for at := 0; at < n; {
		length := min(r.IntN(longest+1), n-at)
		record := seqio.Record{Offset: at, Length: length}
		if r.IntN(4) > 0 {
			record.Name = fmt.Sprintf("record\t%d", len(records))
		}
		records = append(records, record)
		at += length + 1
	}
	return records
}

// randomCounts are frequencies, with runs of equal ones.
func randomCounts(r *rand.Rand, n, longest int) []uint32 {
	counts := make([]uint32, n)
	for at := 0; at < n; {
		v := uint32(r.IntN(4))
		if v == 3 {
			v = r.Uint32() >> r.IntN(32)
		}
		for end := at + 1 + r.IntN(longest); at < min(end, n); at++ {
			counts[at] = v
		}
	}
	return counts
}

// mappabilityWriters write frequencies of k-mers of sequences of up to `longest` letters.
func mappabilityWriters(seed uint64, n, longest, run int) (list []resultWriter) {
	r := rand.New(rand.NewPCG(seed, 1))
	g := &source.Sequences{Records: randomRecords(r, n, longest), Runs: []source.RecordRun{{First: 0, Number: 0}}}
	counts := randomCounts(r, n, run)
	for _, format := range []string{"bedgraph", "wig", "txt", "raw8", "raw16"} {
		for _, frequency := range []bool{false, true} {
			flags := &mappabilityFlags{frequency: frequency, format: cli.Choice{Value: format}}
			if frequency && flags.raw() > 0 {
				continue
			}
			list = append(list, resultWriter{fmt.Sprintf("mappability %s %t %d", format, frequency, longest),
				func(w io.Writer) error {
					t := newMappabilityTable(w, g, flags, mappabilityFile{k: 30, format: format})
					for k, record := range g.Records {
						for at := 0; at < record.Length; {
							part := min(record.Length-at, 1<<20)
							m := &suffixcl.Mappability{K: 30, Text: k, First: at, Values: counts[record.Offset+at:][:part]}
							if err := t.add(m); err != nil {
								return err
							}
							at += part
						}
					}
					return t.finish()
				}})
		}
	}
	return list
}

// repeatsWriters write the repeats of records, or of a text without any.
func repeatsWriters(seed uint64, n, longest int) (list []resultWriter) {
	r := rand.New(rand.NewPCG(seed, 2))
	records := randomRecords(r, n, longest)
	parts := slices.Clone(records)
	if longest >= n {
		records, parts = nil, seqio.Table{{Length: n}}
	}
	starts, lengths := make([]uint32, n), make([]uint32, n)
	for i := range n {
		if r.IntN(10) > 0 {
			lengths[i] = 1 + r.Uint32N(2000)
		}
		starts[i] = uint32(max(i-r.IntN(50), 0))
		if i > 0 && r.IntN(3) > 0 {
			starts[i] = max(starts[i-1], starts[i])
		}
	}
	for _, flags := range []*repeatsFlags{
		{format: cli.Choice{Value: "tsv"}}, {format: cli.Choice{Value: "bed"}},
		{format: cli.Choice{Value: "tsv"}, top: 1000}, {format: cli.Choice{Value: "bed"}, top: 1000},
	} {
		name := fmt.Sprintf("repeats %s %d %d", flags.format.Value, flags.top, longest)
		list = append(list, resultWriter{name, func(w io.Writer) error {
			t := newRepeatTable(w, flags, records, "text.txt")
			for _, p := range parts {
				for at := p.Offset; at < p.End(); {
					end := min(p.End(), at+1<<20)
					local := slices.Clone(starts[at:end])
					for i := range local {
						local[i] = max(local[i], uint32(p.Offset))
					}
					b := &suffixcl.Repeats{First: at, Start: local, Length: lengths[at:end]}
					if err := t.block(b); err != nil {
						return err
					}
					at = end
				}
			}
			return t.finish()
		}})
	}
	return list
}

// intervalsWriters write intervals of a text of bytes, of documents, and of symbols.
func intervalsWriters(seed uint64, n int) (list []resultWriter) {
	r := rand.New(rand.NewPCG(seed, 3))
	text := make([]byte, 2*n+10)
	for i := range text {
		if text[i] = byte('a' + r.IntN(26)); r.IntN(20) == 0 {
			text[i] = byte(r.IntN(256))
		}
	}
	random := func(letters, longest int) *suffixcl.Intervals {
		all := &suffixcl.Intervals{}
		for range n {
			depth := uint32(1 + r.IntN(min(letters, longest)))
			left := r.Uint32() >> 1
			all.Left, all.Right = append(all.Left, left), append(all.Right, left+1+r.Uint32N(1000))
			all.Depth = append(all.Depth, depth)
			all.Position = append(all.Position, r.Uint32N(uint32(letters)-depth+1))
		}
		return all
	}
	whole := random(n, 30)
	add := func(name string, t intervalTable, all *suffixcl.Intervals) {
		t.documents()
		list = append(list, resultWriter{"intervals " + name, func(w io.Writer) error {
			t := t
			t.Writer = tsv.New(w)
			for _, part := range []*suffixcl.Intervals{all, {}} {
				if err := t.add(part); err != nil {
					return err
				}
			}
			return t.Flush()
		}})
	}
	add("bytes", intervalTable{text: text, most: 20, width: 1}, whole)
	add("symbols", intervalTable{text: text, most: 20, width: 2}, whole)
	add("documents", intervalTable{text: text, most: 20, width: 1,
		records: seqio.Table{{Offset: 0, Length: n / 3}, {Offset: n/3 + 1, Length: n - n/3, Name: "b"}}}, random(n/3, 1))
	return list
}

// multiMatchesWriters write matches of so many genomes.
func multiMatchesWriters(seed uint64, n, genomes int) (list []resultWriter) {
	r := rand.New(rand.NewPCG(seed, 4))
	var all []*source.Sequences
	for range genomes {
		all = append(all, &source.Sequences{Records: randomRecords(r, 1<<20, 1<<18)})
	}
	var found []suffixcl.MultiMatch
	for total := 0; total < n; {
		m := suffixcl.MultiMatch{Length: 20 + r.Uint32N(1000)}
		for k := range genomes {
			if r.IntN(5) > 0 {
				m.Occurrences = append(m.Occurrences, suffixcl.GenomePosition{Genome: int32(k),
					Text: int32(r.IntN(len(all[k].Records))), Position: r.Uint32N(1 << 18), Reverse: r.IntN(3) == 0})
			}
		}
		if len(m.Occurrences) == 0 {
			continue
		}
		r.Shuffle(len(m.Occurrences), func(i, j int) {
			m.Occurrences[i], m.Occurrences[j] = m.Occurrences[j], m.Occurrences[i]
		})
		found = append(found, m)
		total += len(m.Occurrences)
	}
	for _, mostEach := range []int{1, 3} {
		list = append(list, resultWriter{fmt.Sprintf("mums %d %d", genomes, mostEach), func(w io.Writer) error {
			t := newMultiMatchTable(w, all, mostEach == 1)
			var m suffixcl.MultiMatch
			for _, one := range found {
				m.Length, m.Occurrences = one.Length, append(m.Occurrences[:0], one.Occurrences...)
				if err := t.add(&m); err != nil {
					return err
				}
			}
			return t.finish()
		}})
	}
	return list
}

// setWriters write the arrays of a set of texts.
func setWriters(t testing.TB, seed uint64, n int) (list []resultWriter) {
	r := rand.New(rand.NewPCG(seed, 5))
	var texts [][]byte
	transform := make([]byte, 0, n)
	for at := 0; at < n; {
		text := []byte(strings.Repeat("ACGT", 1+r.IntN(40)))
		texts = append(texts, text)
		at += len(text) + 1
	}
	c, err := suffixcl.JoinTexts(0, texts...)
	require.NoError(t, err)
	result := &suffixcl.Result{}
	for range c.Len() {
		result.LCP = append(result.LCP, r.Uint32N(1<<r.IntN(32)))
		transform = append(transform, "\x00ACGT"[r.IntN(5)])
	}
	for _, slot := range r.Perm(c.Len()) {
		k, _, _ := c.Find(slot)
		result.SA, result.Documents = append(result.SA, uint32(slot)), append(result.Documents, uint32(k))
	}
	result.BWT = suffixcl.Bytes(transform)
	for _, width := range []options.Width{4, 5, 8} {
		flags := gsaFlags{sa: true, lcp: true, da: true, bwt: true, isa: true, gsa: true, gesa: true,
			width: width, daWidth: width, format: cli.Choice{Value: "gsufsort"}}
		for _, file := range flags.files(c, result, (*cli.Progress)(nil).Sum("write")) {
			list = append(list, resultWriter{"gsa " + file.suffix, file.write})
		}
	}
	return list
}

// seedsWriters write pieces of sentences.
func seedsWriters(seed uint64, n int) []resultWriter {
	r := rand.New(rand.NewPCG(seed, 6))
	c, found := &sentencepiece.Corpus{}, &suffixcl.Intervals{}
	for range n + 20 {
		c.Symbols = append(c.Symbols, 'a'+r.Uint32N(26)+r.Uint32N(2)*0x3b1)
	}
	for range n {
		found.Position, found.Depth = append(found.Position, r.Uint32N(uint32(n))), append(found.Depth, 1+r.Uint32N(16))
		found.Left, found.Right = append(found.Left, 1), append(found.Right, 2+r.Uint32N(1e6))
	}
	return []resultWriter{{"seeds", func(w io.Writer) error { return (&seedsFlags{}).write(w, c, found) }}}
}

// dedupWriters write ranges of documents, and documents without them.
func dedupWriters(t testing.TB, seed uint64, n int) (list []resultWriter) {
	r := rand.New(rand.NewPCG(seed, 7))
	var lines, plain bytes.Buffer
	for lines.Len() < n {
		var text strings.Builder
		for range r.IntN(200) {
			text.WriteString([]string{"word ", "other words ", "ünïcode ", "\"quoted\" ", "line\n"}[r.IntN(5)])
		}
		line, err := json.Marshal(map[string]any{"id": r.IntN(1e9), "text": text.String(), "url": "https://example.org/"})
		require.NoError(t, err)
		if r.IntN(100) == 0 {
			lines.WriteString(" \n")
		}
		lines.Write(append(line, '\n'))
		plain.WriteString(text.String() + "|")
	}
	name := filepath.Join(t.TempDir(), "lines.jsonl")
	require.NoError(t, os.WriteFile(name, lines.Bytes(), 0o666))
	for _, field := range []string{"", "text"} {
		d := &dedup{Job: &job.Job{}, flags: &dedupFlags{field: field, separator: "|"}, other: -1}
		d.sources = []documentSource{{path: name, relative: "out"}}
		source := &plain
		if field != "" {
			d.flags.separator, source = "", &lines
		}
		o := corpus.Options{Field: field, Separator: []byte(d.flags.separator)}
		require.NoError(t, d.set.Add("a\nfile", bytes.NewReader(source.Bytes()), o))
		split := d.set.Split(true)
		f := &dedupFound{}
		for at := r.IntN(100); at < len(d.set.Text); at += 1 + r.IntN(4000) {
			end := min(at+r.IntN(3000), len(d.set.Text))
			split.Add(at, end)
			f.ranges = append(f.ranges, corpus.Document{Start: at, End: end})
			at = end
		}
		f.cuts = split.Cuts()
		for _, format := range []string{"byterange", "u64", "documents"} {
			if field != "" && format != "documents" {
				continue
			}
			list = append(list, resultWriter{fmt.Sprintf("dedup %s %q", format, field), func(w io.Writer) error {
				d.flags.format.Value = format
				return d.writeRanges(context.Background(), w, f)
			}})
		}
		for _, drop := range []bool{false, true} {
			list = append(list, resultWriter{fmt.Sprintf("dedup write %q %t", field, drop), func(w io.Writer) error {
				f.cuts.DropEmptied = drop
				return d.again(context.Background(), 0, func(in io.Reader) error { return d.set.Write(0, in, f.cuts, w) })
			}})
		}
	}
	return list
}

// resultWriters write results of about n things each.
func resultWriters(t testing.TB, seed uint64, n int) []resultWriter {
	longest := n/4 + 1
	return slices.Concat(
		mappabilityWriters(seed, n, longest, 3), mappabilityWriters(seed, n, 60, 20),
		repeatsWriters(seed, n, n+1), repeatsWriters(seed, n, 150),
		intervalsWriters(seed, n), multiMatchesWriters(seed, n, 5), multiMatchesWriters(seed, n, 300),
		setWriters(t, seed, n), seedsWriters(seed, n), dedupWriters(t, seed, 20*n),
	)
}

// Results are the same for any number of processors, wherever they are written to; one that finds no room, or whose
// context has ended, tells so.
func TestWriters(t *testing.T) {
	for _, n := range []int{3, 1000, 70_000} {
		for _, writer := range resultWriters(t, uint64(n), n) {
			t.Run(fmt.Sprintf("%s %d", writer.name, n), func(t *testing.T) {
				var want []byte
				for _, processors := range []int{1, 2, 7} {
					defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(processors))
					var got bytes.Buffer
					require.NoError(t, writer.write(&got))
					if want == nil {
						want = bytes.Clone(got.Bytes())
					}
					require.True(t, bytes.Equal(want, got.Bytes()), "%d processors", processors)
					for _, room := range []int{0, 1, len(want) / 2, len(want) - 1} {
						if room < 0 || room >= len(want) {
							continue
						}
						full := &clitest.BoundedWriter{Room: room}
						require.ErrorIs(t, writer.write(full), clitest.ErrFull, "%d of %d bytes", room, len(want))
						require.True(t, bytes.Equal(want[:room], full.Bytes()), "%d of %d bytes", room, len(want))
					}
					if len(want) > 0 {
						ended, end := context.WithCancel(t.Context())
						end()
						require.ErrorIs(t, writer.write(cli.ContextWriter{Context: ended, Writer: io.Discard}), context.Canceled)
					}
				}
			})
		}
	}
}

// Lines of results are what their formats say.
func TestLinesOfResults(t *testing.T) {
	var got bytes.Buffer
	g := &source.Sequences{Records: seqio.Table{{Name: "a", Length: 5}, {Offset: 6}, {Offset: 7, Length: 3}},
		Runs: []source.RecordRun{{First: 0, Number: 0}}}
	for format, want := range map[string]string{
		"bedgraph": "a\t0\t2\t0.5\na\t3\t5\t1\n#3\t0\t1\t0.000325521\n#3\t1\t3\t1\n",
		"wig": "variableStep chrom=a span=2\n1 0.5\n4 1\n" +
			"variableStep chrom=#3 span=1\n1 0.000325521\nvariableStep chrom=#3 span=2\n2 1\n",
		"txt":   ">a\n0.5 0.5 0 1 1\n>#2\n\n>#3\n0.000325521 1 1\n",
		"raw8":  "\x02\x02\x00\x01\x01\xff\x01\x01",
		"raw16": "\x02\x00\x02\x00\x00\x00\x01\x00\x01\x00\x00\x0c\x01\x00\x01\x00",
	} {
		got.Reset()
		flags := &mappabilityFlags{format: cli.Choice{Value: format}}
		table := newMappabilityTable(&got, g, flags, mappabilityFile{k: 2, format: format})
		require.NoError(t, table.add(&suffixcl.Mappability{Values: []uint32{2, 2, 0, 1}}))
		require.NoError(t, table.add(&suffixcl.Mappability{First: 4, Values: []uint32{1}}))
		require.NoError(t, table.add(&suffixcl.Mappability{Text: 2, Values: []uint32{3072, 1, 1}}))
		require.NoError(t, table.finish())
		require.Equal(t, want, got.String(), format)
	}
	require.Equal(t, `a\\b\t\n\r\x00\x7f\xffz`, string(tsv.AppendEscaped(nil, []byte("a\\b\t\n\r\x00\x7f\xffz"))))
	for length := range 40 {
		values := slices.Repeat([]uint32{7}, length)
		require.Equal(t, length, alike(values, 7))
		for at := range values {
			values[at] = 8
			require.Equal(t, at, alike(values, 7))
			values[at] = 7
		}
	}
}
