package formats_test

import (
	"bytes"
	"context"
	"encoding/binary"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/suffixcl/suffixcl"
	"github.com/suffixcl/suffixcl/formats"
	"github.com/suffixcl/suffixcl/formats/internal/bowtie2"
	"github.com/suffixcl/suffixcl/formats/internal/bwa"
	"github.com/suffixcl/suffixcl/formats/internal/bwamem2"
	"github.com/suffixcl/suffixcl/formats/internal/genometools"
	"github.com/suffixcl/suffixcl/formats/internal/indexfiles"
	"github.com/suffixcl/suffixcl/formats/internal/minibwa"
	"github.com/suffixcl/suffixcl/formats/internal/movi"
	"github.com/suffixcl/suffixcl/internal/addressspace"
	"github.com/suffixcl/suffixcl/internal/testkit/needed"
	"github.com/suffixcl/suffixcl/seqio"
)

// index is what is read.
type index interface {
	Write(ctx context.Context, files *indexfiles.Set) error
}

// readers are those of all formats.
var readers = map[string]struct {
	suffixes []string
	read     func(prefix string) (index, error)
}{
	"bwa":         {bwa.Suffixes(), func(p string) (index, error) { return bwa.Read(p) }},
	"bwamem2":     {bwamem2.Suffixes(), func(p string) (index, error) { return bwamem2.Read(p) }},
	"minibwa":     {minibwa.Suffixes(), func(p string) (index, error) { return minibwa.Read(p) }},
	"bowtie2":     {bowtie2.Suffixes(), func(p string) (index, error) { return bowtie2.Read(p) }},
	"large":       {bowtie2.LargeSuffixes(), func(p string) (index, error) { return bowtie2.Read(p) }},
	"movi":        {movi.Suffixes(), func(p string) (index, error) { return movi.Read(p) }},
	"genometools": {genometools.Suffixes(), func(p string) (index, error) { return genometools.Read(p) }},
}

// again reads the index of a prefix, writes it, and compares the files.
func again(t *testing.T, format, prefix string) index {
	r := readers[format]
	x, err := r.read(prefix)
	require.NoError(t, err)
	files, err := indexfiles.Create(prefix+".again", r.suffixes, indexfiles.Options{})
	require.NoError(t, err)
	defer files.Discard()
	require.NoError(t, x.Write(t.Context(), files))
	require.NoError(t, files.Commit())
	same(t, prefix+".again", prefix, r.suffixes...)
	return x
}

// damaged changes each file of an index in many ways: reading it fails with an error of the format, or gives the file
// as it was changed.
func damaged(t *testing.T, format, prefix string) {
	r := readers[format]
	tries := 30
	if format == "bowtie2" {
		tries = 3 // its table of words takes long
	}
	for _, suffix := range r.suffixes {
		name := prefix + suffix
		whole, err := os.ReadFile(name)
		require.NoError(t, err)
		try := func(b []byte, mustFail bool) {
			require.NoError(t, os.WriteFile(name, b, 0o666))
			x, err := r.read(prefix)
			var wrong *indexfiles.Error
			if err != nil {
				require.ErrorAs(t, err, &wrong, suffix)
				return
			}
			require.False(t, mustFail, "%s: %d bytes of %d", suffix, len(b), len(whole))
			files, err := indexfiles.Create(prefix+".changed", r.suffixes, indexfiles.Options{Force: true})
			require.NoError(t, err)
			defer files.Discard()
			require.NoError(t, x.Write(t.Context(), files))
			require.NoError(t, files.Commit())
			got, err := os.ReadFile(prefix + ".changed" + suffix)
			require.NoError(t, err)
			require.True(t, bytes.Equal(b, got), "%s: byte %d is read as something else", suffix, mismatch(b, got))
		}
		text := suffix == ".amb" || suffix == ".ann" || suffix == ".prj" // which may be written in other ways
		for _, n := range []int{0, len(whole) / 2, len(whole) - 1} {
			if n >= 0 && n < len(whole) {
				try(whole[:n], !text)
			}
		}
		try(append(slices.Clone(whole), 0), !text)
		for i := 0; i < len(whole) && !text; i += 1 + len(whole)/tries {
			b := slices.Clone(whole)
			b[i] ^= byte(1 + random.IntN(255))
			try(b, false)
		}
		require.NoError(t, os.WriteFile(name, whole, 0o666))
	}
	_, err := r.read(prefix)
	require.NoError(t, err)
}

