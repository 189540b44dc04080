package builders

import (
	"context"
	"fmt"
	"reflect"
	"slices"

	"github.com/suffixcl/suffixcl"
	"github.com/suffixcl/suffixcl/internal/testkit/jobsuites"
)

// letters are those of the suites of genomes that match.
const letters = "acgt"

func setOf(texts [][]byte) (*suffixcl.Collection, error) { return suffixcl.JoinTexts('\n', texts...) }

// MatchesOf gives the suite the matches between a reference and queries.
func MatchesOf(e *suffixcl.Engine) func(
	ctx context.Context, reference, queries [][]byte, q jobsuites.MatchQuery) ([]jobsuites.SequenceMatch, error) {
	return func(
		ctx context.Context, reference, queries [][]byte, q jobsuites.MatchQuery,
	) (found []jobsuites.SequenceMatch, err error) {
		r, err := setOf(reference)
		if err != nil {
			return nil, err
		}
		s, err := setOf(queries)
		if err != nil {
			return nil, err
		}
		o := suffixcl.MatchOptions{MinLength: q.Least, Letters: letters, Kind: map[string]suffixcl.MatchKind{
			"reference": suffixcl.UniqueInReference, "mum": suffixcl.MaximalUnique, "mem": suffixcl.MaximalExact}[q.Kind]}
		if q.Both {
			o.Strands = suffixcl.BothStrands
		}
		found = []jobsuites.SequenceMatch{}
		for part, err := range e.Matches(suffixcl.Set(r), suffixcl.Set(s), o).Each(ctx) {
			if err != nil {
				return nil, err
			}
			for _, m := range part.Matches {
				text, at, _ := r.Find(int(m.Reference))
				found = append(found, jobsuites.SequenceMatch{Reference: text, Query: part.Text, Reverse: part.Reverse,
					ReferenceAt: uint32(at), QueryAt: m.Query, Length: m.Length})
			}
		}
		return found, nil
	}
}

// MappabilityOf gives the suite the values of each k. Without shortest unique substrings they are counted another way:
// error: then they are others.
func MappabilityOf(e *suffixcl.Engine) func(
	ctx context.Context, texts [][]byte, q jobsuites.MappabilityQuery) ([][][]uint32, error) {
	return func(ctx context.Context, texts [][]byte, q jobsuites.MappabilityQuery) ([][][]uint32, error) {
		set, err := setOf(texts)
		if err != nil {
			return nil, err
		}
		last := len(q.K) - 1 // 0: shortest unique substrings
		o := suffixcl.MappabilityOptions{K: q.K[:last], Unique: true, BothStrands: q.Both, Letters: letters}
		all, err := mappabilityOf(ctx, e, set, o)
		if err != nil || last == 0 {
			return all, err
		}
		o.Unique = false
		alone, err := mappabilityOf(ctx, e, set, o)
		if err == nil && !reflect.DeepEqual(alone, all[:last]) {
			err = fmt.Errorf("%d-mers, both strands %v: counted by hashes %v, with unique substrings %v", o.K, q.Both, alone,
				all[:last])
		}
		return all, err
	}
}

// mappabilityOf are the values of each length, for each text.
func mappabilityOf(
	ctx context.Context, e *suffixcl.Engine, set *suffixcl.Collection, o suffixcl.MappabilityOptions,
) ([][][]uint32, error) {
	lengths := slices.Clone(o.K)
	if o.Unique {
		lengths = append(lengths, 0)
	}
	values := make([][][]uint32, len(lengths))
	for i := range values {
		values[i] = make([][]uint32, set.Count())
		for t := range values[i] {
			values[i][t] = []uint32{}
		}
	}
	i := 0
	for m, err := range e.Mappability(suffixcl.Set(set), o).Each(ctx) {
		if err != nil {
			return nil, err
		}
		for m.K != lengths[i] {
			i++
		}
		values[i][m.Text] = append(values[i][m.Text], m.Values...)
	}
	return values, nil
}

// MultiMatchesOf gives the suite the matches of several genomes.
func MultiMatchesOf(e *suffixcl.Engine) func(
	ctx context.Context, genomes [][][]byte, q jobsuites.MultiMatchQuery) ([]jobsuites.MultiMatch, error) {
	return func(
		ctx context.Context, genomes [][][]byte, q jobsuites.MultiMatchQuery,
	) (found []jobsuites.MultiMatch, err error) {
		sets, inputs := make([]*suffixcl.Collection, len(genomes)), make([]suffixcl.Text, len(genomes))
		for i, texts := range genomes {
			if sets[i], err = setOf(texts); err != nil {
				return nil, err
			}
			inputs[i] = suffixcl.Set(sets[i])
		}
		o := suffixcl.MultiMatchOptions{MinLength: q.Least, MinGenomes: q.Genomes, MostEach: q.MostEach,
			BothStrands: q.Both, Letters: letters}
		found = []jobsuites.MultiMatch{}
		for m, err := range e.MultiMatches(inputs, o).Each(ctx) {
			if err != nil {
				return nil, err
			}
			at := m.Occurrences[0]
			substring := sets[at.Genome].Text(int(at.Text))[at.Position : at.Position+m.Length]
			if at.Reverse {
				one, err := suffixcl.JoinTexts('\n', substring)
				if err == nil {
					one, err = one.BothStrands('\n')
				}
				if err != nil {
					return nil, err
				}
				substring = one.Text(1)
			}
			found = append(found, jobsuites.MultiMatch{Substring: string(substring), Count: len(m.Occurrences)})
		}
		return found, nil
	}
}

// ThresholdsOf gives the suite the runs of a text.
func ThresholdsOf(e *suffixcl.Engine) func(ctx context.Context, text []byte) ([]jobsuites.ThresholdRun, error) {
	return func(ctx context.Context, text []byte) ([]jobsuites.ThresholdRun, error) {
		made, err := e.Arrays(suffixcl.Bytes(text), suffixcl.Want{Runs: true}).All(ctx)
		if err != nil {
			return nil, err
		}
		found := made.Runs
		runs := make([]jobsuites.ThresholdRun, len(found.Letters))
		for k, letter := range found.Letters {
			runs[k] = jobsuites.ThresholdRun{Letter: letter, Start: found.Starts[k], Threshold: found.Thresholds[k]}
		}
		return runs, nil
	}
}
