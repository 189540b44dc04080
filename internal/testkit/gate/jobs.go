package gate

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/suffixcl/suffixcl/conformance"
	"github.com/suffixcl/suffixcl/internal/fmd"
	"github.com/suffixcl/suffixcl/internal/testkit/jobsuites"
)

// setArrays are by definition those of the lines or records of an input.
func setArrays(in *input) jobsuites.SetArrays { return jobsuites.ReferenceSet(in.lines()) }

// newlines is a transform with newlines for terminators.
func newlines(transform []byte) []byte { return bytes.ReplaceAll(transform, []byte{0}, []byte{'\n'}) }

func runSet(t *trial, flags []string) error {
	_, err := t.command(with("gsa", "text", "-o", "out", "-q", "--sa", "--lcp", "--da", "--bwt", flags)...)
	if err != nil {
		return err
	}
	a := setArrays(t.in)
	if bytes.IndexByte(t.in.file, 0) >= 0 { // which is no terminator here
		a.BWT = nil
	}
	errs := []error{t.file("out.sa", encode(a.SA, 4)), t.file("out.lcp", encode(a.LCP, 4)),
		t.file("out.da", encode(a.Documents, 4))}
	if a.BWT != nil {
		errs = append(errs, t.file("out.bwt", newlines(a.BWT)))
	}
	return errors.Join(errs...)
}

// runFormat makes an index by two sorters.
func runFormat(t *trial, _ []string) error {
	for algorithm, prefix := range map[string]string{"auto": "out", "skew": "other"} {
		args := with(strings.Fields(t.verb.name), "text", prefix, "-q", "--algorithm", algorithm)
		if strings.HasSuffix(t.verb.name, "genometools") {
			encode := exec.CommandContext(t.ctx, "gt", "encseq", "encode", "-dna", "-indexname", prefix, "text")
			encode.Dir = t.dir
			if said, err := encode.CombinedOutput(); err != nil {
				return fmt.Errorf("gt: %w: %s", err, said)
			}
		}
		if _, err := t.command(args...); err != nil {
			return err
		}
	}
	names, err := filepath.Glob(filepath.Join(t.dir, "other.*"))
	if err == nil && len(names) < 2 {
		err = fmt.Errorf("files: %q", names)
	}
	for _, name := range names {
		suffix := strings.TrimPrefix(filepath.Base(name), "other")
		if want, failure := os.ReadFile(name); err == nil && suffix != ".prj" { // which has the name of the index
			err = errors.Join(failure, t.file("out"+suffix, want))
		}
	}
	return err
}

// runSTAR compares the genome and the suffix array of a folder of STAR with what they are by definition: suffixes of
// both strands that begin with a base, up to the first 5 in the order of their letters, then in that of their places.
func runSTAR(t *trial, _ []string) error {
	if _, err := t.command(with(strings.Fields(t.verb.name), "text", t.verb.rest, "-q")...); err != nil {
		return err
	}
	genome := starGenome(t.in.texts)
	if err := t.file("out/Genome", genome); err != nil {
		return err
	}
	both := slices.Clone(genome)
	for _, code := range slices.Backward(genome) {
		both = append(both, []byte{3, 2, 1, 0, 4, 5}[code])
	}
	var rows []int
	for at, code := range both {
		if code < 4 {
			rows = append(rows, at)
		}
	}
	letters := func(at int) []byte {
		end := bytes.IndexByte(both[at:], 5)
		if end < 0 {
			return both[at:]
		}
		return both[at : at+end]
	}
	slices.SortStableFunc(rows, func(a, b int) int { // what ends at a 5 is larger than what goes on
		return bytes.Compare(append(slices.Clone(letters(a)), 5), append(slices.Clone(letters(b)), 5))
	})
	const width = 33
	packed := make([]byte, (len(rows)-1)*width/8+8)
	for i, at := range rows {
		v := uint64(at)
		if at >= len(genome) {
			v = uint64(at-len(genome)) | 1<<(width-1)
		}
		for bit := range width {
			packed[(i*width+bit)/8] |= byte(v>>bit&1) << ((i*width + bit) % 8)
		}
	}
	return t.file("out/SA", packed)
}

// pattern is one that is searched for: as it is written, and where it occurs.
type pattern struct {
	written string
	at      [][2]int // text, place
}

// patternLength and patternCount are of the patterns that are searched for.
const (
	patternLength = 2
	patternCount  = 25
)

