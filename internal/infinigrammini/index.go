package infinigrammini

import (
	"bytes"
	"cmp"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"sort"
	"strings"

	"github.com/suffixcl/suffixcl/internal/mapped"
	"github.com/suffixcl/suffixcl/internal/parallel"
	"github.com/suffixcl/suffixcl/internal/regular"
	"github.com/suffixcl/suffixcl/internal/sdsl"
)

// Files of a shard.
const (
	DataFile       = "data.fm9"
	MetaFile       = "meta.fm9"
	DataOffsetFile = "data_offset"
	MetaOffsetFile = "meta_offset"
)

// Extension of the files that are FM-indexes.
const Extension = ".fm9"

// Errors of an index of which files are not there.
var (
	ErrNoOffsets  = errors.New("there is no " + DataOffsetFile + ", so it is not known where documents begin")
	ErrNoMetadata = errors.New("there are no " + MetaFile + " and " + MetaOffsetFile + ", so nothing else is known")
)

// FileError says where a file is wrong.
type FileError struct {
	File   string
	Offset int64 // in bytes; -1: the file as a whole
	Why    string
}

func (e *FileError) Error() string {
	if e.Offset < 0 {
		return fmt.Sprintf("%s: %s", e.File, e.Why)
	}
	return fmt.Sprintf("%s: at byte %d: %s", e.File, e.Offset, e.Why)
}

// Index is an open index, of one or more shards. Its files are mapped into memory. Several goroutines may use it.
type Index struct{ Shards []*Shard }

// Shard is an index of some documents.
type Shard struct {
	Name string // of the file data.fm9
	Dir  string // of all files

	data, meta               *sdsl.File // meta: nil, if it is not there
	dataOffsets, metaOffsets *mapped.File
	mapped                   []*mapped.File
	end, metaEnd             uint64 // of the documents, and of their metadata
}

// Is tells whether a name is that of an index: of a directory, of a file with the extension, or of one that begins as
// they do.
func Is(name string) bool {
	if strings.HasSuffix(name, Extension) {
		return true
	}
	info, err := os.Stat(name)
	if err != nil || info.IsDir() {
		return err == nil
	}
	file, err := regular.Open(name)
	if err != nil {
		return false
	}
	defer file.Close()
	var head [16]byte
	_, err = io.ReadFull(file, head[:])
	n, sigma := binary.LittleEndian.Uint64(head[:]), binary.LittleEndian.Uint64(head[8:])
	return err == nil && sigma >= 1 && sigma <= min(n, 256) && n < 1<<48
}

// Find returns the files data.fm9 of an index, by name: a file, a directory that has one, or a directory whose own
// directories have one each, in the order of their names. Errors: those of the file system; a directory without any.
func Find(name string) ([]string, error) {
	info, err := os.Stat(name)
	if err != nil {
		return nil, err
	}
	if !info.IsDir() {
		return []string{name}, nil
	}
	here := filepath.Join(name, DataFile)
	if _, err := os.Stat(here); err == nil {
		return []string{here}, nil
	}
	entries, err := os.ReadDir(name) // in the order of names
	if err != nil {
		return nil, err
	}
	var below []string
	for _, entry := range entries {
		file := filepath.Join(name, entry.Name(), DataFile)
		if _, err := os.Stat(file); err == nil {
			below = append(below, file)
		}
	}
	if len(below) == 0 {
		return nil, &FileError{name, -1, "neither it nor a directory in it has a file " + DataFile}
	}
	return below, nil
}

// Open opens the shards that Find finds for each name, in their order. It reads what leads to the letters: a byte for
// some thirty of these. Offsets and metadata may be missing. Errors: those of Find and of the files; a *FileError or an
// *sdsl.Error, with the name of the file, for files that are damaged, or that do not belong together.
func Open(names ...string) (*Index, error) {
	x := &Index{}
	for _, name := range names {
		files, err := Find(name)
		if err != nil {
			return nil, errors.Join(err, x.Close())
		}
		for _, file := range files {
			s, err := openShard(file)
			if err != nil {
				return nil, errors.Join(err, x.Close())
			}
			x.Shards = append(x.Shards, s)
		}
	}
	return x, nil
}

