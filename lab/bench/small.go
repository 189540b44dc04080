package bench

import (
	"context"
	"encoding/binary"
	"fmt"
	"hash/fnv"
	"index/suffixarray"
	"io"
	"slices"
	"time"
	"unsafe"

	"github.com/suffixcl/suffixcl"
)

// SmallRun is a call for one small text, or a stream of many, host to host on an open engine. Times are in seconds: the
// best of several runs, and the median.
type SmallRun struct {
	Texts     int     `json:"texts"`     // 1: a call of SuffixArray; else a stream
	Bytes     int     `json:"bytes"`     // of each
	Algorithm string  `json:"algorithm"` // that AlgorithmAuto chose
	Seconds   float64 `json:"seconds"`
	Median    float64 `json:"median_seconds"`
	Others    float64 `json:"others_seconds"` // best of the sorter of long texts
	Go        float64 `json:"go_seconds"`     // best of index/suffixarray on one core
}

// SmallTexts are the calls and streams that Small measures: pairs of texts and bytes.
var SmallTexts = [][2]int{
	{1, 16}, {1, 1 << 10}, {1, 1 << 12}, {1, 1 << 14}, {1, 1 << 16}, {1, 1 << 20}, {10_000, 1 << 10}, {2000, 1 << 14},
}

// Small measures small texts, parts of a longer one, in so many runs. The sorters do not take turns: a GPU takes
// 0.1 ms and more from one context to another. auto has AlgorithmAuto, others an algorithm for long texts. Their
// results are compared.
func Small(
	ctx context.Context, auto, others *suffixcl.Engine, text []byte, texts, bytes, runs int,
) (r SmallRun, err error) {
	if len(text) == 0 {
		return r, fmt.Errorf("no text")
	}
	for len(text) < bytes+1000 {
		text = append(text[:len(text):len(text)], text...)
	}
	all := make([][]byte, texts)
	for i := range all {
		all[i] = text[i*97%(len(text)-bytes+1):][:bytes]
	}
	r = SmallRun{Texts: texts, Bytes: bytes}
	var st suffixcl.Stats
	var first, second digester
	jobs := []func(look *digester) error{
		func(look *digester) error { return sortAll(suffixcl.WithStats(ctx, &st), auto, all, look) },
		func(look *digester) error { return sortAll(ctx, others, all, look) },
		func(*digester) error { return goAll(all) },
	}
	looks := []*digester{&first, &second, nil}
	times := make([][]float64, len(jobs))
	for i, job := range jobs {
		if times[i], err = timedRuns(runs, job, looks[i]); err != nil {
			return r, err
		}
	}
	if first != second {
		return r, wrong("%d texts of %d bytes: the sorters differ", texts, bytes)
	}
	r.Algorithm = string(st.Algorithm)
	r.Seconds, r.Median, r.Others, r.Go = times[0][0], times[0][runs/2], times[1][0], times[2][0]
	return r, nil
}

// timedRuns are the times of a job in ascending order. A run that is not timed comes first. Its results are looked at.
func timedRuns(runs int, job func(*digester) error, look *digester) ([]float64, error) {
	if err := job(look); err != nil {
		return nil, err
	}
	times := make([]float64, runs)
	for i := range times {
		began := time.Now()
		if err := job(nil); err != nil {
			return nil, err
		}
		times[i] = time.Since(began).Seconds()
	}
	slices.Sort(times)
	return times, nil
}

// digester sums up suffix arrays.
type digester struct{ sum uint64 }

func (d *digester) add(sa []uint32) {
	if d == nil {
		return
	}
	h := fnv.New64a()
	var word [8]byte
	binary.LittleEndian.PutUint64(word[:], d.sum)
	h.Write(word[:])
	if len(sa) > 0 {
		h.Write(unsafe.Slice((*byte)(unsafe.Pointer(&sa[0])), 4*len(sa)))
	}
	d.sum = h.Sum64()
}

// sortAll sorts one text by a call, more by a stream.
func sortAll(ctx context.Context, e *suffixcl.Engine, texts [][]byte, look *digester) error {
	if len(texts) == 1 {
		sa, err := e.SuffixArray(ctx, texts[0])
		look.add(sa)
		return err
	}
	next := 0
	read := func(to []byte) (int, error) {
		if next == len(texts) {
			return 0, io.EOF
		}
		next++
		return copy(to, texts[next-1]), nil
	}
	for made, err := range e.Stream(len(texts[0]), read, suffixcl.Want{SA: true}).Each(ctx) {
		if err != nil {
			return err
		}
		look.add(made.SA)
	}
	return nil
}

// goAll sorts by index/suffixarray.
func goAll(texts [][]byte) error {
	for _, text := range texts {
		suffixarray.New(text)
	}
	return nil
}
