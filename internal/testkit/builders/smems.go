package builders

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"strings"

	"github.com/suffixcl/suffixcl"
	"github.com/suffixcl/suffixcl/internal/testkit/jobsuites"
	"github.com/suffixcl/suffixcl/patterns"
)

// smemEvery is the distance of samples of a transform.
const smemEvery = 5

// SMEMsOf gives the suite the matches of queries.
func SMEMsOf(e *suffixcl.Engine) func(context.Context, jobsuites.SMEMSearch) ([]jobsuites.SMEM, error) {
	return func(ctx context.Context, s jobsuites.SMEMSearch) ([]jobsuites.SMEM, error) {
		o := suffixcl.SMEMOptions{MinLength: s.MinLength, MinHits: s.MinHits, MaxLocated: s.MaxLocated,
			Next: batches(s.Queries)}
		var err error
		if s.Pangenome {
			o.Pangenome, err = pangenomeOf(ctx, e, s.Texts)
			o.MaxLocated = 0
		} else {
			o.Transform, err = transformOf(ctx, e, bytes.Join(s.Texts, nil))
		}
		if err != nil {
			return nil, err
		}
		found := []jobsuites.SMEM{}
		for part, err := range e.SMEMs(o).Each(ctx) {
			if err != nil {
				return nil, err
			}
			positions := part.Positions
			for _, m := range part.Matches {
				one := jobsuites.SMEM{Query: part.First + int(m.Query), Start: int(m.Start), End: int(m.End), Row: m.Row,
					Hits: m.Hits}
				if o.MaxLocated > 0 && m.Hits <= uint64(o.MaxLocated) {
					one.Positions = strings.Trim(fmt.Sprint(positions[:m.Hits]), "[]")
					positions = positions[m.Hits:]
				}
				found = append(found, one)
			}
		}
		return found, nil
	}
}

// batches are the queries in two batches.
func batches(queries [][]byte) func() (*patterns.Batch, error) {
	at := 0
	return func() (*patterns.Batch, error) {
		if at == len(queries) {
			return nil, io.EOF
		}
		end := (at + len(queries) + 1) / 2
		b, err := patterns.Of(queries[at:end]...)
		at = end
		return b, err
	}
}

// pangenomeOf is the file of both strands of texts.
func pangenomeOf(ctx context.Context, e *suffixcl.Engine, texts [][]byte) (*io.SectionReader, error) {
	set, err := suffixcl.JoinTexts(0, texts...)
	if err != nil {
		return nil, err
	}
	left := []*suffixcl.Collection{set}
	made, err := e.Pangenome(suffixcl.PangenomeOptions{Next: func() (*suffixcl.Collection, error) {
		if len(left) == 0 {
			return nil, io.EOF
		}
		set := left[0]
		left = nil
		return set, nil
	}}).All(ctx)
	if err != nil {
		return nil, err
	}
	return io.NewSectionReader(bytes.NewReader(made.File), 0, int64(len(made.File))), nil
}

// transformOf is the transform of bases and the other strand.
func transformOf(ctx context.Context, e *suffixcl.Engine, forward []byte) (*suffixcl.DNATransform, error) {
	var text []byte
	for _, c := range forward {
		text = append(text, byte(strings.IndexByte("ACGT", c)))
	}
	for i := len(forward) - 1; i >= 0; i-- {
		text = append(text, 3-text[i])
	}
	r, err := e.Arrays(suffixcl.Bytes(text), suffixcl.Want{SA: true, BWT: true}).All(ctx)
	if err != nil {
		return nil, err
	}
	t := &suffixcl.DNATransform{Every: smemEvery, Primary: r.Primary}
	t.Bases = r.BWT.Bytes()
	for row := smemEvery; row <= len(text); row += smemEvery {
		t.Samples = append(t.Samples, uint64(r.SA[row-1]))
	}
	return t, nil
}
