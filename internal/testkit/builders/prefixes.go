package builders

import (
	"context"

	"github.com/suffixcl/suffixcl/device"
	"github.com/suffixcl/suffixcl/internal/prefixes"
	"github.com/suffixcl/suffixcl/internal/testkit/jobsuites"
)

// prefixCodes are the codes of all bytes in texts of these suites.
func prefixCodes() (codes [256]uint8) {
	for c := range codes {
		codes[c] = jobsuites.PrefixCode(byte(c))
	}
	return codes
}

// PrefixesOf gives the suite counts of suffixes. The text is packed in pieces, and sequences are counted in tables that
// have parts of them.
func PrefixesOf(s *device.Session) func(context.Context, []byte, jobsuites.PrefixQuery) ([]uint32, error) {
	codes := prefixCodes()
	const piece = 8 * prefixes.Unit
	return func(ctx context.Context, text []byte, of jobsuites.PrefixQuery) ([]uint32, error) {
		counts := make([]uint32, prefixes.Sequences(of.Letters))
		fixed := min(len(text)%of.Letters, 2)
		p, err := prefixes.New(s, len(text), of.Letters, of.Letters-fixed, piece)
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
		for number := range 1 << (2 * fixed) {
			table := prefixes.Table{Letters: of.Letters, Fixed: fixed, Part: number}
			p.Clear(table)
			p.Count(prefixes.Part{From: of.From, End: of.End, Every: of.Every, Last: of.Last})
			got := make([]uint32, table.Places())
			if err := p.Counts().Download(ctx, got, nil); err != nil {
				return nil, err
			}
			got = got[copy(counts[:prefixes.Sequences(fixed)], got):]
			for more := 1; more <= of.Letters-fixed; more++ { // letters after the fixed ones
				to := counts[prefixes.Start(fixed+more)+number<<(2*more):][:1<<(2*more)]
				got = got[copy(to, got):]
			}
		}
		return counts, s.Check(ctx)
	}
}
