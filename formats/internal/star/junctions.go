package star

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/suffixcl/suffixcl/formats/internal/indexfiles"
	"github.com/suffixcl/suffixcl/internal/addressspace"
	"github.com/suffixcl/suffixcl/internal/parallel"
)

// junction is one, between two exons.
type junction struct {
	start, end  int // first and last position of the intron
	contig      int
	strand      strand
	priority    int
	genes       []int // of the GTF, ascending
	motif       int   // of the intron's ends: 0 none; odd ones are of the forward strand
	left, right int   // by how much it can be shifted without another text
}

// Priorities of junctions at the same place.
const (
	priorityTable = 10
	priorityGTF   = 20
)

// mostShift is the most by which junctions are shifted.
const mostShift = 255

// motifs are the ends of introns, two bases each, with their numbers from 1 on.
var motifs = []string{"GTAG", "CTAC", "GCAG", "CTGC", "ATAC", "GTAT"}

func byPlace(a, b junction) int {
	return cmp.Or(cmp.Compare(a.start, b.start), cmp.Compare(a.end, b.end))
}

// annotate reads the annotation, and appends the text of its junctions to the genome. Errors: those of files; more than
// both strands may have.
func (r *Reference) annotate() error {
	if !r.options.given() {
		return nil
	}
	r.gene = &annotated{}
	var all []junction
	for _, in := range r.options.Junctions {
		some, err := r.readJunctions(in)
		if err != nil {
			return err
		}
		all = append(all, some...)
	}
	if r.options.GTF.Name != "" {
		if err := r.readGTF(r.options.GTF); err != nil {
			return err
		}
		all = append(all, r.gene.fromGTF...)
	}
	r.gene.junctions = r.unique(all)
	return r.insert()
}

// readJunctions reads a table of junctions.
func (r *Reference) readJunctions(in Input) (all []junction, err error) {
	numbers := make(map[string]int, len(r.Contigs))
	for k, c := range r.Contigs {
		numbers[c.Name] = k
	}
	err = in.lines(func(line string) error {
		fields, _ := columns(line, 4)
		if len(fields) == 0 {
			return nil
		}
		if len(fields) < 3 {
			return fmt.Errorf("a junction has %d columns: sequence, first and last base of the intron, strand", len(fields))
		}
		k, ok := numbers[fields[0]]
		if !ok {
			return fmt.Errorf("the genome has no sequence %q", fields[0])
		}
		start, end, err := interval(fields[1], fields[2])
		if err != nil {
			return err
		}
		c := r.Contigs[k]
		if end > c.Length {
			return fmt.Errorf("the intron ends at %d, and sequence %s at %d", end, c.Name, c.Length)
		}
		j := junction{start: c.Start + start - 1, end: c.Start + end - 1, contig: k, priority: priorityTable}
		if len(fields) == 4 {
			j.strand = strandOf(fields[3])
		}
		all = append(all, j)
		return nil
	})
	return all, err
}

// look finds motif and shifts of a junction.
func (r *Reference) look(j *junction) {
	g := r.genome
	ends := []byte{g[j.start], g[j.start+1], g[j.end-1], g[j.end]}
	for i, motif := range motifs {
		if string(ends) == string([]byte{codes[motif[0]], codes[motif[1]], codes[motif[2]], codes[motif[3]]}) {
			j.motif = i + 1
		}
	}
	for j.left < mostShift && j.start-1-j.left >= 0 && g[j.start-1-j.left] == g[j.end-j.left] &&
		g[j.end-j.left] < Other {
		j.left++
	}
	for j.right < mostShift && j.end+1+j.right < len(g) && g[j.start+j.right] == g[j.end+1+j.right] &&
		g[j.start+j.right] < Other {
		j.right++
	}
}

