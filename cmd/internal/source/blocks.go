package source

import (
	"context"
	"fmt"
	"os"

	"github.com/suffixcl/suffixcl/internal/bytesize"
	"github.com/suffixcl/suffixcl/internal/cli"
	"github.com/suffixcl/suffixcl/internal/entries"
	"github.com/suffixcl/suffixcl/internal/parallel"
)

// OpenPlain opens a file that is read at any place, and of which `want` bytes are wanted. It must be closed.
func OpenPlain(ctx context.Context, name string, want int64, wrong func(in *cli.Input) error) (
	*cli.Input, *os.File, error) {
	in, err := cli.OpenRaw(ctx, name)
	if err != nil {
		return nil, nil, err
	}
	file := in.Plain()
	switch {
	case file == nil && in.Size != 0:
		err = fmt.Errorf("%s: with so little device memory it is read at several places at a time, which takes a plain file",
			in.Name)
	case in.Size != want:
		err = wrong(in)
	}
	if err != nil {
		in.Close()
		return nil, nil, err
	}
	return in, file, nil
}

// OpenEntries opens a file of n entries that is read part by part.
func (s *Source) OpenEntries(ctx context.Context, kind ArrayKind, name string, n int) (
	in *cli.Input, read func(entries []uint64, first int) error, err error) {
	width := s.Report.Width
	in, file, err := OpenPlain(ctx, name, int64(n)*int64(width), func(in *cli.Input) error {
		return cli.Mismatch("%s: not the %s of the text: it has %s, and %s of width %d are %d", in.Name, kind.what,
			bytesize.Count(in.Size, "byte"), bytesize.Count(n, "entry"), width, int64(n)*int64(width))
	})
	if err != nil {
		return nil, nil, err
	}
	return in, func(array []uint64, first int) error {
		return parallel.Try(len(array), cli.WriteChunk/8, func(lo, hi int) error {
			if err := readEntries(file, width, array[lo:hi], first+lo); err != nil {
				return in.Explain(err)
			}
			return nil
		})
	}, nil
}

// readEntries reads entries of width bytes, from the one of that index on.
func readEntries(file *os.File, width int, array []uint64, first int) error {
	data := make([]byte, len(array)*width)
	if _, err := file.ReadAt(data, int64(first)*int64(width)); err != nil {
		return err
	}
	entries.Decode(array, width, data)
	return nil
}