// isRead tells whether indexes of a genome are read: lengths make no difference there.
func isRead(name string) bool {
	return !strings.HasPrefix(name, "length") || strings.HasSuffix(name, "192")
}

// What Debian's programs write is read, and written again as it was.
func TestReadersOfPrograms(t *testing.T) {
	for _, name := range []string{"bwa", "bowtie2-build", "gt"} {
		needed.Program(t, name)
	}
	for name, fasta := range genomes() {
		if !isRead(name) {
			continue
		}
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			file := filepath.Join(dir, "genome.fa")
			require.NoError(t, os.WriteFile(file, []byte(fasta), 0o666))
			batch, err := seqio.ReadAll(strings.NewReader(fasta), formats.Sequences(""))
			require.NoError(t, err)
			prefix := func(name string) string { return filepath.Join(dir, name) }

			call(t, "bwa", "index", "-p", prefix("bwa"), file)
			x := again(t, "bwa", prefix("bwa")).(*bwa.Index)
			want, err := bwa.New(batch)
			require.NoError(t, err)
			require.Equal(t, want, x.Reference)

			if name == "holes" { // TestBowtie2 has the others
				call(t, "bowtie2-build", "-q", file, prefix("bowtie2"))
			}
			if name == "holes" || name == "all T" {
				call(t, "bowtie2-build", "-q", "--large-index", file, prefix("large"))
				again(t, "large", prefix("large"))
			}

			call(t, "gt", "suffixerator", "-db", file, "-indexname", prefix("genometools"), "-dna", "-suf", "-lcp", "-bwt",
				"-tis", "-des", "-sds", "-ssp")
			again(t, "genometools", prefix("genometools"))
			if name == "holes" {
				for _, format := range []string{"bwa", "bowtie2", "genometools"} {
					damaged(t, format, prefix(format))
				}
			}
		})
	}
}

// The indexes of programs that Debian does not have are read as they were written.
func TestReadersOfOthers(t *testing.T) {
	e, dir := engine(t), t.TempDir()
	fasta := genomes()["holes"]
	prefix := filepath.Join(dir, "bwamem2")
	build(t, e, fasta, prefix, formats.BWAMEM2)
	again(t, "bwamem2", prefix)
	damaged(t, "bwamem2", prefix)
	prefix = filepath.Join(dir, "minibwa")
	build(t, e, fasta, prefix, formats.Minibwa)
	again(t, "minibwa", prefix)
	damaged(t, "minibwa", prefix)
	for _, of := range []formats.Program{formats.Movi, formats.MoviSeparated} {
		prefix = filepath.Join(dir, string(of))
		build(t, e, fasta, prefix, of)
		again(t, "movi", prefix)
		damaged(t, "movi", prefix)
	}
}

// Numbers of Movi's files have 40 bits, of which a text on a device needs 32.
func TestMoviOfManyRows(t *testing.T) {
	prefix := filepath.Join(t.TempDir(), "x")
	written := func(change func(x *movi.Index)) *movi.Index {
		x := &movi.Index{Heads: []byte("A\x00CA"), Lengths: []uint64{1 << 33, 1, 1<<39 + 5, 7},
			Thresholds: []uint64{0, 0, 0, 1<<39 + 1<<33 + 2}}
		change(x)
		files, err := indexfiles.Create(prefix, movi.Suffixes(), indexfiles.Options{Force: true})
		require.NoError(t, err)
		defer files.Discard()
		require.NoError(t, x.Write(t.Context(), files))
		require.NoError(t, files.Commit())
		return x
	}
	for _, threshold := range []uint64{1 << 33, 1<<39 + 1<<33 + 6} { // the least and the most
		x := written(func(x *movi.Index) { x.Thresholds[3] = threshold })
		lengths, err := os.ReadFile(prefix + ".bwt.len")
		require.NoError(t, err)
		require.Equal(t, []byte{0, 0, 0, 0, 2, 1, 0, 0, 0, 0, 5, 0, 0, 0, 128, 7, 0, 0, 0, 0}, lengths)
		require.Equal(t, x, again(t, "movi", prefix))
		require.NoError(t, formats.Movi.Check(prefix))
		for _, suffix := range movi.Suffixes() {
			require.NoError(t, os.Remove(prefix+".again"+suffix))
		}
	}
	for why, change := range map[string]func(x *movi.Index){
		"for run 3, which has 8589934592 to 558345748486": func(x *movi.Index) { x.Thresholds[3] = 3 },
		"has threshold 558345748487 for run 3":            func(x *movi.Index) { x.Thresholds[3] = 558345748487 },
		"has threshold 1 for run 2, which has 0 to 0":     func(x *movi.Index) { x.Thresholds[2] = 1 },
		"has 2 rows in run 1, the end":                    func(x *movi.Index) { x.Lengths[1] = 2 },
		"has more than 1099511627775 rows":                func(x *movi.Index) { x.Lengths[3] = 1<<40 - 1 },
		"has no rows in run 0":                            func(x *movi.Index) { x.Lengths[0] = 0 },
		"has 2 ends of the text, not 1":                   func(x *movi.Index) { x.Heads[3] = 0 },
		"has 0 ends of the text, not 1":                   func(x *movi.Index) { x.Heads[1] = 'T' },
		"has the letter 'A' in runs 2 and 3":              func(x *movi.Index) { x.Heads[2] = 'A' },
	} {
		written(change)
		_, err := movi.Read(prefix)
		require.ErrorContains(t, err, why)
	}
}

