package star

import (
	"bytes"
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/suffixcl/suffixcl/formats/internal/indexfiles"
	"github.com/suffixcl/suffixcl/internal/bytesize"
)

// mostOverhang is more than any read is long.
const mostOverhang = 1 << 20

// Input is a file of an annotation that was read, or the zero value.
type Input struct {
	Name string
	Text []byte
}

// name is that of parameters.
func (i Input) name() string { return cmp.Or(i.Name, "-") }

// lines calls f with each line, without its end. Errors of f get the file and the place of the line.
func (i Input) lines(f func(line string) error) error {
	offset, number := 0, 1
	for rest := i.Text; len(rest) > 0; number++ {
		line, after, _ := bytes.Cut(rest, []byte("\n"))
		if err := f(string(line)); err != nil {
			return &indexfiles.Error{File: i.Name, Offset: int64(offset), Why: fmt.Sprintf("line %d: %v", number, err)}
		}
		offset += len(line) + 1
		rest = after
	}
	return nil
}

// Annotation has the junctions that are inserted into a genome.
type Annotation struct {
	GTF       Input   // exons of transcripts
	Junctions []Input // tables of junctions: sequence, first and last base of the intron, strand
	Overhang  int     // --sjdbOverhang: bases on each side of a junction; 0 stands for 100
}

// given tells whether there is an annotation.
func (a Annotation) given() bool { return a.GTF.Name != "" || len(a.Junctions) > 0 }

func (a Annotation) junctionNames() (names []string) {
	for _, j := range a.Junctions {
		names = append(names, j.Name)
	}
	return names
}

// strand of a transcript or junction.
type strand int

const (
	unknown strand = iota
	forward
	reverse
)

// strandOf is the strand that a column has; other words are unknown.
func strandOf(word string) strand {
	switch word {
	case "+", "1":
		return forward
	case "-", "2":
		return reverse
	}
	return unknown
}

func (s strand) String() string { return []string{".", "+", "-"}[s] }

// exon is one of a transcript. Places count positions of the genome.
type exon struct{ start, end, transcript, gene int }

// transcript is one that the exons of a GTF name.
type transcript struct {
	id     string
	strand strand
}

type gene struct{ id, name, kind string }

// annotated is what is made of an annotation.
type annotated struct {
	exons       []exon // by transcript and start
	transcripts []transcript
	genes       []gene
	skipped     struct{ unknown, beyond int } // exons of sequences that are not there, or that end beyond theirs
	fromGTF     []junction
	junctions   []junction
}

// numbers are ids by their appearance.
type numbers map[string]int

// of is the number of an id, and whether it is new.
func (n numbers) of(id string) (number int, isNew bool) {
	number, had := n[id]
	if !had {
		number = len(n)
		n[id] = number
	}
	return number, !had
}

// contigs finds sequences by name: of equal names the last.
func (r *Reference) contigs() map[string]Contig {
	all := make(map[string]Contig, len(r.Contigs))
	for _, c := range r.Contigs {
		all[c.Name] = c
	}
	return all
}

// separators are what divides attributes.
var separators = strings.NewReplacer(";", " ", "=", " ", `"`, " ", "\t", " ")

// attribute is the word after a name; empty if there is none.
func attribute(text, name string) string {
	_, after, found := strings.Cut(text, " "+name+" ")
	if !found {
		return ""
	}
	word, _, _ := strings.Cut(strings.TrimLeft(after, " "), " ")
	return word
}

// columns are the first fields of a line, divided by blanks, and what is after them.
func columns(line string, n int) (fields []string, rest string) {
	for rest = line; len(fields) < n; {
		rest = strings.TrimLeft(rest, " \t\r\v\f")
		end := strings.IndexAny(rest, " \t\r\v\f")
		if rest == "" {
			break
		}
		if end < 0 {
			end = len(rest)
		}
		fields, rest = append(fields, rest[:end]), rest[end:]
	}
	return fields, rest
}

