package source

import (
	"context"
	"fmt"
	"io"

	"github.com/suffixcl/suffixcl"
	"github.com/suffixcl/suffixcl/internal/cli"
	"github.com/suffixcl/suffixcl/internal/fmindex"
	"github.com/suffixcl/suffixcl/seqio"
)

// OpenDeviceAndCount opens text and device, and counts the bytes of the text.
func (s *Source) OpenDeviceAndCount(ctx context.Context, name string, dna bool) (*[256]uint64, error) {
	in, err := s.OpenDeviceAndInput(ctx, name, s.Flags.RecordOptions(dna))
	if err != nil {
		return nil, err
	}
	defer in.Close()
	var counts [256]uint64
	chunk := make([]byte, cli.ReadChunk)
	for err == nil {
		var n int
		if n, err = in.Read(ctx, chunk); dna && in.Format == seqio.Plain {
			foldDNA(chunk[:n])
		}
		for c, count := range fmindex.Histogram(chunk[:n]) {
			counts[c] += count
		}
		s.Report.Bytes += n
	}
	s.Report.Records = in.RecordCount
	if err != io.EOF {
		return nil, in.Explain(err)
	}
	return &counts, nil
}

// OpenDeviceAndIndex opens index and device, and loads the index.
func (s *Source) OpenDeviceAndIndex(ctx context.Context, name string) (*suffixcl.Index, error) {
	in, err := cli.OpenRaw(ctx, name)
	if err != nil {
		return nil, err
	}
	defer in.Close()
	s.Report.File = in.Name
	in.ReadAhead(aheadBytes)
	if err := s.Session.OpenDevice(); err != nil {
		return nil, err
	}
	var x *suffixcl.Index
	err = cli.Timed(&s.Report.Seconds.Read, func() error {
		return cli.Interruptible(ctx, func() error {
			x, err = s.Session.Engine.LoadIndex(s.Session.Measured(ctx), in.Reader(ctx))
			return err
		})
	})
	if ctx.Err() != nil {
		return nil, context.Cause(ctx)
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %w", in.Name, err)
	}
	return x, nil
}