// patterns are pieces of an input that can be written on a line, each once, and one that is nowhere.
func (in *input) patterns() (list []pattern) {
	printable := func(c uint64) bool {
		return in.width > 1 || c > ' ' && c < 127 && !strings.ContainsRune(`\>@;`, rune(c))
	}
	known := map[string]bool{}
	for t, symbols := range in.texts {
		for i := 0; i+patternLength <= len(symbols) && len(list) < patternCount*(t+1)/len(in.texts); i += 3 {
			piece := symbols[i : i+patternLength]
			p := pattern{written: in.written(piece)}
			if known[p.written] || !printable(piece[0]) || !printable(piece[1]) {
				continue
			}
			known[p.written] = true
			for of, text := range in.texts {
				for j := range text {
					if j+patternLength <= len(text) && slices.Equal(text[j:j+patternLength], piece) {
						p.at = append(p.at, [2]int{of, j})
					}
				}
			}
			list = append(list, p)
		}
	}
	return list
}

// written are symbols as patterns and results have them.
func (in *input) written(symbols []uint64) string {
	if in.width == 1 {
		return string(bytesOf(symbols))
	}
	var numbers []string
	for _, c := range symbols {
		numbers = append(numbers, strconv.FormatUint(c, 10))
	}
	return strings.Join(numbers, " ")
}

// counted and located are the lines of patterns.
func counted(_ *input, list []pattern) (lines string) {
	for _, p := range list {
		lines += fmt.Sprintf("%s\t%d\n", p.written, len(p.at))
	}
	return lines
}

func located(in *input, list []pattern) (lines string) {
	for _, p := range list {
		for _, at := range p.at {
			record := ""
			if in.names != nil {
				record = in.names[at[0]] + ":"
			}
			lines += fmt.Sprintf("%s\t%s%d\n", p.written, record, at[1])
		}
	}
	return lines
}

// search writes the patterns, runs the command and compares its lines.
func (t *trial) search(lines func(*input, []pattern) string, args ...string) error {
	list := t.in.patterns()
	if len(list) < patternCount/2 {
		return fmt.Errorf("%d patterns only", len(list))
	}
	written := ""
	for _, p := range list {
		written += p.written + "\n"
	}
	if err := t.put("patterns", []byte(written)); err != nil {
		return err
	}
	out, err := t.command(args...)
	if err != nil {
		return err
	}
	return differs("lines", out, lines(t.in, list))
}

// ofIndex are the flags of verbs that ask an index of a kind.
var ofIndex = map[string][]string{kindBytes: nil, kindFASTA: nil}

// makeIndex indexes the input.
func (t *trial) makeIndex() error {
	flags := t.in.flags
	if t.in.Name == kindBytes {
		flags = plainFlag[kindBytes]
	}
	_, err := t.command(with("index", "text", "-o", "index", "-q", "--sample", "4", flags)...)
	return err
}

func runIndex(t *trial, _ []string) error {
	if err := t.makeIndex(); err != nil {
		return err
	}
	return t.search(located, "locate", "index", "--patterns", "patterns", "--queries", "lines", "-q")
}

func runCount(t *trial, flags []string) error {
	if err := t.makeIndex(); err != nil {
		return err
	}
	return t.search(counted, with("count", "index", "--patterns", "patterns", "--queries", "lines", "-q", flags)...)
}

func runLocate(t *trial, flags []string) error {
	if err := t.makeIndex(); err != nil {
		return err
	}
	return t.search(located, with("locate", "index", "--patterns", "patterns", "--queries", "lines", "-q", flags)...)
}

func runMatch(t *trial, flags []string) error {
	return t.search(located, with("match", "text", "patterns", "--queries", "lines", "-q", flags)...)
}

// shortText is the length of texts of which oracles look at all pairs, or at all substrings.
const (
	shortText  = 1200
	shortPairs = 600
	shortMulti = 200
)

// shorten has the trial go on with a short text of the same kind.
func (t *trial) shorten(n int) error {
	t.in = t.in.short(min(n, max(len(t.in.text()), 1)), t.seed)
	return t.put("text", t.in.file)
}

