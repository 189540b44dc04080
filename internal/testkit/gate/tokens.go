package gate

import (
	"cmp"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/suffixcl/suffixcl/internal/testkit/jobsuites"
)

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

// putTable makes a directory of infini-gram with the table of the definition.
func (t *trial) putTable() error {
	if err := os.Mkdir(filepath.Join(t.dir, "index"), 0o777); err != nil {
		return err
	}
	return errors.Join(t.put("index/tokenized.0", t.in.file), t.put("index/table.0", t.in.table()))
}

// runGrams asks a table of the definition about pairs of tokens.
func runGrams(t *trial, flags []string) error {
	if err := t.putTable(); err != nil {
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
