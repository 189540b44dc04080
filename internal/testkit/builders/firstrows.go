package builders

import (
	"context"
	"errors"
	"fmt"

	"github.com/suffixcl/suffixcl"
	"github.com/suffixcl/suffixcl/internal/call"
	"github.com/suffixcl/suffixcl/internal/jobs/genomes"
	"github.com/suffixcl/suffixcl/internal/prefixes"
	"github.com/suffixcl/suffixcl/internal/testkit/jobsuites"
)

// FirstRowsOf gives the suite the index of STAR. The text is packed in pieces, tables have parts of the sequences, and
// entries come in some chunks.
func FirstRowsOf(e *suffixcl.Engine) func(context.Context, []byte, jobsuites.FirstRowsQuery) ([]uint64, error) {
	codes := prefixCodes()
	return func(ctx context.Context, text []byte, q jobsuites.FirstRowsQuery) ([]uint64, error) {
		letters, n := q.Plain.Letters, len(text)
		o := genomes.FirstRowsOptions{Letters: letters, Codes: &codes, Last: q.Last, Width: q.Width,
			Plain:    prefixes.Part{From: q.Plain.From, End: q.Plain.End, Every: q.Plain.Every, Last: q.Plain.Last},
			Inserted: prefixes.Part{From: q.Plain.End, End: q.Inserted, Every: 1, Last: q.Inserted},
			Sizes: genomes.RowSizes{Free: max(letters-n%3, 1), Piece: 8 * prefixes.Unit,
				Chunk: 1 + prefixes.Sequences(letters)/prefixes.Group/4}}
		entries := []uint64{}
		for block, err := range genomes.FirstRows(call.Of(e), text, o).Each(ctx) {
			if errors.Is(err, genomes.ErrShortFirst) {
				return nil, nil
			}
			if err != nil {
				return nil, err
			}
			all, err := unpacked(block, q.Width)
			if err != nil {
				return nil, fmt.Errorf("%w, %d entries before them", err, len(entries))
			}
			entries = append(entries, all...)
		}
		return entries, nil
	}
}

// unpacked are the entries of a block, bit by bit. Error: what follows them are not zeros.
func unpacked(block call.Packed, width int) ([]uint64, error) {
	entries := make([]uint64, block.Entries)
	for at := range 8 * len(block.Bytes) {
		bit := uint64(block.Bytes[at/8] >> (at % 8) & 1)
		if at/width < len(entries) {
			entries[at/width] |= bit << (at % width)
		} else if bit > 0 {
			return nil, fmt.Errorf("bit %d after %d entries of %d bits", at, len(entries), width)
		}
	}
	return entries, nil
}