// runRepeats compares the leftmost of the longest repeats of each position with the definition.
func runRepeats(t *trial, flags []string) error {
	if err := t.shorten(shortText); err != nil {
		return err
	}
	out, err := t.command(with("repeats", "text", "-q", flags)...)
	if err != nil {
		return err
	}
	codes, text, place := t.in.apart()
	longest := make([]int, len(codes)) // repeat from each position on
	sa := conformance.ReferenceSymbolSuffixArray(codes)
	lcp := conformance.ReferenceLCP(codes, sa)
	for j := 1; j < len(sa); j++ {
		for _, i := range []uint32{sa[j-1], sa[j]} {
			longest[i] = max(longest[i], int(lcp[j]))
		}
	}
	var lines strings.Builder
	for i := range codes {
		best, length := 0, 0
		for s := i; s >= 0 && text[s] == text[i]; s-- {
			if s+longest[s] > i && longest[s] >= length {
				best, length = s, longest[s]
			}
		}
		if text[i] < 0 || length == 0 {
			continue
		}
		if t.in.names != nil {
			fmt.Fprintf(&lines, "%s\t", t.in.names[text[i]])
		}
		fmt.Fprintf(&lines, "%d\t%d\t%d\n", place[i], place[best], length)
	}
	return differs("lines", out, lines.String())
}

// runIntervals compares depth, occurrences, documents and symbols of all intervals, in any order.
func runIntervals(t *trial, flags []string) error {
	if err := t.shorten(shortText); err != nil {
		return err
	}
	out, err := t.command(with("intervals", "text", "-q", flags)...)
	if err != nil {
		return err
	}
	var got []string
	for line := range strings.Lines(out) {
		cells := strings.Split(strings.TrimSuffix(line, "\n"), "\t")
		of, at := 0, 3
		if len(t.in.texts) > 1 || t.in.names != nil {
			of, at = t.in.document(cells[3]), 4
		}
		depth, first := number(cells[0]), number(cells[at])
		if of < 0 || first < 0 || depth < 1 || first+depth > len(t.in.texts[of]) {
			return fmt.Errorf("line %.100q", line)
		}
		got = append(got, strings.Join(cells[:3], " ")+" "+t.in.written(t.in.texts[of][first:first+depth]))
	}
	want := t.in.intervals()
	slices.Sort(got)
	slices.Sort(want)
	return differs("lines", strings.Join(got, "\n"), strings.Join(want, "\n"))
}

func number(cell string) int {
	n, err := strconv.Atoi(cell)
	if err != nil {
		return -1
	}
	return n
}

// document is the number of a text by its name in a result: of a record, or "#" and the number of a line.
func (in *input) document(name string) int {
	if in.names != nil {
		return slices.Index(in.names, name)
	}
	n := number(strings.TrimPrefix(name, "#")) - 1
	if n >= len(in.texts) {
		return -1
	}
	return n
}

// intervals are by definition those of the LCP array: depth, occurrences, documents and symbols of each.
func (in *input) intervals() (list []string) {
	codes, text, place := in.apart()
	sa := conformance.ReferenceSymbolSuffixArray(codes)
	lcp := conformance.ReferenceLCP(codes, sa)
	for left := range lcp {
		// Each interval is found at its left end: by the depths that begin there.
		for right, depth := left+1, ^uint32(0); right < len(lcp) && lcp[right] > lcp[left]; right++ {
			if lcp[right] >= depth {
				continue
			}
			depth = lcp[right]
			end, documents := right, map[int]bool{}
			for end < len(lcp) && lcp[end] >= depth {
				end++
			}
			for _, i := range sa[left:end] {
				documents[text[i]] = true
			}
			of, at := text[sa[left]], place[sa[left]]
			list = append(list, fmt.Sprintf("%d %d %d %s", depth, end-left, len(documents),
				in.written(in.texts[of][at:at+int(depth)])))
		}
	}
	return list
}

// genome is a file of DNA of the kind of the trial, and its sequences in lower case, n for what matches nothing.
func (t *trial) genome(name string, n int, seed uint64) (texts [][]byte, err error) {
	in := newInput(Kind{Name: kindFASTA, width: 1}, n, seed)
	file := in.file
	if t.in.Name == kindBytes {
		file = bytes.Join(in.lines(), []byte("NN"))
		texts = [][]byte{file}
	} else {
		texts = in.lines()
	}
	for i := range texts {
		texts[i] = bytes.ToLower(texts[i])
	}
	return texts, t.put(name, file)
}

