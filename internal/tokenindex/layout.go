package tokenindex

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/suffixcl/suffixcl/internal/bytesize"
)

// Layout is how the files of infini-gram are called.
type Layout int

// The layouts.
const (
	AnyLayout Layout = iota // what is there
	Numbered                // tokenized.S, ...: several shards in a directory; versions 4 and 5
	Single                  // tokenized, ...: a directory a shard; version 6
)

// ShardFiles are the files of a shard.
type ShardFiles struct {
	Number int
	dir    string
	suffix string // of the names
}

// File is the name of a file: kind is tokenized, offset, table, metadata, metaoff or unigram.
func (s ShardFiles) File(kind string) string { return filepath.Join(s.dir, kind+s.suffix) }

// In are the same names in another directory.
func (s ShardFiles) In(dir string) ShardFiles {
	s.dir = dir
	return s
}

// Dir is the directory of the files.
func (s ShardFiles) Dir() string { return s.dir }

// FilesOf are the files of the shard whose tokens are in a file that is called as in a layout, or ok is false.
func FilesOf(tokens string) (files ShardFiles, ok bool) {
	files = ShardFiles{dir: filepath.Dir(tokens)}
	suffix, found := strings.CutPrefix(filepath.Base(tokens), "tokenized")
	if !found || suffix == "" {
		return files, found
	}
	digits, found := strings.CutPrefix(suffix, ".")
	number, err := strconv.Atoi(digits)
	if !found || err != nil || number < 0 || strconv.Itoa(number) != digits {
		return files, false
	}
	files.Number, files.suffix = number, suffix
	return files, true
}

// Find returns the shards of a directory: those with a file of tokens, ascending. Without any it returns those of the
// directories in it, in the order of their names, and numbers them from 0. Errors: those of the file system; an *Error
// of a directory without any, or with files of both layouts.
func Find(dir string, layout Layout) ([]ShardFiles, error) {
	shards, below, err := shardsOf(dir, layout)
	if err != nil || len(shards) > 0 {
		return shards, err
	}
	for _, name := range below {
		more, _, err := shardsOf(name, layout)
		if err != nil && !errors.Is(err, fs.ErrPermission) {
			return nil, err
		}
		shards = append(shards, more...)
	}
	for i := range shards {
		shards[i].Number = i
	}
	if len(shards) == 0 {
		wanted := map[Layout]string{AnyLayout: "tokenized.0 or tokenized", Numbered: "tokenized.0", Single: "tokenized"}
		return nil, &Error{dir, -1, "no file is called " + wanted[layout]}
	}
	return shards, nil
}

// shardsOf are the shards of a directory itself, and the directories below it.
func shardsOf(dir string, layout Layout) (shards []ShardFiles, below []string, err error) {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return nil, nil, err
	}
	for _, entry := range entries {
		name := filepath.Join(dir, entry.Name())
		if info, err := os.Stat(name); err == nil && info.IsDir() {
			below = append(below, name)
			continue
		}
		files, ok := FilesOf(name)
		if of := files.layout(); ok && (layout == AnyLayout || layout == of) {
			if len(shards) > 0 && shards[0].layout() != of {
				return nil, nil, &Error{dir, -1, fmt.Sprintf("it has files of both layouts, %s and %s",
					filepath.Base(shards[0].File("tokenized")), entry.Name())}
			}
			shards = append(shards, files)
		}
	}
	slices.SortFunc(shards, func(a, b ShardFiles) int { return a.Number - b.Number })
	return shards, below, nil
}

func (s ShardFiles) layout() Layout {
	if s.suffix == "" {
		return Single
	}
	return Numbered
}

// openMetadata opens what is known of the documents, if it is there.
func (s *shard) openMetadata(files ShardFiles) (err error) {
	if s.offsets == nil {
		return nil
	}
	if s.metadata, err = openMapped(files.File("metadata")); err != nil {
		if errors.Is(err, fs.ErrNotExist) {
			err = nil
		}
		return err
	}
	s.linesName = files.File("metaoff")
	if s.lines, err = openMapped(s.linesName); err != nil {
		if errors.Is(err, fs.ErrNotExist) {
			return &Error{s.linesName, -1, "there is none, but " + files.File("metadata")}
		}
		return err
	}
	if got := int64(s.lines.Len()); got != 8*s.documents {
		return &Error{s.linesName, -1, fmt.Sprintf("%s: %s have %d", bytesize.Count(got, "byte"),
			bytesize.Count(s.documents, "document"), 8*s.documents)}
	}
	return nil
}

// Metadata is what is known of the document of a position, as a line of JSON without its end; nil where there is
// nothing, or no document. Errors: an *Error of offsets that do not ascend; those of the files.
func (x *Index) Metadata(p Position) ([]byte, error) {
	k := slices.IndexFunc(x.shards, func(s *shard) bool { return s.number == p.Shard })
	if k < 0 || p.Document < 0 || p.Document >= x.shards[k].documents || x.shards[k].lines == nil {
		return nil, nil
	}
	s := x.shards[k]
	from, to := wordAt(s.lines, p.Document), uint64(s.metadata.Len())
	if p.Document+1 < s.documents {
		to = wordAt(s.lines, p.Document+1)
	}
	if from > to || to > uint64(s.metadata.Len()) {
		return nil, &Error{s.linesName, 8 * p.Document, fmt.Sprintf("offset %d is followed by %d, of %s", from, to,
			bytesize.Count(int64(s.metadata.Len()), "byte"))}
	}
	line := make([]byte, to-from)
	if _, err := s.metadata.ReadAt(line, int64(from)); err != nil {
		return nil, fmt.Errorf("reading the metadata of %s: %w", s.tokensName, err)
	}
	return []byte(strings.TrimSuffix(string(line), "\n")), nil
}