// Records without letters, and texts of more letters than there are rows, are refused.
func TestMoviRefuses(t *testing.T) {
	empty, err := seqio.ReadAll(strings.NewReader(">a\n>b\n"), formats.Sequences(""))
	require.NoError(t, err)
	letters := addressspace.Make[byte](1 << 31) // of which nothing is read
	for of, n := range map[formats.Program]int{formats.Movi: 1 << 31, formats.MoviSeparated: 1<<31 - 1} {
		_, err = of.New(empty)
		require.ErrorContains(t, err, "movi: the records have no letters")
		_, err = of.New(&seqio.Batch{Text: letters[:n], Records: make(seqio.Table, 1)})
		var wrong *suffixcl.LengthError
		require.ErrorAs(t, err, &wrong)
		require.Equal(t, suffixcl.LengthError{What: "text of both strands", Len: 1 << 32, Max: suffixcl.MaxLen}, *wrong)
	}
}

// The files of Movi by their definition, computed plainly.
func TestMovi(t *testing.T) {
	e := engine(t)
	eachGenome(t, func(t *testing.T, fasta, _, dir string) {
		if len(fasta) > 10_000 {
			t.Skip("the plain computation is slow")
		}
		for of, separator := range map[formats.Program]string{formats.Movi: "", formats.MoviSeparated: "%"} {
			prefix := filepath.Join(dir, string(of))
			build(t, e, fasta, prefix, of)
			b, err := seqio.ReadAll(strings.NewReader(fasta), formats.Sequences(""))
			require.NoError(t, err)
			for i, want := range plainMovi(b, separator) {
				got, err := os.ReadFile(prefix + movi.Suffixes()[i])
				require.NoError(t, err)
				require.Equal(t, want, got, movi.Suffixes()[i])
			}
			again(t, "movi", prefix)
		}
	})
}

// plainMovi are the files of records.
func plainMovi(b *seqio.Batch, separator string) (files [3][]byte) {
	var text []byte
	for _, record := range b.Records {
		letters := bytes.ToUpper(b.Text[record.Offset:record.End()])
		for i, c := range letters {
			if !strings.ContainsRune("ACGT", rune(c)) {
				letters[i] = 'A'
			}
		}
		text = append(append(text, letters...), separator...)
		slices.Reverse(letters)
		for _, c := range letters {
			text = append(text, "TGCA"[strings.IndexByte("ACGT", c)])
		}
		text = append(text, separator...)
	}
	text = append(text, 0)
	n := len(text)
	rows := make([]int, n)
	for i := range rows {
		rows[i] = i
	}
	slices.SortFunc(rows, func(a, b int) int { return bytes.Compare(text[a:], text[b:]) })
	letter := func(row int) byte { return text[(rows[row]+n-1)%n] }
	common := func(row int) (length int) {
		a, b := text[rows[row-1]:], text[rows[row]:]
		for a[length] == b[length] {
			length++
		}
		return length
	}
	put := func(file, v int) {
		files[file] = append(binary.LittleEndian.AppendUint32(files[file], uint32(v)), byte(v>>32))
	}
	last := map[byte]int{}
	for row, end := 0, 0; row < n; row = end {
		c := letter(row)
		for end = row; end < n && letter(end) == c; end++ {
		}
		threshold := 0
		if e, known := last[c]; known {
			threshold = e + 1
			for j := e + 2; j <= row; j++ {
				if common(j) < common(threshold) {
					threshold = j
				}
			}
		}
		files[0] = append(files[0], c)
		put(1, end-row)
		put(2, threshold)
		last[c] = end - 1
	}
	return files
}

