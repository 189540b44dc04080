package builders

import (
	"bytes"
	"context"
	"fmt"
	"reflect"

	"github.com/suffixcl/suffixcl/device"
	"github.com/suffixcl/suffixcl/internal/fmd"
	"github.com/suffixcl/suffixcl/internal/rlbwt"
	"github.com/suffixcl/suffixcl/internal/testkit/jobsuites"
)

// RLBWTOf gives the suite the index of strings. One that is made of its runs answers as well, and its file is that of
// these runs.
func RLBWTOf(s *device.Session) func(context.Context, [][]byte) (jobsuites.RunLengthBWT, error) {
	return func(ctx context.Context, strings [][]byte) (r jobsuites.RunLengthBWT, err error) {
		codes := codesOf(strings)
		if err := prepare(s, codes); err != nil {
			return r, err
		}
		x, err := rlbwt.New(s)
		if err != nil {
			return r, err
		}
		defer x.Release()
		if err := x.Append(ctx, codes); err != nil {
			return r, err
		}
		if r, err = answersOf(ctx, x); err != nil {
			return r, err
		}
		if err := compareFile(ctx, x); err != nil {
			return r, err
		}
		loaded, err := rlbwt.Load(ctx, s, func(yield fmd.Yield) error { return x.RunParts(ctx, yield) })
		if err != nil {
			return r, err
		}
		defer loaded.Release()
		again, err := answersOf(ctx, loaded)
		if err == nil && !reflect.DeepEqual(again, r) {
			err = fmt.Errorf("an index of the runs has %v, that of the strings %v", again, r)
		}
		return r, err
	}
}

// compareFile compares the file of an index with what the host makes of its runs.
func compareFile(ctx context.Context, x *rlbwt.Index) error {
	var host fmd.Encoder
	var want, got bytes.Buffer
	err := x.Runs(ctx, func(r fmd.Run) error {
		host.Add(r)
		return nil
	})
	if err == nil {
		_, err = host.WriteTo(&want)
	}
	if err != nil {
		return err
	}
	f, err := x.File(ctx)
	if err != nil {
		return err
	}
	defer f.Release()
	if _, err = f.WriteTo(ctx, &got); err == nil && !bytes.Equal(want.Bytes(), got.Bytes()) {
		err = fmt.Errorf("the file of the index is %x, that of its runs %x", got.Bytes(), want.Bytes())
	}
	return err
}

// RLBWTMergeOf gives the suite the runs of strings that come in batches.
func RLBWTMergeOf(s *device.Session) func(context.Context, [][][]byte) ([]jobsuites.LetterRun, error) {
	return func(ctx context.Context, batches [][][]byte) ([]jobsuites.LetterRun, error) {
		for _, strings := range batches {
			if err := prepare(s, codesOf(strings)); err != nil {
				return nil, err
			}
		}
		x, err := rlbwt.New(s)
		if err != nil {
			return nil, err
		}
		defer x.Release()
		for _, strings := range batches {
			if err := x.Append(ctx, codesOf(strings)); err != nil {
				return nil, err
			}
		}
		return runsOf(ctx, x)
	}
}

// prepare plans all programs: a session without a device gets no further.
func prepare(s *device.Session, codes []byte) error {
	rlbwt.Prepare(s)
	if len(codes) == 0 {
		return nil
	}
	strings, letters := bytes.Count(codes, []byte{0}), 0
	for c := byte(1); c < fmd.Letters; c++ {
		if bytes.IndexByte(codes, c) >= 0 {
			letters++
		}
	}
	return rlbwt.PrepareSorting(s, len(codes), strings, letters)
}

// codesOf are strings, each with its end, as an index takes them.
func codesOf(strings [][]byte) (codes []byte) {
	for _, text := range strings {
		for _, c := range text {
			codes = append(codes, byte(bytes.IndexByte([]byte(jobsuites.RLBWTLetters), c)))
		}
		codes = append(codes, 0)
	}
	return codes
}

func runsOf(ctx context.Context, x *rlbwt.Index) (runs []jobsuites.LetterRun, err error) {
	err = x.Runs(ctx, func(r fmd.Run) error {
		runs = append(runs, jobsuites.LetterRun{Letter: jobsuites.RLBWTLetters[r.Letter], Length: r.Len})
		return nil
	})
	return runs, err
}

// answersOf are all that an index tells.
func answersOf(ctx context.Context, x *rlbwt.Index) (r jobsuites.RunLengthBWT, err error) {
	if r.Runs, err = runsOf(ctx, x); err != nil {
		return r, err
	}
	var letters []byte
	var rows, numbers []uint64
	for row := range x.Len() + 1 {
		for c := range byte(fmd.Letters) {
			letters, rows = append(letters, c), append(rows, row)
		}
	}
	counts, err := x.Rank(ctx, letters, rows)
	if err != nil {
		return r, err
	}
	for ; len(counts) > 0; counts = counts[fmd.Letters:] {
		r.Ranks = append(r.Ranks, [fmd.Letters]uint64(counts))
	}
	if all := x.Counts(); all != r.Ranks[x.Len()] {
		return r, fmt.Errorf("the index counts %v, and %v at its end", all, r.Ranks[x.Len()])
	}
	for i := range x.Strings() {
		numbers = append(numbers, i)
	}
	err = x.Extract(ctx, numbers, func(_ int, codes []byte, row uint64) error {
		text := make([]byte, len(codes))
		for i, c := range codes {
			text[i] = jobsuites.RLBWTLetters[c]
		}
		r.Strings, r.Rows = append(r.Strings, text), append(r.Rows, row)
		return nil
	})
	return r, err
}