// genomes are two that have passages in common.
func (t *trial) genomes(n int) (a, b [][]byte, err error) {
	if a, err = t.genome("a", n, t.seed); err == nil {
		b, err = t.genome("b", n+n/3, t.seed)
	}
	return a, b, err
}

func runMems(t *trial, flags []string) error {
	reference, query, err := t.genomes(shortPairs)
	if err != nil {
		return err
	}
	out, err := t.command(with("mems", "a", "b", "--maxmatch", "-n", "-b", "-l", "8", "--format", "tsv", "-q", flags)...)
	if err != nil {
		return err
	}
	q := jobsuites.MatchQuery{Kind: "mem", Least: 8, Both: true}
	var want []string
	for _, m := range jobsuites.ReferenceMatches(reference, query, q) {
		strand := "+"
		if m.Reverse {
			strand = "-"
		}
		want = append(want, fmt.Sprintf("%d %d %d %s", m.ReferenceAt, m.Length, m.Reference, strand))
	}
	var got []string
	for line := range strings.Lines(out) {
		cells := strings.Split(strings.TrimSpace(line), "\t")
		if len(cells) != 6 {
			return fmt.Errorf("line %.100q", line)
		}
		record := max(number(strings.TrimPrefix(cells[0], "r"))-1, 0)
		got = append(got, fmt.Sprintf("%s %s %d %s", cells[1], cells[4], record, cells[5]))
	}
	slices.Sort(got)
	slices.Sort(want)
	if len(want) == 0 {
		return errors.New("no matches")
	}
	return differs("lines", strings.Join(got, "\n"), strings.Join(want, "\n"))
}

func runMums(t *trial, flags []string) error {
	a, b, err := t.genomes(shortMulti)
	if err != nil {
		return err
	}
	out, err := t.command(with("mums", "a", "b", "--forward", "-l", "5", "-q", flags)...)
	if err != nil {
		return err
	}
	found := jobsuites.ReferenceMultiMatches([][][]byte{a, b}, jobsuites.MultiMatchQuery{Least: 5, Genomes: 2,
		MostEach: 1})
	var want, got []string
	for _, m := range found {
		want = append(want, m.Substring)
	}
	letters := bytes.Join(a, nil)
	for line := range strings.Lines(out) {
		cells := strings.Split(strings.TrimSpace(line), "\t")
		length, at := number(cells[0]), number(strings.Split(cells[1], ",")[0])
		if length < 1 || at < 0 || at+length > len(letters) {
			return fmt.Errorf("line %.100q", line)
		}
		got = append(got, string(letters[at:at+length]))
	}
	slices.Sort(got)
	slices.Sort(want)
	if len(want) == 0 {
		return errors.New("no matches")
	}
	return differs("lines", strings.Join(got, "\n"), strings.Join(want, "\n"))
}

func runMappability(t *trial, flags []string) error {
	texts, err := t.genome("a", len(t.in.text()), t.seed)
	if err != nil {
		return err
	}
	_, err = t.command(with("mappability", "a", "-o", "out", "-k", "4", "--both", "--format", "raw16", "-q", flags)...)
	if err != nil {
		return err
	}
	var want []byte
	for _, values := range jobsuites.ReferenceMappability(texts, 4, true) {
		want = append(want, encode(values, 2)...)
	}
	return t.file("out.k4.raw16", want)
}

// tokenOrder are the positions of tokens in the order of a table: as they are in memory, or as numbers.
func (in *input) tokenOrder(memory bool) []uint32 {
	of := *in
	of.Name = kindBytes
	if memory {
		of.Name = kindMemory
	}
	return of.arrays().sa
}

// table is that which infini-gram reads.
func (in *input) table() (table []byte) {
	size := len(in.file)
	width := 1
	for size > 1<<(8*width) {
		width++
	}
	for _, i := range in.tokenOrder(true) {
		table = appendNumber(table, uint64(int(i)*in.width), width)
	}
	return table
}

func runTokens(t *trial, flags []string) error {
	if _, err := t.command(with("tokens", "text", "-o", "out", "-q", flags)...); err != nil {
		return err
	}
	if err := t.file("out", t.in.table()); err != nil || t.in.width == 1 {
		return err
	}
	if _, err := t.command(with("tokens", "text", "-o", "out", "-q", "--format", "tokengrams", flags)...); err != nil {
		return err
	}
	return t.file("out", encode(t.in.tokenOrder(false), 8))
}

