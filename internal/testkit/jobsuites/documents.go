package jobsuites

import (
	"bytes"
	"context"
	"fmt"
	"slices"

	"github.com/suffixcl/suffixcl/conformance"
	"github.com/suffixcl/suffixcl/internal/testkit/suitekit"
)

// SetArrays are the arrays of a set of texts.
type SetArrays struct {
	SA, LCP, Documents []uint32
	BWT                []byte
}

// ReferenceSet returns the arrays of a set of texts, by definition. Each text is followed by a terminator, smaller
// than all letters; terminators are ordered by the number of their text. Positions count letters and terminators of
// the texts one after the other. So the arrays are those of a text of symbols: the number of the text for a
// terminator, and more for letters. The transform has the byte before each suffix, 0 for a terminator, as which the
// first text follows the last.
func ReferenceSet(texts [][]byte) SetArrays {
	var symbols []uint32
	var letters []byte
	var documents []uint32 // of positions
	for k, text := range texts {
		for _, c := range text {
			symbols = append(symbols, uint32(len(texts))+uint32(c))
		}
		symbols = append(symbols, uint32(k))
		letters = append(append(letters, text...), 0)
		documents = append(documents, slices.Repeat([]uint32{uint32(k)}, len(text)+1)...)
	}
	sa := conformance.ReferenceSymbolSuffixArray(symbols)
	lcp := conformance.ReferenceLCP(symbols, sa)
	a := SetArrays{SA: sa, LCP: lcp, Documents: make([]uint32, len(sa)), BWT: make([]byte, len(sa))}
	for j, i := range sa {
		a.Documents[j] = documents[i]
		a.BWT[j] = letters[(int(i)+len(letters)-1)%len(letters)]
	}
	return a
}

// Set is the suite for builders of the arrays of sets: the texts of [conformance.SuffixArray], cut at their greatest
// letter, and into pieces, and sets of special shapes. build returns the arrays that [ReferenceSet] has, with nil for
// those that it does not make. It must not write to the texts.
func Set(build func(ctx context.Context, texts [][]byte) (SetArrays, error), cfg Config) []Case {
	cfg = cfg.WithDefaults()
	var list []Case
	for _, c := range setCuts {
		suite := textSuite[SetArrays]{
			run:   func(ctx context.Context, text []byte) (SetArrays, error) { return build(ctx, c.cut(text)) },
			judge: func(text []byte, got SetArrays) error { return compareSets(got, ReferenceSet(c.cut(text))) },
		}
		of := cfg
		if c.short {
			of.MaxExhaustive2, of.MaxExhaustive3, of.Random = -1, -1, -1
		}
		for _, one := range suite.cases(of) {
			list = append(list, Case{Name: c.name + "/" + one.Name, Run: one.Run})
		}
	}
	for name, texts := range shapes(cfg) {
		list = append(list, Case{Name: "shapes/" + name, Run: func(ctx context.Context) error {
			got, err := build(ctx, texts)
			if err != nil {
				return err
			}
			return compareSets(got, ReferenceSet(texts))
		}})
	}
	slices.SortStableFunc(list, func(a, b Case) int { return bytes.Compare([]byte(a.Name), []byte(b.Name)) })
	return list
}

// setCut makes a set of a text.
type setCut struct {
	name  string
	short bool // leave out the many small texts
	cut   func(text []byte) [][]byte
}

var setCuts = []setCut{
	// It makes all small sets of all short texts, those of empty, equal and nested texts included.
	{"letter", false, func(text []byte) [][]byte {
		if len(text) == 0 {
			return nil
		}
		return bytes.Split(text, []byte{slices.Max(text)})
	}},
	{"pieces", true, func(text []byte) [][]byte {
		return slices.Collect(slices.Chunk(text, 1+len(text)%9+len(text)/1000))
	}},
}

// shapes are sets of none, one, many empty and many equal texts, of one and of all letters, and with terminators at the
// boundaries of tiles.
func shapes(cfg Config) map[string][][]byte {
	all := make([]byte, 256)
	for c := range all {
		all[c] = byte(c)
	}
	many := max(min(cfg.Large, 1<<16), 300)
	read := []byte("GATTACAGATTACACATTAG")
	list := map[string][][]byte{
		"none": {}, "empty": {{}}, "two empty": {{}, {}}, "many empty": make([][]byte, many),
		"one": {[]byte("banana")}, "one letter": {[]byte("a")},
		"equal":     slices.Repeat([][]byte{read}, many/len(read)),
		"all bytes": {all}, "all bytes, many": slices.Repeat([][]byte{all}, many/256),
		"all but one": {all[1:], all[1:]}, "nested": nil, "letters": bytes.SplitAfter(read, nil),
	}
	for k := range min(many/8, 300) {
		list["nested"] = append(list["nested"], read[:k%len(read)], read[k%len(read):])
	}
	for _, sigma := range []int{1, 2, 200, 238, 239, 240, 241, 254, 255} {
		name := fmt.Sprintf("sigma=%d", sigma)
		for k := range 20 {
			list[name] = append(list[name], all[:sigma], all[sigma-1-k%sigma:sigma])
		}
	}
	if cfg.Tile > 0 {
		for _, length := range []int{cfg.Tile - 2, cfg.Tile - 1, cfg.Tile} {
			name := fmt.Sprintf("terminators at tiles/%d", length)
			for k := range max(many/cfg.Tile/4, 3) {
				list[name] = append(list[name], bytes.Repeat(read[k%3:k%3+1], max(length, 0)))
			}
		}
	}
	return list
}

// compareSets compares the arrays that there are.
func compareSets(got, want SetArrays) error {
	arrays := []struct {
		name      string
		got, want []uint32
	}{{"sa", got.SA, want.SA}, {"lcp", got.LCP, want.LCP}, {"documents", got.Documents, want.Documents}}
	for _, a := range arrays {
		if a.got == nil {
			continue
		}
		if err := suitekit.Compare(a.name, a.got, a.want); err != nil {
			return err
		}
	}
	if got.BWT == nil {
		return nil
	}
	return suitekit.Compare("bwt", got.BWT, want.BWT)
}
