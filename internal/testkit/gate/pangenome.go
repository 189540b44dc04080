package gate

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/suffixcl/suffixcl/internal/fmd"
	"github.com/suffixcl/suffixcl/internal/testkit/jobsuites"
)

// bothStrands are the strings of codes of records of FASTA: each, and its reverse complement.
func bothStrands(records [][]uint64) (all [][]byte) {
	for _, symbols := range records {
		var forward, reverse []byte
		for _, c := range symbols {
			code := byte(5)
			if at := strings.IndexByte("ACGT", byte(c)&^0x20); at >= 0 {
				code = byte(at + 1)
			}
			forward = append(forward, code)
		}
		for _, code := range slices.Backward(forward) {
			reverse = append(reverse, []byte{0, 4, 3, 2, 1, 5}[code])
		}
		all = append(all, forward, reverse)
	}
	return all
}

// transformOf is the transform of strings by definition: $ of string i is before that of string j for i < j.
func transformOf(texts [][]byte) (transform []byte) {
	type suffix struct{ of, at int }
	var all []suffix
	for i, s := range texts {
		for at := range len(s) + 1 {
			all = append(all, suffix{i, at})
		}
	}
	slices.SortFunc(all, func(a, b suffix) int {
		return cmp.Or(bytes.Compare(texts[a.of][a.at:], texts[b.of][b.at:]), cmp.Compare(a.of, b.of))
	})
	for _, s := range all {
		transform = append(transform, append([]byte{0}, texts[s.of]...)[s.at])
	}
	return transform
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
// statistics, and as a choice of reads; and pseudo-matching lengths. The reads are passages of the input with other
// letters in them, half of them of the other strand.
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
		{"index", "bases", "--dna", "--both", "-o", "genome.fmi", "-q"},
		{"pangenome", "build", "pool", "-o", "genome.fmd", "-q"}} {
		if _, err := t.command(call...); err != nil {
			return err
		}
	}
	for _, index := range []string{"genome", "genome.fmi", "genome.fmd"} {
		if s.Pangenome, s.Texts = index == "genome.fmd", bases; s.Pangenome {
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
	return t.pseudoLengths(s.Queries)
}

// pseudoLengths compares pseudo-matching lengths of the file reads.
func (t *trial) pseudoLengths(reads [][]byte) error {
	if _, err := t.command("pangenome", "thresholds", "pool", "runs", "--force", "-q"); err != nil {
		return err
	}
	want := ""
	for k, lengths := range jobsuites.ReferencePseudoLengths(jobsuites.PseudoSearch{Text: t.in.strands(""),
		Queries: reads}) {
		want += fmt.Sprintf(">r%d\n", k)
		for _, length := range lengths {
			want += fmt.Sprint(length, " ")
		}
		want += "\n"
	}
	out, err := t.command("smems", "runs", "reads", "--pseudo-matching-lengths", "-q")
	if err != nil {
		return err
	}
	return differs("pseudo-matching lengths", out, want)
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
