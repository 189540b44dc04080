package verbs

import (
	"context"

	"github.com/suffixcl/suffixcl"
	"github.com/suffixcl/suffixcl/cmd/internal/job"
	"github.com/suffixcl/suffixcl/cmd/internal/source"
	"github.com/suffixcl/suffixcl/internal/cli"
)

// verifyBlocks checks files that are read part by part. Those of transform and LCP array may have no names.
func verifyBlocks(ctx context.Context, j *job.Job, text []byte, saName string, flags *verifyFlags, primary int) error {
	n := len(text)
	sa, read, err := j.Source.OpenEntries(ctx, source.SuffixArrayFile, saName, n)
	if err != nil {
		return err
	}
	defer sa.Close()
	given := suffixcl.GivenArrays{Len: n, Primary: primary, SuffixArray: read, Order: flags.order.Chosen()}
	if flags.lcp != "" {
		lcp, read, err := j.Source.OpenEntries(ctx, source.LcpFile, flags.lcp, n)
		if err != nil {
			return err
		}
		defer lcp.Close()
		given.LCP = read
	}
	if flags.bwt != "" {
		bwt, transform, err := source.OpenPlain(ctx, flags.bwt, int64(n), func(in *cli.Input) error {
			return source.WrongTransform(in, in.Size, n)
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
	_, err = j.Engine().VerifyArrays(suffixcl.Bytes(text), given).All(j.Measured(ctx))
	return err
}