// Close closes all files.
func (x *Index) Close() error {
	var err error
	for _, s := range x.Shards {
		err = cmp.Or(err, s.close())
	}
	return err
}

// Len is the number of letters of all shards.
func (x *Index) Len() (n uint64) {
	for _, s := range x.Shards {
		n += s.Len()
	}
	return n
}

// Count is how often a pattern occurs; the empty one occurs before each letter.
func (x *Index) Count(pattern []byte) (n uint64) {
	for _, s := range x.Shards {
		n += s.Count(pattern)
	}
	return n
}

// Check goes through all letters of documents and metadata, and all offsets: see sdsl.File.Check. Errors: an
// *sdsl.Error, a *FileError, with the name of the file; the context's.
func (x *Index) Check(ctx context.Context) error {
	for _, s := range x.Shards {
		if err := s.check(ctx); err != nil {
			return err
		}
	}
	return nil
}

func (s *Shard) check(ctx context.Context) error {
	if err := s.named(s.Name, s.data.Check(ctx)); err != nil || s.dataOffsets == nil {
		return err
	}
	// There are as many separators as offsets: then each has its own.
	err := s.checkLetters(ctx, s.data, s.Name, DataOffsetFile, s.dataOffsets, s.end, Separator,
		func(from, _ uint64) uint64 { return from })
	if err != nil || s.meta == nil {
		return err
	}
	meta := s.path(MetaFile)
	if err := s.named(meta, s.meta.Check(ctx)); err != nil {
		return err
	}
	return s.checkLetters(ctx, s.meta, meta, MetaOffsetFile, s.metaOffsets, s.metaEnd, '\n',
		func(_, to uint64) uint64 { return to - 1 })
}

// checkLetters looks at the letter that each document has at its begin or end, as place tells.
func (s *Shard) checkLetters(ctx context.Context, x *sdsl.File, text, name string, offsets *mapped.File, end uint64,
	letter byte, place func(from, to uint64) uint64) error {
	name = s.path(name)
	return parallel.Try(offsets.Len()/8, 16, func(lo, hi int) error {
		for i := lo; i < hi; i++ {
			from, to, err := between(name, offsets, i, end)
			if err != nil {
				return err
			}
			at := place(from, to)
			got, err := x.Text(ctx, nil, at, at+1)
			if err != nil {
				return s.named(text, err)
			}
			if got[0] != letter {
				return &FileError{name, 8 * int64(i), fmt.Sprintf("byte %d of %s is %02x, not %02x: the offsets are of another "+
					"text", at, text, got[0], letter)}
			}
			if ctx.Err() != nil {
				return context.Cause(ctx)
			}
		}
		return nil
	})
}

func openShard(name string) (_ *Shard, err error) {
	s := &Shard{Name: name, Dir: filepath.Dir(name)}
	defer func() {
		if err != nil {
			s.close()
		}
	}()
	if s.data, err = s.open(name); err != nil {
		return nil, err
	}
	if s.end, err = textEnd(s.data); err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	if filepath.Base(name) != DataFile { // the others belong to data.fm9
		return s, nil
	}
	if s.dataOffsets, err = s.optional(DataOffsetFile); s.dataOffsets == nil {
		return s, err
	}
	separator := []byte{Separator}
	err = checkOffsets(s.path(DataOffsetFile), s.dataOffsets, name, s.data.Count(separator), s.end)
	if err != nil {
		return nil, err
	}
	if s.metaOffsets, err = s.optional(MetaOffsetFile); s.metaOffsets == nil {
		return s, err
	}
	meta := s.path(MetaFile)
	if s.meta, err = s.open(meta); errors.Is(err, fs.ErrNotExist) {
		s.metaOffsets = nil
		return s, nil
	} else if err != nil {
		return nil, err
	}
	if s.metaEnd, err = textEnd(s.meta); err != nil {
		return nil, fmt.Errorf("%s: %w", meta, err)
	}
	lines := s.meta.Count([]byte("\n"))
	if err = checkOffsets(s.path(MetaOffsetFile), s.metaOffsets, meta, lines, s.metaEnd); err != nil {
		return nil, err
	}
	if n, want := s.metaOffsets.Len()/8, s.Documents(); n != want {
		return nil, &FileError{s.path(MetaOffsetFile), -1, fmt.Sprintf("%d offsets, but %s has %d documents", n, name, want)}
	}
	return s, nil
}

