package formats

import (
	"github.com/suffixcl/suffixcl/formats/internal/indexfiles"
)

// Options of Create. The zero value replaces nothing.
type Options struct {
	Force bool // replace files that are there
	// Progress is told the bytes written of a file, by one goroutine at a time; may be nil. A total of -1 is not known.
	Progress func(file string, done, total int64)
}

// Files are the files of an index. They get their names together, or none of them does.
type Files struct{ set *indexfiles.Set }

// Create begins an index, whose files are called prefix and one of Suffixes each. Nothing is written yet. Errors: one
// that matches fs.ErrExist if a file is there and is not to be replaced; the reason why no file can be written next
// to prefix; an unknown program.
func (p Program) Create(prefix string, o Options) (*Files, error) {
	if _, err := p.known(); err != nil {
		return nil, err
	}
	set, err := indexfiles.Create(prefix, p.Suffixes(), indexfiles.Options(o))
	if err != nil {
		return nil, err
	}
	return &Files{set}, nil
}

// Commit gives all files their names.
func (f *Files) Commit() error {
	if f == nil || f.set == nil {
		return errNotMade
	}
	return f.set.Commit()
}

// Discard removes the files, unless they are committed. It is for defer.
func (f *Files) Discard() {
	if f != nil && f.set != nil {
		f.set.Discard()
	}
}