// The index of minibwa by its definition, computed plainly.
func TestMinibwa(t *testing.T) {
	e := engine(t)
	eachGenome(t, func(t *testing.T, fasta, _, dir string) {
		if len(fasta) > 10_000 {
			t.Skip("the plain computation is slow")
		}
		prefix := filepath.Join(dir, "got")
		build(t, e, fasta, prefix, formats.Minibwa)
		b, err := seqio.ReadAll(strings.NewReader(fasta), formats.Sequences(""))
		require.NoError(t, err)
		bases, text := plainL2B(b)
		got, err := os.ReadFile(prefix + ".l2b")
		require.NoError(t, err)
		require.Equal(t, bases, got)
		got, err = os.ReadFile(prefix + ".mbw")
		require.NoError(t, err)
		require.Equal(t, plainMBW(text), got)
		again(t, "minibwa", prefix)
	})
}

// plainL2B is the file .l2b of records, and the text of both strands.
func plainL2B(b *seqio.Batch) (file, text []byte) {
	var names, comments, lengths, words []byte
	var spans [2][]byte // of letters that are no bases, and no capitals
	state := uint64(11)
	put := func(to *[]byte, v int) { *to = binary.LittleEndian.AppendUint64(*to, uint64(v)) }
	for _, record := range b.Records {
		name, comment := record.Name, ""
		if i := strings.IndexAny(name, " \t"); i >= 0 {
			name, comment = name[:i], name[i+1:]
		}
		names = append(names, name+"\x00"...)
		comments = append(comments, comment+"\x00"...)
		put(&lengths, record.Length)
		var starts [2]int
		for i, letter := range b.Text[record.Offset:record.End()] {
			at := record.Offset + i
			base := strings.IndexByte("ACGT", bytes.ToUpper([]byte{letter})[0])
			for k, is := range []bool{base < 0, letter < 'A' || letter > 'Z'} {
				switch {
				case is:
					starts[k]++
				case starts[k] > 0:
					put(&spans[k], at-starts[k])
					put(&spans[k], at)
					starts[k] = 0
				}
			}
			if base < 0 {
				state += 0x9e3779b97f4a7c15
				z := (state ^ state>>30) * 0xbf58476d1ce4e5b9
				z = (z ^ z>>27) * 0x94d049bb133111eb
				base = int((z ^ z>>31) % 4)
			}
			text = append(text, byte(base))
		}
	}
	n := len(text)
	for from := 0; from < n; from += 32 {
		word := 0
		for i, base := range text[from:min(from+32, n)] {
			word |= int(base) << (2 * i)
		}
		put(&words, word)
	}
	file = append(file, "L2B\x01\x00\x00\x00\x00"...)
	for _, v := range []int{len(b.Records), n, len(spans[0]) / 16, len(spans[1]) / 16, len(names), len(comments),
		len(words) / 8} {
		put(&file, v)
	}
	for i := n - 1; i >= 0; i-- {
		text = append(text, 3-text[i])
	}
	return slices.Concat(file, lengths, spans[0], spans[1], words, names, comments), text
}

// plainMBW is the file .mbw of a text.
func plainMBW(text []byte) []byte {
	rows := make([]int, len(text)+1)
	for i := range rows {
		rows[i] = i
	}
	slices.SortFunc(rows, func(a, b int) int { return bytes.Compare(text[a:], text[b:]) })
	out := append([]byte("MBW\x02"), 4, 0, 0, 0)
	put := func(v int) { out = binary.LittleEndian.AppendUint64(out, uint64(v)) }
	put(slices.Index(rows, 0))
	for base := 1; base <= 4; base++ {
		less := 0
		for _, c := range text {
			if int(c) < base {
				less++
			}
		}
		put(less)
	}
	var column []byte
	for _, row := range rows {
		if row > 0 {
			column = append(column, text[row-1])
		}
	}
	for from := 0; from < len(column); from += 128 {
		some := column[from:min(from+128, len(column))]
		for base := range byte(4) {
			count := bytes.Count(column[:from], []byte{base})
			if len(some) > 64 {
				count += bytes.Count(some[:64], []byte{base}) << 56
			}
			put(count)
		}
		for word := range 4 {
			v := 0
			for i := range 32 {
				if at := 32*word + i; at < len(some) {
					v |= int(some[at]) << (2 * i)
				}
			}
			put(v)
		}
	}
	for base := range byte(4) {
		put(bytes.Count(column, []byte{base}))
	}
	put((len(rows)-1)/16 + 1)
	put(-1)
	for k := 16; k < len(rows); k += 16 {
		put(rows[k])
	}
	return out
}