func (s *Shard) path(name string) string { return filepath.Join(s.Dir, name) }

// open maps and reads an FM-index.
func (s *Shard) open(name string) (*sdsl.File, error) {
	file, err := s.mapFile(name)
	if err != nil {
		return nil, err
	}
	x, err := sdsl.Parse(file.Bytes())
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	return x, nil
}

func (s *Shard) mapFile(name string) (*mapped.File, error) {
	if err := regular.Check(name); err != nil {
		return nil, err
	}
	file, err := mapped.Open(name)
	if err == nil {
		s.mapped = append(s.mapped, file)
	}
	return file, err
}

// optional maps a file that may not be there; then it is nil.
func (s *Shard) optional(name string) (*mapped.File, error) {
	file, err := s.mapFile(s.path(name))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	return file, err
}

// textEnd is where a text ends: before the bytes that infini-gram mini puts behind it.
func textEnd(x *sdsl.File) (uint64, error) {
	n := x.Len()
	last, err := x.Text(context.Background(), nil, n-min(n, 2), n)
	switch {
	case err != nil:
		return 0, err
	case bytes.HasSuffix(last, []byte{End}):
		return n - 1, nil
	case bytes.Equal(last, []byte{End, 0}):
		return n - 2, nil
	}
	return n, nil
}

// checkOffsets looks at what is known at once of a file of offsets into a text, which has so many documents.
func checkOffsets(name string, file *mapped.File, text string, documents, end uint64) error {
	size := int64(file.Len())
	switch {
	case size%8 != 0:
		return &FileError{name, size / 8 * 8, "the file ends within an offset"}
	case uint64(size/8) != documents:
		return &FileError{name, -1, fmt.Sprintf("%d offsets, but %s has %d documents: they are those of another text",
			size/8, text, documents)}
	case documents > 0 && offset(file, 0) != 0:
		return &FileError{name, 0, fmt.Sprintf("the first offset is %d", offset(file, 0))}
	case documents > 0 && offset(file, int(documents)-1) >= end:
		return &FileError{name, size - 8, fmt.Sprintf("offset %d is beyond %s, which has %d bytes of documents",
			offset(file, int(documents)-1), text, end)}
	}
	return nil
}

func offset(file *mapped.File, i int) uint64 { return binary.LittleEndian.Uint64(file.Bytes()[8*i:]) }

func (s *Shard) close() error {
	var err error
	for _, file := range s.mapped {
		err = cmp.Or(err, file.Close())
	}
	s.mapped = nil
	return err
}

// Len is the number of letters of the text: documents, the separators before them, and what ends the text.
func (s *Shard) Len() uint64 { return s.data.Len() }

// Count is how often a pattern occurs; the empty one occurs before each letter.
func (s *Shard) Count(pattern []byte) uint64 { return s.data.Count(pattern) }

// Interval is the rows of the suffixes that begin with a pattern: [from, to).
func (s *Shard) Interval(pattern []byte) (from, to uint64) { return s.data.Interval(pattern) }

// Rows is the number of rows of suffixes.
func (s *Shard) Rows() uint64 { return s.data.Rows() }

// Longer is that of sdsl.File.
func (s *Shard) Longer(from, to uint64, letter byte) (longerFrom, longerTo uint64) {
	return s.data.Longer(from, to, letter)
}

// Place is where in the text the suffix of a row begins. Errors: an *sdsl.Error; the context's.
func (s *Shard) Place(ctx context.Context, row uint64) (uint64, error) {
	place, err := s.data.Place(ctx, row)
	return place, s.named(s.Name, err)
}

// Text appends the bytes [from, to) of the text. Errors: an *sdsl.Error; the context's.
func (s *Shard) Text(ctx context.Context, into []byte, from, to uint64) ([]byte, error) {
	to = min(to, s.Len())
	if from >= to {
		return into, nil
	}
	into, err := textOf(into, from, to, func(part []byte, from, to uint64) ([]byte, error) {
		return s.data.Text(ctx, part, from, to)
	})
	return into, s.named(s.Name, err)
}