// readGTF reads the exons of a GTF.
func (r *Reference) readGTF(in Input) error {
	g, contigs := r.gene, r.contigs()
	transcripts, genes := numbers{}, numbers{}
	seen := 0
	err := in.lines(func(line string) error {
		fields, rest := columns(line, 8)
		if len(fields) < 3 || strings.HasPrefix(fields[0], "#") || fields[2] != "exon" {
			return nil
		}
		seen++
		if len(fields) < 8 {
			return fmt.Errorf("an exon has %d columns: 8 are needed", len(fields))
		}
		contig, ok := contigs[fields[0]]
		if !ok {
			g.skipped.unknown++
			return nil
		}
		start, end, err := interval(fields[3], fields[4])
		switch {
		case err != nil:
			return err
		case end > contig.Length:
			g.skipped.beyond++
			return nil
		}
		text := separators.Replace(strings.TrimRight(rest, "\r")) + " "
		id := attribute(text, "transcript_id")
		if id == "" {
			id = fmt.Sprintf("tr_%s_%d_%d_%d", fields[0], start, end, len(g.exons))
		}
		e := exon{start: contig.Start + start - 1, end: contig.Start + end - 1}
		var isNew bool
		if e.transcript, isNew = transcripts.of(id); isNew {
			g.transcripts = append(g.transcripts, transcript{id, strandOf(fields[6])})
		}
		id = cmp.Or(attribute(text, "gene_id"), "MissingGeneID")
		if e.gene, isNew = genes.of(id); isNew {
			kind := cmp.Or(attribute(text, "gene_biotype"), attribute(text, "gene_type"), "MissingGeneType")
			g.genes = append(g.genes, gene{id, cmp.Or(attribute(text, "gene_name"), id), kind})
		}
		g.exons = append(g.exons, e)
		return nil
	})
	switch {
	case err != nil:
		return err
	case seen == 0:
		return &indexfiles.Error{File: in.Name, Offset: -1, Why: "has no line of an exon"}
	case len(g.exons) == 0:
		return &indexfiles.Error{File: in.Name, Offset: -1, Why: fmt.Sprintf("has no exon in the genome: %d are of "+
			"sequences that are not there, %d end beyond theirs", g.skipped.unknown, g.skipped.beyond)}
	}
	slices.SortStableFunc(g.exons, func(a, b exon) int {
		return cmp.Or(cmp.Compare(a.transcript, b.transcript), cmp.Compare(a.start, b.start))
	})
	g.introns(r)
	return nil
}

// interval is a first and last base, counted from 1.
func interval(first, last string) (start, end int, err error) {
	start, err = strconv.Atoi(first)
	if err == nil {
		end, err = strconv.Atoi(last)
	}
	if err != nil || start < 1 || end < start {
		return 0, 0, fmt.Errorf("%q to %q is no interval of a sequence", first, last)
	}
	return start, end, nil
}

// introns are the junctions between neighbouring exons of a transcript. Those of the same place and strand are one, of
// several genes.
func (g *annotated) introns(r *Reference) {
	var all []junction
	for i := 1; i < len(g.exons); i++ {
		a, b := g.exons[i-1], g.exons[i]
		if a.transcript == b.transcript && b.start > a.end+1 {
			j := junction{start: a.end + 1, end: b.start - 1, strand: g.transcripts[a.transcript].strand,
				priority: priorityGTF, genes: []int{b.gene}}
			j.contig = r.contigAt(j.start)
			all = append(all, j)
		}
	}
	slices.SortStableFunc(all, byPlace)
	for _, j := range all {
		if n := len(g.fromGTF); n > 0 {
			if last := &g.fromGTF[n-1]; byPlace(*last, j) == 0 && last.strand == j.strand {
				last.genes = append(last.genes, j.genes...)
				continue
			}
		}
		g.fromGTF = append(g.fromGTF, j)
	}
	for i := range g.fromGTF {
		slices.Sort(g.fromGTF[i].genes)
		g.fromGTF[i].genes = slices.Compact(g.fromGTF[i].genes)
	}
}

// contigAt is the number of the sequence at or before a place.
func (r *Reference) contigAt(place int) int {
	k, found := slices.BinarySearchFunc(r.Contigs, place, func(c Contig, place int) int { return cmp.Compare(c.Start, place) })
	if !found {
		return k - 1
	}
	for k+1 < len(r.Contigs) && r.Contigs[k+1].Start == place { // after one without letters
		k++
	}
	return k
}

// tableFile is a file of an annotation.
type tableFile struct{ name, text string }

// tables are the files of the annotation.
func (r *Reference) tables() []tableFile {
	g := r.gene
	if g == nil {
		return nil
	}
	files := []tableFile{{"sjdbInfo.txt", r.infoTable()}, {"sjdbList.out.tab", r.junctionTable()}}
	if r.options.GTF.Name == "" {
		return files
	}
	order := g.byStart()
	return append(files, tableFile{"exonGeTrInfo.tab", g.exonTable()}, tableFile{"exonInfo.tab", g.partTable(order)},
		tableFile{"geneInfo.tab", g.geneTable()}, tableFile{"transcriptInfo.tab", g.transcriptTable(order)},
		tableFile{"sjdbList.fromGTF.out.tab", r.intronTable()})
}

// parts are the exons of a transcript.
type parts struct {
	number int // of the transcript
	exons  []exon
}

