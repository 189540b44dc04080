package star

import (
	"context"

	"github.com/suffixcl/suffixcl"
	"github.com/suffixcl/suffixcl/internal/call"
	"github.com/suffixcl/suffixcl/internal/jobs/genomes"
	"github.com/suffixcl/suffixcl/internal/prefixes"
)

// indexing makes the index of a genome of counts. With junctions it is that of STAR, which inserts them into an index
// without.
type indexing struct {
	r       *Reference
	x       *index
	plain   int      // rows of the genome without junctions
	skipped sequence // of the row that STAR does not look at, or none
	last    int      // row of the genome without junctions, as far as rows have come
	rows    int      // that have come
}

// newIndexing counts the suffixes of a genome with so many rows, and others of junctions. Errors: those of the engine;
// errTiny.
func newIndexing(ctx context.Context, e *suffixcl.Engine, r *Reference, plain, inserted int) (*indexing, error) {
	in := &indexing{r: r, x: newIndex(r.options.IndexBases, plain+inserted), plain: plain}
	o := r.prefixOptions()
	o.Counts = in.x.row.low
	o.Counted = func(part int, carries []int) error {
		clear(in.x.row.high)
		in.x.carry(carries)
		if part == 0 {
			return in.addPlain()
		}
		return in.addJunctions()
	}
	_, err := genomes.PrefixCounts(call.Of(e), r.genome, o).All(ctx)
	return in, err
}

// prefixOptions are those of counting the genome, and with it then the junctions.
func (r *Reference) prefixOptions() genomes.PrefixOptions {
	n := len(r.genome)
	parts := []prefixes.Part{{End: r.plain, Every: r.options.Sparse, Last: 2*r.plain - 1}}
	if r.inserted() > 0 {
		parts = append(parts, prefixes.Part{From: r.plain, End: n, Every: 1, Last: n})
	}
	return genomes.PrefixOptions{Letters: r.options.IndexBases, Codes: &baseCodes, Parts: parts}
}

// baseCodes are the codes of bases in the genome's.
var baseCodes = func() (codes [256]byte) {
	for c := range codes {
		codes[c] = min(byte(c), prefixes.NoLetter)
	}
	return codes
}()

// addPlain takes the counts of the genome without junctions.
func (in *indexing) addPlain() error {
	shorter := in.x.shorter()
	in.x.sum()
	in.skipped = in.x.unseen(in.plain)
	if length := in.skipped.length; length > 0 && length < in.x.levels {
		shorter.remove(in.skipped.entry())
	}
	if err := in.x.survey(); err != nil {
		return err
	}
	in.x.mark(shorter)
	in.x.markBelow()
	return nil
}

// addJunctions takes the counts of all. What precedes rows of the genome is marked as it was without junctions.
func (in *indexing) addJunctions() error {
	in.x.sum()
	in.x.take(in.skipped, -1)
	if err := in.x.survey(); err != nil {
		return err
	}
	in.x.mark(in.r.shorter())
	in.x.take(in.skipped, 1)
	return nil
}

// shorter are the sequences that suffixes of junctions have which have fewer bases than the index.
func (r *Reference) shorter() bitmap {
	levels, n := r.options.IndexBases, len(r.genome)
	b := newBitmap(prefixes.Start(levels))
	add := func(place int) {
		if code, length := r.prefix(place, levels); length < levels {
			b.add(sequence{length, int(code)}.entry())
		}
	}
	for from := r.plain; from < n; from++ {
		if r.genome[from] >= Other {
			continue
		}
		end := from
		for end < n && r.genome[end] < Other {
			end++
		}
		for i := max(from, end-levels+1); i < end; i++ {
			add(i)
		}
		for i := from; i < min(end, from+levels-1); i++ {
			add(2*n - 1 - i)
		}
		from = end
	}
	return b
}

// come tells of the next n rows, whose places on both strands are asked for.
func (in *indexing) come(n int, place func(i int) int) {
	for i := n - 1; in.r.inserted() > 0 && in.skipped != none && i >= 0; i-- {
		if _, ok := in.r.plainPlace(place(i)); ok {
			in.last = in.rows + i
			break
		}
	}
	in.rows += n
}

// close ends the index when all rows have come.
func (in *indexing) close() *index {
	in.x.number()
	if in.r.inserted() > 0 {
		in.x.skip(in.skipped, in.last)
	}
	in.x.close(in.plain)
	return in.x
}
