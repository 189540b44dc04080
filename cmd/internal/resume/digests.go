package resume

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/suffixcl/suffixcl/internal/atomicfile"
	"github.com/suffixcl/suffixcl/internal/cli"
	"github.com/suffixcl/suffixcl/internal/parallel"
)

// digest is the checksum of a part of a result that is kept: CRC-32C, which processors compute.
type digest struct {
	At       int64  `json:"at"` // in the file
	Bytes    int64  `json:"bytes"`
	Checksum uint32 `json:"checksum"`
}

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// Digester takes the digests of what it writes: one of each range, or of what follows without a gap in it.
type Digester struct {
	To   *cli.PieceWriter
	done []digest
	open bool // the last one goes on
}

func (d *Digester) Write(b []byte) (int, error) {
	at := d.To.At
	n, err := d.To.Write(b)
	if last := len(d.done) - 1; !d.open || d.done[last].At+d.done[last].Bytes != at {
		d.done, d.open = append(d.done, digest{At: at}), true
	}
	last := &d.done[len(d.done)-1]
	last.Bytes += int64(n)
	last.Checksum = crc32.Update(last.Checksum, castagnoli, b[:n])
	return n, err
}

// Cut ends the last digest, and returns all.
func (d *Digester) Cut() []digest {
	d.open = false
	return d.done
}

// checkDigests returns an error that names the first part of a result that is not what was written, or unless they are
// of so many bytes at least.
func checkDigests(result io.ReaderAt, digests []digest, want int64) error {
	sorted := slices.SortedFunc(slices.Values(digests), func(a, b digest) int { return cmp.Compare(a.At, b.At) })
	end, covered := int64(0), int64(0)
	for _, d := range sorted {
		from := max(end, d.At)
		end = max(end, d.At+d.Bytes)
		covered += end - from
	}
	if covered < want {
		return fmt.Errorf("%s tells of %d bytes, and has checksums of %d", StateFile, want, covered)
	}
	return parallel.Try(len(sorted), 1, func(lo, hi int) error {
		buffer := make([]byte, cli.WriteChunk)
		for _, d := range sorted[lo:hi] {
			sum := crc32.New(castagnoli)
			part := struct{ io.Reader }{io.NewSectionReader(result, d.At, d.Bytes)}
			if _, err := io.CopyBuffer(sum, part, buffer); err != nil {
				return err
			}
			if sum.Sum32() != d.Checksum {
				return fmt.Errorf("%s: bytes %d to %d are not what was written there: remove the directory to begin anew",
					ResultFile, d.At, d.At+d.Bytes)
			}
		}
		return nil
	})
}

// keptDigests is the file of a rank's digests, by its number.
const keptDigests = "suffixcl-digests-%d.json"

// isDigests tells whether a file has the name of one of a rank's digests.
func isDigests(name string) bool {
	ok, _ := filepath.Match(strings.Replace(keptDigests, "%d", "*", 1), name) // whose pattern is right
	return ok
}

// digestFiles are those of all ranks that have worked on a job.
func digestFiles(dir string) (names []string) {
	entries, _ := os.ReadDir(dir) // what cannot be read shows when it is wanted
	for _, e := range entries {
		if isDigests(e.Name()) {
			names = append(names, filepath.Join(dir, e.Name()))
		}
	}
	return names
}

// readDigests are those in files of ranks.
func readDigests(names ...string) (all []digest, err error) {
	for _, name := range names {
		data, err := ReadFile(name)
		var some []digest
		if err == nil {
			err = json.Unmarshal(data, &some)
		}
		if err != nil {
			return nil, fmt.Errorf("%s: %w", filepath.Base(name), err)
		}
		all = append(all, some...)
	}
	return all, nil
}

// RankDigests are those of a rank, with those of an earlier run.
type RankDigests struct {
	name   string // of their file
	before []digest
}

// NewRankDigests reads those of an earlier run of a rank.
func NewRankDigests(dir string, rank int) (*RankDigests, error) {
	d := &RankDigests{name: filepath.Join(dir, fmt.Sprintf(keptDigests, rank))}
	before, err := readDigests(d.name)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	d.before = slices.Clip(before)
	return d, nil
}

// Keep writes the file, once what they are of is on disk.
func (d *RankDigests) Keep(now []digest) error {
	data, err := json.Marshal(append(d.before, now...))
	if err != nil {
		return err
	}
	return atomicfile.WriteFile(d.name, data, 0o666)
}

// ReadFile reads a file of a job that is kept.
func ReadFile(name string) ([]byte, error) {
	f, err := OpenFile(name, os.O_RDONLY)
	if err != nil {
		return nil, err
	}
	data, err := io.ReadAll(f)
	return data, errors.Join(err, f.Close())
}