// runGrams asks a table of the definition about pairs of tokens.
func runGrams(t *trial, flags []string) error {
	if err := os.Mkdir(filepath.Join(t.dir, "index"), 0o777); err != nil {
		return err
	}
	err := errors.Join(t.put("index/tokenized.0", t.in.file), t.put("index/table.0", t.in.table()))
	if err != nil {
		return err
	}
	tokens := t.in.text()
	for _, at := range []int{0, len(tokens) / 2, len(tokens) - 3} {
		a, b := tokens[at], tokens[at+1]
		gram := fmt.Sprintf("%d,%d", a, b)
		out, err := t.command(with(strings.Fields(t.verb.name), "index", gram, "-q", flags)...)
		if err != nil {
			return err
		}
		var places []int
		next := map[uint64]int{}
		for i := range tokens[:len(tokens)-1] {
			if tokens[i] == a && tokens[i+1] == b {
				places = append(places, i)
				if i+2 < len(tokens) {
					next[tokens[i+2]]++
				}
			}
		}
		if err := differs("lines", sortedLines(out), sortedLines(grams(t.verb.name, gram, places, next))); err != nil {
			return err
		}
	}
	return nil
}

// grams are the lines about an n-gram of two tokens.
func grams(verb, gram string, places []int, next map[uint64]int) (lines string) {
	switch verb {
	case "tokens count":
		return fmt.Sprintf("%s\t%d\n", gram, len(places))
	case "tokens find":
		for _, i := range places {
			lines += fmt.Sprintf("%s\t0\t-\t%d\t%d\n", gram, i, i)
		}
		return lines
	}
	for token, count := range next {
		lines += fmt.Sprintf("%s\t2\t%d\t%d\t%d\t%v\n", gram, len(places), token, count,
			float64(count)/float64(len(places)))
	}
	return lines
}

func sortedLines(text string) string {
	lines := strings.SplitAfter(text, "\n")
	slices.Sort(lines)
	return strings.Join(lines, "")
}

// runInfiniGram compares the files of a document with what they are by definition.
func runInfiniGram(t *trial, flags []string) error {
	_, err := t.command(with("build", "infini-gram-mini", "text", t.verb.rest, "--keep", "-q", flags)...)
	if err != nil {
		return err
	}
	files, err := infiniGramFiles(t.in.file)
	for name, want := range files {
		err = errors.Join(err, t.file("out/"+name, want))
	}
	return err
}

// runSeeds makes seeds by two sorters.
func runSeeds(t *trial, _ []string) error {
	for out, algorithm := range map[string]string{"out": "auto", "other": "sais"} {
		_, err := t.command("seeds", "text", "-o", out, "--coverage", "1", "--algorithm", algorithm, "-q")
		if err != nil {
			return err
		}
	}
	want, err := t.get("other")
	if err == nil && len(want) == 0 {
		err = errors.New("no seeds")
	}
	return errors.Join(err, t.file("out", want))
}

func runDedup(t *trial, flags []string) error {
	const length = 6
	out, err := t.command(with("dedup", "text", "--min-length", strconv.Itoa(length), "-q", flags)...)
	if err != nil {
		return err
	}
	bounds := []uint64{0, uint64(len(t.in.text()))}
	if t.in.Name == kindSet {
		bounds = []uint64{0}
		for i, c := range t.in.file {
			if c == '\n' { // it is in no document: the next begins after it
				bounds = append(bounds, uint64(i), uint64(i+1))
			}
		}
	}
	q := jobsuites.DuplicateQuery{Length: length, Width: t.in.width, MinCount: 2}
	ranges, _ := jobsuites.ReferenceDuplicates(t.in.file, bounds, q)
	want := "out\n"
	slices.SortFunc(ranges, func(a, b jobsuites.Range) int { return cmp.Compare(a.Start, b.Start) })
	for _, r := range ranges {
		want += fmt.Sprintf("%d %d\n", r.Start*uint64(t.in.width), r.End*uint64(t.in.width))
	}
	if len(ranges) == 0 {
		return errors.New("no duplicates")
	}
	return differs("lines", out, want)
}

// shortPangenome is how many letters are sorted by definition.
const shortPangenome = 1500

