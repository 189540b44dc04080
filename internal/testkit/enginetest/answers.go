package enginetest

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"slices"
	"sync"

	"github.com/suffixcl/suffixcl"
	"github.com/suffixcl/suffixcl/conformance"
	"github.com/suffixcl/suffixcl/internal/testkit/builders"
	"github.com/suffixcl/suffixcl/internal/testkit/jobsuites"
)

// Answers are a text and what is true of it.
type Answers struct {
	Text, Transform []byte
	Primary         int
	SA, LCP         []uint32
	repeats         jobsuites.AllRepeats
	pattern         []byte   // some of the text
	found           []uint32 // where it occurs
	intervals       func() []jobsuites.Interval
	common          func() []jobsuites.Interval
	duplicates      func() []jobsuites.Range
	matches         func() map[string][]jobsuites.SequenceMatch // by kind
	multiMatches    func() []jobsuites.MultiMatch
	smems           func() [2][]jobsuites.SMEM // of a transform, and of a pangenome
	pseudo          func() [][]int
	mappability     func() []uint32
	thresholds      func() []jobsuites.ThresholdRun
}

// basesOf are the last letters of a text as two sequences of DNA. They are few, since oracles compare all places.
func basesOf(text []byte) [][]byte {
	bases := slices.Clone(text[max(len(text)-90, 0):])
	for i, c := range bases {
		bases[i] = "acgt"[c&3]
	}
	return Halves(bases)
}

// withoutEnd is a text without the letter of its end.
func withoutEnd(text []byte) []byte { return bytes.ReplaceAll(text, []byte{0}, []byte{1}) }

// smemsOf are searches for matches of the second sequence in the first, and of the first in itself: in a pangenome in
// pieces that drivers take, too, whose work-items cannot loop for longer.
func smemsOf(text []byte, pangenome bool) jobsuites.SMEMSearch {
	g := basesOf(bytes.ToUpper(text))
	for i, s := range g {
		g[i] = bytes.ToUpper(s)
	}
	queries := [][]byte{g[1], g[0]}
	if pangenome {
		queries = slices.AppendSeq(slices.Collect(slices.Chunk(g[1], 24)), slices.Chunk(g[0], 24))
	}
	return jobsuites.SMEMSearch{Texts: g[:1], Queries: queries, Pangenome: pangenome, MinLength: 2, MinHits: 1,
		MaxLocated: 3}
}

// pseudoOf is what smemsOf looks for in a pangenome, in one strand of the first sequence.
func pseudoOf(text []byte) jobsuites.PseudoSearch {
	s := smemsOf(text, true)
	return jobsuites.PseudoSearch{Text: s.Texts[0], Queries: s.Queries}
}

// matchKinds take different ways through the device.
var matchKinds = []string{"mum", "mem"}

// genomesOf are these as two genomes.
func genomesOf(text []byte) [][][]byte {
	sequences := basesOf(text)
	return [][][]byte{sequences[:1], sequences[1:]}
}

// multiMatchQuery is asked of them.
var multiMatchQuery = jobsuites.MultiMatchQuery{Least: 3, Genomes: 2, MostEach: 2, Both: true}

// compareSequenceMatches orders matches as oracles do.
func compareSequenceMatches(a, b jobsuites.SequenceMatch) int {
	return cmp.Or(cmp.Compare(a.Query, b.Query), cmp.Compare(fmt.Sprint(a.Reverse), fmt.Sprint(b.Reverse)),
		cmp.Compare(a.QueryAt, b.QueryAt), cmp.Compare(a.Reference, b.Reference),
		cmp.Compare(a.ReferenceAt, b.ReferenceAt), cmp.Compare(a.Length, b.Length))
}

// Halves are a text as a set of two.
func Halves(text []byte) [][]byte { return [][]byte{text[:len(text)/2], text[len(text)/2:]} }

// documentsOf are where they begin and end.
func documentsOf(text []byte) []uint64 { return []uint64{0, uint64(len(text) / 2), uint64(len(text))} }

// bestIntervals are asked for in the halves of texts.
var bestIntervals = suffixcl.IntervalOptions{LeftMaximal: true, MostEach: 40, Best: 5, By: suffixcl.ByArea}

// AnswersOf are those of a text, by definition.
func AnswersOf(text []byte) Answers {
	a := Answers{Text: text, SA: conformance.ReferenceSuffixArray(text)}
	a.Transform, a.Primary = conformance.ReferenceBWT(text, a.SA)
	a.LCP = conformance.ReferenceLCP(text, a.SA)
	a.repeats = jobsuites.ReferenceRepeats(text)
	a.intervals = sync.OnceValue(func() []jobsuites.Interval {
		return jobsuites.ReferenceIntervals(nil, Halves(text), builders.IntervalQuery(bestIntervals))
	})
	a.common = sync.OnceValue(func() []jobsuites.Interval { return jobsuites.ReferenceCommon(Halves(text)) })
	a.duplicates = sync.OnceValue(func() []jobsuites.Range {
		found, _ := jobsuites.ReferenceDuplicates(text, documentsOf(text), jobsuites.DuplicateQuery{Length: 4, Width: 1,
			KeepFirst: true, MinCount: 2})
		return found
	})
	a.matches = sync.OnceValue(func() map[string][]jobsuites.SequenceMatch {
		g, all := basesOf(text), map[string][]jobsuites.SequenceMatch{}
		for _, kind := range matchKinds {
			all[kind] = jobsuites.ReferenceMatches(g[:1], g[1:], jobsuites.MatchQuery{Kind: kind, Least: 3, Both: true})
		}
		return all
	})
	a.smems = sync.OnceValue(func() [2][]jobsuites.SMEM {
		return [2][]jobsuites.SMEM{jobsuites.ReferenceSMEMs(smemsOf(text, false)),
			jobsuites.ReferenceSMEMs(smemsOf(text, true))}
	})
	a.pseudo = sync.OnceValue(func() [][]int { return jobsuites.ReferencePseudoLengths(pseudoOf(text)) })
	a.multiMatches = sync.OnceValue(func() []jobsuites.MultiMatch {
		return jobsuites.ReferenceMultiMatches(genomesOf(text), multiMatchQuery)
	})
	a.mappability = sync.OnceValue(func() (all []uint32) {
		for _, k := range []int{2, 4, 0} {
			all = append(all, slices.Concat(jobsuites.ReferenceMappability(basesOf(text), k, true)...)...)
		}
		return all
	})
	a.thresholds = sync.OnceValue(func() []jobsuites.ThresholdRun {
		return jobsuites.ReferenceThresholds(withoutEnd(text))
	})
	a.pattern = text[len(text)/2 : min(len(text)/2+2, len(text))]
	for i := range text {
		if len(a.pattern) > 0 && bytes.HasPrefix(text[i:], a.pattern) {
			a.found = append(a.found, uint32(i))
		}
	}
	return a
}

// ErrWrong is the error of an operation whose answer is not the one.
var ErrWrong = errors.New("wrong answer")

// Right is err, or ErrWrong if the answer is not the one.
func Right[T comparable](err error, got, want []T) error {
	if err == nil && !slices.Equal(got, want) {
		return ErrWrong
	}
	return err
}

// WordsOf are the bytes of a text as symbols of 16 bits.
func WordsOf(text []byte) []uint16 {
	words := make([]uint16, len(text))
	for i, c := range text {
		words[i] = uint16(c)
	}
	return words
}
