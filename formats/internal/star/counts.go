package star

import (
	"context"
	"errors"
	"io"

	"github.com/suffixcl/suffixcl"
	"github.com/suffixcl/suffixcl/formats/internal/indexfiles"
	"github.com/suffixcl/suffixcl/internal/call"
	"github.com/suffixcl/suffixcl/internal/jobs/genomes"
	"github.com/suffixcl/suffixcl/internal/prefixes"
)

// errTiny is that of genomes for which STAR ends, too.
var errTiny = errors.New(
	"star: the first suffix has fewer bases than the index: STAR cannot index so few; take a smaller genomeSAindexNbases")

// indexing is making the index before the suffix array. With junctions it is that of STAR, which inserts them into an
// index without.
func (r *Reference) indexing(e *suffixcl.Engine, last int) call.Job[call.Packed, struct{}] {
	n := len(r.genome)
	return genomes.FirstRows(call.Of(e), r.genome, genomes.FirstRowsOptions{Letters: r.options.IndexBases,
		Codes: &baseCodes, Width: r.strandBit() + 3, Last: last,
		Plain:    prefixes.Part{End: r.plain, Every: r.options.Sparse, Last: 2*r.plain - 1},
		Inserted: prefixes.Part{From: r.plain, End: n, Every: 1, Last: n}})
}

// baseCodes are the codes of bases in the genome's.
var baseCodes = func() (codes [256]byte) {
	for c := range codes {
		codes[c] = min(byte(c), prefixes.NoLetter)
	}
	return codes
}()

// writeIndex writes the index: the levels, where each begins, and its entries. last is the row of the last suffix of
// the genome without junctions. Errors: those of the engine and of files; errTiny.
func (r *Reference) writeIndex(ctx context.Context, e *suffixcl.Engine, files *indexfiles.Set, last int) error {
	levels, width := r.options.IndexBases, r.strandBit()+3
	head := little.AppendUint64(nil, uint64(levels))
	for level := 1; level <= levels+1; level++ {
		head = little.AppendUint64(head, uint64(prefixes.Start(level)))
	}
	entries := prefixes.Sequences(levels)
	return files.Write(ctx, indexFile, int64(len(head))+packedSize(entries, width), func(w io.Writer) error {
		if _, err := w.Write(head); err != nil {
			return err
		}
		p := newPacker(w, entries, width)
		err := eachPacked(r.indexing(e, last).Each(ctx), p.add)
		if failed := p.close(); failed != nil {
			return failed
		}
		if errors.Is(err, genomes.ErrShortFirst) {
			return errTiny
		}
		return err
	})
}
