package verbcases

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strconv"

	"github.com/suffixcl/suffixcl/internal/nucleotide"
	"github.com/suffixcl/suffixcl/internal/testkit/synthetic"
	"github.com/suffixcl/suffixcl/internal/testkit/weblike"
)

// verbInputs make the inputs of verbs, of about n bytes, by the names of their files.
var verbInputs = map[string]func(path string, n int) error{
	"text":        saved(mixedText),
	"new":         saved(newVersion),
	"genome.fa":   saved(func(n int) []byte { return chromosomes(madeGenome(n)) }),
	"relative.fa": saved(func(n int) []byte { return chromosomes(relative(madeGenome(n))) }),
	"reads.fa":    saved(shortReads),
	"sentences":   saved(sentences),
	"pages":       saved(pages),
	"ngrams":      saved(ngrams),
	"index": func(path string, n int) error { // as infini-gram has it
		if err := os.Mkdir(path, 0o777); err != nil {
			return err
		}
		return os.WriteFile(filepath.Join(path, "tokenized.0"), tokensFile(n), 0o666)
	},
	"documents": documents,
}

// saved writes a file of what is made.
func saved(of func(n int) []byte) func(path string, n int) error {
	return func(path string, n int) error { return os.WriteFile(path, of(n), 0o666) }
}

func made(kind string, n int) []byte {
	text := make([]byte, n)
	synthetic.Text{Kind: kind, Len: n}.Make(text)
	return text
}

func mixedText(n int) []byte  { return made("mixed", n) }
func madeGenome(n int) []byte { return made("genome", n) }

// newVersion is the text with parts of 4 KiB in other places, and some changed.
func newVersion(n int) []byte {
	const part = 4 << 10
	text, r := mixedText(n), rand.New(rand.NewPCG(21, 0))
	for range n / part / 20 {
		from, to := r.IntN(n-part), r.IntN(n-part)
		copy(text[to:to+part], text[from:from+part])
		text[r.IntN(n)] ^= 1
	}
	return text
}

// relative is a genome of which one base in a hundred is another.
func relative(genome []byte) []byte {
	r := rand.New(rand.NewPCG(22, 0))
	for range len(genome) / 100 {
		genome[r.IntN(len(genome))] = "ACGT"[r.IntN(4)]
	}
	return genome
}

// chromosomes are four records of FASTA, in lines of 80.
func chromosomes(bases []byte) []byte {
	var b bytes.Buffer
	const records, line = 4, 80
	for i := range records {
		part := bases[len(bases)*i/records : len(bases)*(i+1)/records]
		fmt.Fprintf(&b, ">chr%d\n", i+1)
		for ; len(part) > line; part = part[line:] {
			b.Write(part[:line])
			b.WriteByte('\n')
		}
		b.Write(part)
		b.WriteByte('\n')
	}
	return b.Bytes()
}

// shortReads are reads of 100 bases of the genome, of which every second has another base, and half are of the other
// strand.
func shortReads(n int) []byte {
	const length = 100
	genome, r := madeGenome(n), rand.New(rand.NewPCG(23, 0))
	var b bytes.Buffer
	read := make([]byte, length)
	for i := range n / length {
		copy(read, genome[r.IntN(n-length+1):])
		if i%2 == 1 {
			read[r.IntN(length)] = "ACGT"[r.IntN(4)]
		}
		if r.IntN(2) == 1 {
			slices.Reverse(read)
			for at, base := range read {
				read[at], _ = nucleotide.Complement(base)
			}
		}
		fmt.Fprintf(&b, ">read%d\n%s\n", i+1, read)
	}
	return b.Bytes()
}

// documentSeed is the seed of the documents, some of which are found again in others.
const documentSeed = 24

// sentences are lines of about 100 bytes.
func sentences(n int) []byte {
	text, _ := weblike.New(n, documentSeed)
	for at, begun := 0, 0; at < n; at++ {
		if text[at] == ' ' && at-begun > 100 {
			text[at], begun = '\n', at
		}
	}
	return text
}

// pages are documents as lines of JSON.
func pages(n int) (lines []byte) {
	text, starts := weblike.New(n, documentSeed)
	for i, end := range starts[1:] {
		lines = append(lines, `{"text":`...)
		lines = strconv.AppendQuote(lines, string(text[starts[i]:end])) // of letters and blanks
		lines = append(lines, "}\n"...)
	}
	return lines
}

// documents are files of a directory, a document each.
func documents(dir string, n int) error {
	if err := os.Mkdir(dir, 0o777); err != nil {
		return err
	}
	text, starts := weblike.New(n, documentSeed)
	for i, end := range starts[1:] {
		name := filepath.Join(dir, fmt.Sprintf("%06d.txt", i))
		if err := os.WriteFile(name, text[starts[i]:end], 0o666); err != nil {
			return err
		}
	}
	return nil
}

// tokens are n, by Zipf's law.
func tokens(n int) []uint16 {
	list := make([]uint16, n)
	zipf := rand.NewZipf(rand.New(rand.NewPCG(25, 0)), 1.1, 2, 50_000)
	for i := range list {
		list[i] = uint16(zipf.Uint64())
	}
	return list
}

func tokensFile(n int) (file []byte) {
	for _, token := range tokens(n / 2) {
		file = binary.LittleEndian.AppendUint16(file, token)
	}
	return file
}

// ngrams are lines of three tokens in a row.
func ngrams(n int) (lines []byte) {
	list := tokens(n / 2)
	for at := 0; at+3 <= len(list); at += 64 {
		for i, token := range list[at : at+3] {
			if i > 0 {
				lines = append(lines, ',')
			}
			lines = strconv.AppendUint(lines, uint64(token), 10)
		}
		lines = append(lines, '\n')
	}
	return lines
}