// end is that of the last exon in the order of starts.
func (p parts) end() int { return p.exons[len(p.exons)-1].end }

// byStart are the transcripts by the start of their first exon and the end of their last.
func (g *annotated) byStart() []parts {
	var all []parts
	for lo := 0; lo < len(g.exons); {
		hi := lo
		for hi < len(g.exons) && g.exons[hi].transcript == g.exons[lo].transcript {
			hi++
		}
		all = append(all, parts{g.exons[lo].transcript, g.exons[lo:hi]})
		lo = hi
	}
	slices.SortFunc(all, func(a, b parts) int {
		return cmp.Or(cmp.Compare(a.exons[0].start, b.exons[0].start), cmp.Compare(a.end(), b.end()),
			cmp.Compare(a.number, b.number))
	})
	return all
}

// exonTable has all exons with strand, gene and transcript.
func (g *annotated) exonTable() string {
	sorted := slices.Clone(g.exons)
	strandOf := func(e exon) strand { return g.transcripts[e.transcript].strand }
	slices.SortFunc(sorted, func(a, b exon) int {
		return cmp.Or(cmp.Compare(a.start, b.start), cmp.Compare(a.end, b.end), cmp.Compare(strandOf(a), strandOf(b)),
			cmp.Compare(a.gene, b.gene), cmp.Compare(a.transcript, b.transcript))
	})
	var text strings.Builder
	fmt.Fprintln(&text, len(sorted))
	for _, e := range sorted {
		fmt.Fprintf(&text, "%d\t%d\t%d\t%d\t%d\n", e.start, e.end, strandOf(e), e.gene, e.transcript)
	}
	return text.String()
}

// partTable has the exons in their transcripts, with the bases of those before.
func (g *annotated) partTable(order []parts) string {
	var text strings.Builder
	fmt.Fprintln(&text, len(g.exons))
	for _, p := range order {
		before := 0
		for _, e := range p.exons {
			fmt.Fprintf(&text, "%d\t%d\t%d\n", e.start-p.exons[0].start, e.end-p.exons[0].start, before)
			before += e.end - e.start + 1
		}
	}
	return text.String()
}

func (g *annotated) geneTable() string {
	var text strings.Builder
	fmt.Fprintln(&text, len(g.genes))
	for _, one := range g.genes {
		fmt.Fprintf(&text, "%s\t%s\t%s\n", one.id, one.name, one.kind)
	}
	return text.String()
}

// transcriptTable has the transcripts with the largest end of those before.
func (g *annotated) transcriptTable(order []parts) string {
	var text strings.Builder
	fmt.Fprintln(&text, len(g.transcripts))
	furthest, first := 0, 0
	for i, p := range order {
		t := g.transcripts[p.number]
		if i == 0 {
			furthest = p.end()
		}
		last := slices.MaxFunc(slices.Clone(p.exons), func(a, b exon) int {
			return cmp.Or(cmp.Compare(a.start, b.start), cmp.Compare(a.end, b.end))
		})
		fmt.Fprintf(&text, "%s\t%d\t%d\t%d\t%d\t%d\t%d\t%d\n", t.id, p.exons[0].start, p.end(), furthest, t.strand,
			len(p.exons), first, last.gene)
		furthest, first = max(furthest, p.end()), first+len(p.exons)
	}
	return text.String()
}

// intronTable has the junctions of the GTF with the numbers of their genes, from 1.
func (r *Reference) intronTable() string {
	var text strings.Builder
	for _, j := range r.gene.fromGTF {
		c := r.Contigs[j.contig]
		fmt.Fprintf(&text, "%s\t%d\t%d\t%v\t", c.Name, j.start-c.Start+1, j.end-c.Start+1, j.strand)
		for i, gene := range j.genes {
			if i > 0 {
				text.WriteByte(',')
			}
			text.WriteString(strconv.Itoa(gene + 1))
		}
		text.WriteByte('\n')
	}
	return text.String()
}

// Notes are what was left out of an annotation, as STAR does.
func (r *Reference) Notes() (notes []string) {
	if r.gene == nil {
		return nil
	}
	if n := r.gene.skipped.unknown; n > 0 {
		notes = append(notes, fmt.Sprintf("%s: %s left out, of sequences that are not in the genome", r.options.GTF.Name,
			bytesize.Count(n, "exon")))
	}
	if n := r.gene.skipped.beyond; n > 0 {
		notes = append(notes, fmt.Sprintf("%s: %s left out, which ends beyond its sequence", r.options.GTF.Name,
			bytesize.Count(n, "exon")))
	}
	return notes
}
