package movi

import (
	"context"
	"errors"
	"io"

	"github.com/suffixcl/suffixcl/formats/internal/indexfiles"
	"github.com/suffixcl/suffixcl/internal/regular"
	"github.com/suffixcl/suffixcl/internal/runfiles"
)

// Index holds the contents of the files: the letter, the rows and the threshold of each run.
type Index struct {
	Heads               []byte
	Lengths, Thresholds []uint64
}

// Read reads the files of a prefix. Memory: 17 bytes a run. Errors: those of the file system; a *indexfiles.Error for
// what package runfiles refuses.
func Read(prefix string) (*Index, error) {
	var files runfiles.Files
	for k, suffix := range Suffixes() {
		file, err := regular.Open(prefix + suffix)
		if err != nil {
			return nil, err
		}
		defer file.Close()
		info, err := file.Stat()
		if err != nil {
			return nil, err
		}
		files[k] = io.NewSectionReader(file, 0, info.Size())
	}
	x, err := read(files)
	var wrong *runfiles.Error
	if errors.As(err, &wrong) {
		return nil, &indexfiles.Error{File: prefix + wrong.Suffix, Offset: wrong.Offset, Why: wrong.Why}
	}
	return x, err
}

func read(files runfiles.Files) (*Index, error) {
	v, err := files.Survey()
	if err != nil {
		return nil, err
	}
	x := &Index{make([]byte, v.Runs), make([]uint64, v.Runs), make([]uint64, v.Runs)}
	err = runfiles.Each(v, func(p *runfiles.Part) struct{} {
		copy(x.Heads[p.First:], p.Heads)
		copy(x.Lengths[p.First:], p.Lengths)
		copy(x.Thresholds[p.First:], p.Thresholds)
		return struct{}{}
	}, func(*runfiles.Part, struct{}) error { return nil })
	if err != nil {
		return nil, err
	}
	return x, nil
}

// Write writes the index as it was read.
func (x *Index) Write(ctx context.Context, files *indexfiles.Set) error {
	n := len(x.Heads)
	return create(ctx, files, int64(n), func(to *writer) error {
		if _, err := to.heads.Write(x.Heads); err != nil {
			return err
		}
		if err := numbers(to.lengths, n, func(k int) uint64 { return x.Lengths[k] }); err != nil {
			return err
		}
		return numbers(to.thresholds, n, func(k int) uint64 { return x.Thresholds[k] })
	})
}
