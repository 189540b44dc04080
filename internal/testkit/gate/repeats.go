package gate

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/suffixcl/suffixcl/conformance"
)

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
