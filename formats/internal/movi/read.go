package movi

import (
	"context"
	"errors"
	"io"

	"github.com/suffixcl/suffixcl/formats/internal/indexfiles"
	"github.com/suffixcl/suffixcl/internal/regular"
	"github.com/suffixcl/suffixcl/internal/runfiles"
)

// Index holds the contents of the files.
type Index runfiles.Part

// Read reads the files of a prefix. Memory: 17 bytes a run. Errors: those of the file system; a *indexfiles.Error for
// what runfiles.Files.Each refuses.
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
	x := &Index{}
	err := files.Each(func(p *runfiles.Part) error {
		x.Heads = append(x.Heads, p.Heads...)
		x.Lengths, x.Thresholds = append(x.Lengths, p.Lengths...), append(x.Thresholds, p.Thresholds...)
		return nil
	})
	var wrong *runfiles.Error
	if errors.As(err, &wrong) {
		return nil, &indexfiles.Error{File: prefix + wrong.Suffix, Offset: wrong.Offset, Why: wrong.Why}
	}
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