// unique leaves one junction at each place. First those count as one that can be shifted to the same place, strand by
// strand, then those of several strands.
func (r *Reference) unique(all []junction) []junction {
	for i := range all {
		j := &all[i]
		r.look(j)
		j.start, j.end = j.start-j.left, j.end-j.left
	}
	strands := map[strand]int{forward: 0, reverse: 1, unknown: 2}
	slices.SortStableFunc(all, func(a, b junction) int {
		return cmp.Or(cmp.Compare(strands[a.strand], strands[b.strand]), byPlace(a, b))
	})
	var some []junction
	for _, j := range all {
		if n := len(some); n > 0 && byPlace(some[n-1], j) == 0 && some[n-1].strand == j.strand {
			if better(j, some[n-1]) {
				some[n-1] = j
			}
			continue
		}
		some = append(some, j)
	}
	for i := range some {
		if j := &some[i]; j.motif > 0 {
			j.start, j.end = j.start+j.left, j.end+j.left
		}
	}
	slices.SortStableFunc(some, byPlace)
	var one []junction
	for _, j := range some {
		if n := len(one); n > 0 && byPlace(one[n-1], j) == 0 {
			one[n-1] = ofStrands(one[n-1], j)
			continue
		}
		one = append(one, j)
	}
	for i := range one {
		if j := &one[i]; j.strand == unknown && j.motif > 0 {
			j.strand = strand(2 - j.motif%2)
		}
	}
	return one
}

// better tells whether a junction takes the place of one of the same strand.
func better(j, old junction) bool {
	switch {
	case j.priority != old.priority:
		return j.priority > old.priority
	case (j.motif > 0) != (old.motif > 0):
		return j.motif > 0
	}
	return j.left < old.left
}

// ofStrands is the one of two junctions of different strands that is kept.
func ofStrands(old, j junction) junction {
	switch {
	case j.priority < old.priority:
		return old
	case j.priority > old.priority:
		return j
	case old.strand != unknown && j.strand == unknown:
		return old
	case old.strand == unknown && j.strand != unknown:
		return j
	case old.motif == 0 && j.motif == 0:
		old.strand = unknown
		return old
	case old.motif > 0 && j.motif == 0 || old.motif%2 == 2-int(old.strand):
		return old
	}
	return j
}

// true is where a junction is: those without motif are kept shifted.
func (j junction) true() (start, end int) {
	if j.motif == 0 {
		return j.start + j.left, j.end + j.left
	}
	return j.start, j.end
}

// insert appends the text of the junctions: the bases before and after each, and a spacer.
func (r *Reference) insert() error {
	overhang, all := r.options.Overhang, r.gene.junctions
	each := 2*overhang + 1
	if len(all) > 0 && 2*each > mostInserted/len(all) {
		return &indexfiles.Error{File: r.options.Annotation.source(), Offset: -1,
			Why: fmt.Sprintf("has %d junctions, of %d bases each: that is too much text", len(all), each)}
	}
	grown := addressspace.Make[byte](r.plain + each*len(all))
	parallel.Copy(grown, r.genome)
	at := func(place int) byte { // of both strands
		switch {
		case place < 0:
			return Spacer
		case place < r.plain:
			return r.genome[place]
		}
		return complement(r.genome[2*r.plain-1-place])
	}
	parallel.Do(len(all), 1<<10, func(lo, hi int) {
		for k, j := range all[lo:hi] {
			start, end := j.true()
			to := grown[r.plain+each*(lo+k):][:each]
			for i := range overhang {
				to[i], to[overhang+i] = at(start-overhang+i), at(end+1+i)
			}
			to[2*overhang] = Spacer
		}
	})
	r.genome = grown
	return nil
}

// mostInserted is how many positions the text of junctions may have on both strands.
const mostInserted = 1 << 31

// source is the file that has most of the junctions.
func (a Annotation) source() string {
	if a.GTF.Name != "" || len(a.Junctions) == 0 {
		return a.GTF.Name
	}
	return a.Junctions[0].Name
}

// inserted is the number of positions of junctions.
func (r *Reference) inserted() int { return len(r.genome) - r.plain }

// infoTable has the junctions as STAR reads them back.
func (r *Reference) infoTable() string {
	var text strings.Builder
	fmt.Fprintf(&text, "%d\t%d\n", len(r.gene.junctions), r.options.Overhang)
	for _, j := range r.gene.junctions {
		fmt.Fprintf(&text, "%d\t%d\t%d\t%d\t%d\t%d\n", j.start, j.end, j.motif, j.left, j.right, j.strand)
	}
	return text.String()
}

// junctionTable has the junctions for people.
func (r *Reference) junctionTable() string {
	var text strings.Builder
	for _, j := range r.gene.junctions {
		start, end := j.true()
		c := r.Contigs[r.contigAt(start)]
		fmt.Fprintf(&text, "%s\t%d\t%d\t%v\n", c.Name, start-c.Start+1, end-c.Start+1, j.strand)
	}
	return text.String()
}
