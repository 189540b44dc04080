// Package corpora reads the directory of real texts that SUFFIXCL_CORPORA names, for tests and benchmarks.
package corpora

import (
	"bufio"
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/suffixcl/suffixcl/conformance"
	"github.com/suffixcl/suffixcl/internal/testkit/divsufsort"
	"github.com/suffixcl/suffixcl/internal/testkit/opticks"
)

// A Text is a file.
type Text struct {
	Name  string // of the file
	Path  string
	Bytes int64

	recorded *Digests // from digests.tsv, or nil
}

// Digests identify the right results for a text: SHA-256 in hexadecimal of the
// suffix array and the LCP array as n little-endian 32-bit integers each, of the
// n bytes of the BWT, and its primary index.
type Digests struct {
	SuffixArray, LCP, BWT string
	Primary               int
}

// digestsFile is the name of the table of digests in a directory of corpora.
const digestsFile = "digests.tsv"

// All returns the regular files, links to such included, of the directory
// that the environment variable SUFFIXCL_CORPORA names, in alphabetical order.
// The test is skipped if it is not set.
//
// A file digests.tsv there is no corpus but a table of expected digests, with tab
// separated columns text (the file's name), bytes, suffix_array, lcp, bwt and
// primary; see [Digests]. Lines that start with # are left out, as is the heading.
func All(t testing.TB) []Text {
	t.Helper()
	dir := os.Getenv("SUFFIXCL_CORPORA")
	if dir == "" {
		t.Skip("SUFFIXCL_CORPORA is not set: no corpora")
	}
	corpora, err := readCorpora(dir)
	if err != nil {
		t.Fatal(err)
	}
	return corpora
}

// OrOpticks returns all texts by name, or the one that comes with the module if SUFFIXCL_CORPORA is not set.
func OrOpticks(t testing.TB) map[string][]byte {
	t.Helper()
	if os.Getenv("SUFFIXCL_CORPORA") == "" {
		return map[string][]byte{"opticks.txt": opticks.Text}
	}
	texts := make(map[string][]byte)
	for _, c := range All(t) {
		text, err := c.Read()
		if err != nil {
			t.Fatal(err)
		}
		texts[c.Name] = text
	}
	return texts
}

func readCorpora(dir string) ([]Text, error) {
	recorded, err := readDigests(filepath.Join(dir, digestsFile))
	if err != nil {
		return nil, err
	}
	entries, err := os.ReadDir(dir)
	if err != nil {
		return nil, err
	}
	var corpora []Text
	for _, entry := range entries {
		path := filepath.Join(dir, entry.Name())
		info, err := os.Stat(path)
		if err != nil {
			return nil, err
		}
		if !info.Mode().IsRegular() || entry.Name() == digestsFile {
			continue
		}
		c := Text{Name: entry.Name(), Path: path, Bytes: info.Size()}
		if row, ok := recorded[c.Name]; ok {
			if row.bytes != c.Bytes {
				return nil, fmt.Errorf("%s has %d bytes, %d in %s", path, c.Bytes, row.bytes, digestsFile)
			}
			c.recorded = &row.Digests
		}
		corpora = append(corpora, c)
	}
	return corpora, nil
}

type digestsRow struct {
	bytes int64
	Digests
}

// readDigests reads a table of digests, by name of the text; there is none if
// the file does not exist.
func readDigests(path string) (map[string]digestsRow, error) {
	content, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	rows := make(map[string]digestsRow)
	lines := bufio.NewScanner(bytes.NewReader(content))
	for number := 1; lines.Scan(); number++ {
		line := strings.TrimRight(lines.Text(), "\r")
		if line == "" || line[0] == '#' || strings.HasPrefix(line, "text\t") {
			continue
		}
		field := strings.Split(line, "\t")
		if len(field) != 6 {
			return nil, fmt.Errorf("%s:%d: %d columns, want 6", path, number, len(field))
		}
		size, err1 := strconv.ParseInt(field[1], 10, 64)
		primary, err2 := strconv.Atoi(field[5])
		if err := errors.Join(err1, err2); err != nil {
			return nil, fmt.Errorf("%s:%d: %w", path, number, err)
		}
		rows[field[0]] = digestsRow{size, Digests{field[2], field[3], field[4], primary}}
	}
	return rows, lines.Err()
}

// Read returns the text.
func (c Text) Read() ([]byte, error) { return os.ReadFile(c.Path) }

// Want returns the digests of the right results for the text, which is what Read
// returned: those recorded in digests.tsv, or else computed from the suffix array
// by libdivsufsort or, in its absence, index/suffixarray.
func (c Text) Want(text []byte) (Digests, error) {
	if c.recorded != nil {
		return *c.recorded, nil
	}
	sa, err := divsufsort.SuffixArray(text)
	if errors.Is(err, divsufsort.ErrNone) {
		sa, err = conformance.ReferenceSuffixArray(text), nil
	}
	if err != nil {
		return Digests{}, fmt.Errorf("corpus %s: %w", c.Name, err)
	}
	bwt, primary := conformance.ReferenceBWT(text, sa)
	return Digests{DigestArray(sa), DigestArray(conformance.ReferenceLCP(text, sa)), DigestBytes(bwt), primary}, nil
}

// DigestBytes returns the SHA-256 of b in hexadecimal.
func DigestBytes(b []byte) string {
	digest := sha256.Sum256(b)
	return hex.EncodeToString(digest[:])
}

// DigestArray returns the SHA-256 in hexadecimal of the entries as little-endian
// 32-bit integers.
func DigestArray(a []uint32) string {
	hash := sha256.New()
	var buf []byte
	for len(a) > 0 {
		buf = buf[:0]
		for _, v := range a[:min(len(a), 1<<14)] {
			buf = binary.LittleEndian.AppendUint32(buf, v)
		}
		hash.Write(buf)
		a = a[len(buf)/4:]
	}
	return hex.EncodeToString(hash.Sum(nil))
}
