package gate

import (
	"bytes"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/suffixcl/suffixcl/internal/testkit/jobsuites"
)

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