// isTransformOf compares an index with the definition.
func (t *trial) isTransformOf(name string, texts [][]byte) error {
	file, err := t.get(name)
	if err != nil {
		return err
	}
	var got []byte
	_, err = fmd.Decode(bytes.NewReader(file), int64(len(file)), func(r fmd.Run) error {
		got = append(got, bytes.Repeat([]byte{r.Letter}, int(min(r.Len, 1<<20)))...)
		return nil
	})
	if err != nil {
		return err
	}
	return differs(name, got, transformOf(texts))
}

func runPangenome(t *trial, flags []string) error {
	if err := t.shorten(shortPangenome); err != nil {
		return err
	}
	run := func(args ...string) (string, error) {
		return t.command(with("pangenome", args, "-q")...)
	}
	if _, err := run(append([]string{"build", "text", "-o", "one"}, flags...)...); err != nil {
		return err
	}
	texts := bothStrands(t.in.texts)
	switch _, name, _ := strings.Cut(t.verb.name, " "); name {
	case "build":
		return t.isTransformOf("one", texts)
	case "append":
		if _, err := run("append", "one", "text"); err != nil {
			return err
		}
		return t.isTransformOf("one", append(texts, texts...))
	case "merge":
		if _, err := run("merge", "one", "one", "-o", "out"); err != nil {
			return err
		}
		return t.isTransformOf("out", append(texts, texts...))
	case "stat":
		out, err := run("stat", "one")
		if err != nil {
			return err
		}
		transform := transformOf(texts)
		runs := 1
		for i := range transform[1:] {
			if transform[i] != transform[i+1] {
				runs++
			}
		}
		want := fmt.Sprintf("%d sequences\n%d symbols\n%d runs\n", len(texts), len(transform), runs)
		for i, letter := range "ACGTN" {
			want += fmt.Sprintf("%d %c\n", bytes.Count(transform, []byte{byte(i + 1)}), letter)
		}
		return differs("figures", out, want)
	case "get":
		for i, s := range texts {
			out, err := run("get", "one", fmt.Sprint(i))
			if err != nil {
				return err
			}
			_, got, _ := strings.Cut(strings.TrimSuffix(out, "\n"), "\n")
			want := strings.Map(func(c rune) rune { return rune("$ACGTN"[c]) }, string(s))
			if err := differs(fmt.Sprintf("string %d", i), got, want); err != nil {
				return err
			}
		}
		return nil
	case "samples":
		if _, err := run("samples", "one", "--rate", "3"); err != nil {
			return err
		}
		file, err := t.get("one.ssa")
		if err != nil {
			return err
		}
		s, err := fmd.ReadSamples(bytes.NewReader(file), int64(len(file)))
		if err != nil {
			return err
		}
		shift, last := fmd.Shift(uint64(len(texts))), []byte(nil)
		for _, place := range s.Places {
			of, at := place&(1<<shift-1), place>>shift
			if of >= uint64(len(texts)) || at >= uint64(len(texts[of])) || bytes.Compare(last, texts[of][at:]) > 0 {
				return fmt.Errorf("sample %d:%d", of, at)
			}
			last = texts[of][at:]
		}
		return nil
	}
	if _, err := run("verify", "one", "text"); err != nil {
		return err
	}
	if err := t.put("other", []byte(">a\nGATTACA\n")); err != nil {
		return err
	}
	_, err := run("verify", "one", "other")
	if r, refused := err.(*refusal); !refused || r.code != exitVerify {
		return fmt.Errorf("another genome: %w", err)
	}
	return nil
}

// runThresholds compares the files of Movi with the definition of runs and thresholds.
func runThresholds(t *trial, _ []string) error {
	for _, separator := range []string{"", "%"} {
		args := with(strings.Fields(t.verb.name), "text", "out", "-q", "--force")
		if separator != "" {
			args = append(args, "--separators")
		}
		if _, err := t.command(args...); err != nil {
			return err
		}
		text := t.in.strands(separator)
		runs := jobsuites.ReferenceThresholds(text)
		var heads, lengths, thresholds []byte
		for k, run := range runs {
			end := len(text) + 1
			if k+1 < len(runs) {
				end = int(runs[k+1].Start)
			}
			heads = append(heads, run.Letter)
			lengths = appendNumber(lengths, uint64(end)-uint64(run.Start), 5)
			thresholds = appendNumber(thresholds, uint64(run.Threshold), 5)
		}
		err := errors.Join(t.file("out.bwt.heads", heads), t.file("out.bwt.len", lengths), t.file("out.thr_pos", thresholds))
		if err != nil {
			return err
		}
	}
	return nil
}