func (s *Shard) named(name string, err error) error {
	if damaged := (*sdsl.Error)(nil); errors.As(err, &damaged) {
		return fmt.Errorf("%s: %w", name, err)
	}
	return err
}

// HasDocuments and HasMetadata tell whether the files for them are there.
func (s *Shard) HasDocuments() bool { return s.dataOffsets != nil }
func (s *Shard) HasMetadata() bool  { return s.metaOffsets != nil }

// Documents is their number; 0 if it is not known.
func (s *Shard) Documents() int {
	if s.dataOffsets == nil {
		return 0
	}
	return s.dataOffsets.Len() / 8
}

// Document is where document i of the text begins, after its separator, and where it ends: [from, to). Errors:
// ErrNoOffsets; a *FileError of offsets that do not ascend. i is below Documents.
func (s *Shard) Document(i int) (from, to uint64, err error) {
	if s.dataOffsets == nil {
		return 0, 0, fmt.Errorf("%s: %w", s.Dir, ErrNoOffsets)
	}
	from, to, err = between(s.path(DataOffsetFile), s.dataOffsets, i, s.end)
	return from + 1, to, err
}

// between is an offset, and the one after it, or the end.
func between(name string, file *mapped.File, i int, end uint64) (from, to uint64, err error) {
	from, to = offset(file, i), end
	if 8*i+8 < file.Len() {
		to = offset(file, i+1)
	}
	if from >= to || to > end {
		return 0, 0, &FileError{name, 8 * int64(i), fmt.Sprintf("offset %d is followed by %d, of a text of %d bytes", from,
			to, end)}
	}
	return from, to, nil
}

// DocumentAt is the document that a place of the text is in, its separator included; after the last one, that one.
// Errors as Document; a text without documents.
func (s *Shard) DocumentAt(place uint64) (i int, from, to uint64, err error) {
	i = sort.Search(s.Documents(), func(i int) bool { return offset(s.dataOffsets, i) > place }) - 1
	if i < 0 && s.dataOffsets != nil {
		return 0, 0, 0, &FileError{s.path(DataOffsetFile), -1, fmt.Sprintf("byte %d of the text is in no document", place)}
	}
	from, to, err = s.Document(max(i, 0))
	return i, from, to, err
}

// DocumentText appends document i, which is below Documents. Errors: as Document and Text; a *FileError if there is no
// separator before it, or one within it: then the offsets are of another text.
func (s *Shard) DocumentText(ctx context.Context, into []byte, i int) ([]byte, error) {
	from, to, err := s.Document(i)
	if err != nil {
		return into, err
	}
	begin := len(into)
	text, err := s.Text(ctx, into, from-1, to)
	if err != nil {
		return into, err
	}
	if document := text[begin:]; document[0] != Separator || bytes.IndexByte(document[1:], Separator) >= 0 {
		return into, &FileError{s.path(DataOffsetFile), 8 * int64(i), fmt.Sprintf(
			"the bytes %d to %d of %s are no document: the offsets are of another text", from, to, s.Name)}
	}
	return append(text[:begin], text[begin+1:]...), nil
}

// Metadata appends what is known of document i, which is below Documents: a line of JSON, without its end. Errors:
// ErrNoMetadata; as DocumentText.
func (s *Shard) Metadata(ctx context.Context, into []byte, i int) ([]byte, error) {
	if s.metaOffsets == nil {
		return into, fmt.Errorf("%s: %w", s.Dir, ErrNoMetadata)
	}
	name := s.path(MetaOffsetFile)
	from, to, err := between(name, s.metaOffsets, i, s.metaEnd)
	if err != nil {
		return into, err
	}
	begin := len(into)
	text, err := s.meta.Text(ctx, into, from, to)
	if err != nil {
		return into, s.named(s.path(MetaFile), err)
	}
	if line := text[begin:]; bytes.IndexByte(line, '\n') != len(line)-1 {
		return into, &FileError{name, 8 * int64(i), fmt.Sprintf(
			"the bytes %d to %d of %s are no line: the offsets are of another text", from, to, s.path(MetaFile))}
	}
	return text[:len(text)-1], nil
}
