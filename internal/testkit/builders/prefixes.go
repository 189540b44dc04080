package builders

import (
	"context"

	"github.com/suffixcl/suffixcl/device"
	"github.com/suffixcl/suffixcl/internal/prefixes"
	"github.com/suffixcl/suffixcl/internal/testkit/jobsuites"
)

// PrefixesOf gives the suite counts of suffixes. The text is packed in pieces, and sequences are counted some at a
// time.
func PrefixesOf(s *device.Session) func(context.Context, []byte, jobsuites.PrefixQuery) ([]uint32, error) {
	var codes [256]uint8
	for c := range codes {
		codes[c] = jobsuites.PrefixCode(byte(c))
	}
	const piece = 8 * prefixes.Unit
	return func(ctx context.Context, text []byte, of jobsuites.PrefixQuery) ([]uint32, error) {
		counts := make([]uint32, prefixes.Sequences(of.Letters))
		p, err := prefixes.New(s, len(text), of.Letters, len(counts)-len(text)%len(counts), piece)
		if err != nil {
			return nil, err
		}
		if err := p.Layout().Allocate(s); err != nil {
			return nil, err
		}
		defer p.Layout().Release(s)
		p.Begin(&codes)
		for at := 0; at < len(text); at += piece {
			part := p.Piece(min(piece, len(text)-at))
			part.Write(text[at : at+part.Len()])
			p.Pack(part, at)
		}
		for first := 0; first < len(counts); first += p.Room() {
			p.Clear()
			p.Count(prefixes.Part{From: of.From, End: of.End, Every: of.Every, Last: of.Last}, first)
			to := counts[first:min(first+p.Room(), len(counts))]
			if err := p.Counts().View(0, len(to)).Download(ctx, to, nil); err != nil {
				return nil, err
			}
		}
		return counts, s.Check(ctx)
	}
}