// strands has each record and its reverse complement, with a separator after each.
func (in *input) strands(separator string) (text []byte) {
	for _, record := range in.texts {
		forward := bytesOf(record)
		reverse := make([]byte, len(forward))
		for i, c := range forward {
			base := max(strings.IndexByte(letters, c&^0x20), 0) // A for all others
			forward[i], reverse[len(reverse)-1-i] = letters[base], letters[3-base]
		}
		text = append(append(text, forward...), separator...)
		text = append(append(text, reverse...), separator...)
	}
	return text
}

// runSMEMs compares matches in an index of bwa, and in a pangenome, with the definition: as they are, as matching
// statistics, and as a choice of reads. The reads are passages of the input with other letters in them, half of them of
// the other strand.
func runSMEMs(t *trial, _ []string) error {
	if err := t.shorten(shortPangenome); err != nil {
		return err
	}
	written := func(texts [][]byte) (file []byte) {
		for k, text := range texts {
			file = fmt.Appendf(file, ">r%d\n%s\n", k, text)
		}
		return file
	}
	base := func(text []byte, other byte) []byte {
		text = bytes.ToUpper(text)
		for i, c := range text {
			if !strings.ContainsRune("ACGT", rune(c)) {
				text[i] = other
			}
		}
		return text
	}
	s := jobsuites.SMEMSearch{MinLength: 7, MinHits: 1, MaxLocated: 20}
	var known, bases [][]byte
	for _, record := range t.in.texts {
		text := bytesOf(record)
		known, bases = append(known, base(text, 'N')), append(bases, base(text, 'G'))
	}
	pool := bytes.Join(known, nil)
	for k := range 40 {
		at := k * len(pool) / 40
		read := slices.Clone(pool[at:min(at+100, len(pool))])
		for i := 20 + k; i < len(read); i += 30 {
			read[i] = "ACGTN"[(i+k)%5]
		}
		s.Queries = append(s.Queries, read)
	}
	err := errors.Join(t.put("pool", written(known)), t.put("bases", written(bases)), t.put("reads", written(s.Queries)))
	if err != nil {
		return err
	}
	for _, call := range [][]string{{"build", "bwa", "bases", "genome", "--force", "-q"},
		{"pangenome", "build", "pool", "-o", "genome.fmd", "-q"}} {
		if _, err := t.command(call...); err != nil {
			return err
		}
	}
	for _, index := range []string{"genome", "genome.fmd"} {
		if s.Pangenome, s.Texts = index != "genome", bases; s.Pangenome {
			s.Texts = known
		}
		if err := t.statisticsOfSMEMs(index, s); err != nil {
			return err
		}
		out, err := t.command("smems", index, "reads", "-l", fmt.Sprint(s.MinLength), "--format", "bed", "-q")
		if err != nil {
			return err
		}
		want := ""
		for _, m := range jobsuites.ReferenceSMEMs(s) {
			want += fmt.Sprintf("r%d\t%d\t%d\t%d\n", m.Query, m.Start, m.End, m.Hits)
		}
		if want == "" {
			return errors.New("no matches")
		}
		if err := differs("lines", out, want); err != nil {
			return err
		}
	}
	return nil
}

// statisticsOfSMEMs compares matching statistics, and which reads have half of their letters in matches.
func (t *trial) statisticsOfSMEMs(index string, s jobsuites.SMEMSearch) error {
	want, kept := "", ""
	for k, lengths := range jobsuites.ReferenceMatchingStatistics(s) {
		want += fmt.Sprintf(">r%d\n", k)
		covered, end := 0, 0
		for at, length := range lengths {
			want += fmt.Sprint(length, " ")
			if length >= s.MinLength {
				end = max(end, at+length)
			}
			if at < end {
				covered++
			}
		}
		want += "\n"
		if covered > 0 && 2*covered >= len(lengths) {
			kept += fmt.Sprintf(">r%d\n%s\n", k, s.Queries[k])
		}
	}
	out, err := t.command("smems", index, "reads", "--matching-statistics", "-q")
	if err == nil {
		err = differs("matching statistics", out, want)
	}
	if err != nil {
		return err
	}
	out, err = t.command("smems", index, "reads", "-l", fmt.Sprint(s.MinLength), "--keep", "0.5", "-q")
	if err != nil {
		return err
	}
	return differs("reads", out, kept)
}
