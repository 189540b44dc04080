package main

import (
	"context"
	"fmt"
	"os"

	"github.com/suffixcl/suffixcl"
	"github.com/suffixcl/suffixcl/internal/bytesize"
	"github.com/suffixcl/suffixcl/internal/cli"
	"github.com/suffixcl/suffixcl/internal/entries"
	"github.com/suffixcl/suffixcl/internal/parallel"
)

// openPlain opens a file that is read at any place, and of which `want` bytes are wanted. It must be closed.
func openPlain(ctx context.Context, name string, want int64, wrong func(in *cli.Input) error) (
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

// entriesFile opens a file of n entries that is read part by part.
func (j *job) entriesFile(ctx context.Context, kind arrayFile, name string, n int) (
	in *cli.Input, read func(entries []uint64, first int) error, err error) {
	width := j.report.Width
	in, file, err := openPlain(ctx, name, int64(n)*int64(width), func(in *cli.Input) error {
		return cli.Mismatch("%s: not the %s of the text: it has %s, and %s of width %d are %d", in.Name, kind.what,
			bytesize.Count(in.Size, "byte"), bytesize.Count(n, "entry"), width, int64(n)*int64(width))
	})
	if err != nil {
		return nil, nil, err
	}
	return in, func(array []uint64, first int) error {
		return parallel.Try(len(array), writeChunk/8, func(lo, hi int) error {
			if err := readEntries(file, width, array[lo:hi], first+lo); err != nil {
				return in.Explain(err)
			}
			return nil
		})
	}, nil
}

// verifyBlocks checks files that are read part by part. Those of transform and LCP array may have no names.
func (j *job) verifyBlocks(ctx context.Context, text []byte, saName string, flags *verifyFlags, primary int) error {
	n := len(text)
	sa, read, err := j.entriesFile(ctx, suffixArrayFile, saName, n)
	if err != nil {
		return err
	}
	defer sa.Close()
	given := suffixcl.GivenArrays{Len: n, Primary: primary, SuffixArray: read}
	if flags.lcp != "" {
		lcp, read, err := j.entriesFile(ctx, lcpFile, flags.lcp, n)
		if err != nil {
			return err
		}
		defer lcp.Close()
		given.LCP = read
	}
	if flags.bwt != "" {
		bwt, transform, err := openPlain(ctx, flags.bwt, int64(n), func(in *cli.Input) error {
			return wrongTransform(in, in.Size, n)
		})
		if err != nil {
			return err
		}
		defer bwt.Close()
		given.Transform = func(part []byte, first int) error {
			if _, err := transform.ReadAt(part, int64(first)); err != nil {
				return bwt.Explain(err)
			}
			return nil
		}
	}
	_, err = j.engine.VerifyBlocks(suffixcl.Bytes(text), given).All(j.measured(ctx))
	return err
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
