package distributed_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/suffixcl/suffixcl"
	"github.com/suffixcl/suffixcl/cl"
	"github.com/suffixcl/suffixcl/conformance"
	"github.com/suffixcl/suffixcl/device"
	"github.com/suffixcl/suffixcl/distributed"
	"github.com/suffixcl/suffixcl/internal/testkit/devicetest"
)

// inRanges are the results that ranks have put together.
type inRanges struct {
	sa, lcp   []uint32
	transform []byte
	primary   []int // of each rank
	stats     []distributed.Stats

	again bool // entries may come twice

	mu sync.Mutex
}

// unwritten is no entry of a result.
const unwritten = 1<<32 - 1

func newInRanges(n int) *inRanges {
	w := &inRanges{sa: make([]uint32, n), lcp: make([]uint32, n)}
	for i := range w.sa {
		w.sa[i], w.lcp[i] = unwritten, unwritten
	}
	w.transform = make([]byte, n)
	return w
}

// put takes a block, of which nothing may be there.
func (w *inRanges) put(b suffixcl.SuffixBlock) error {
	w.mu.Lock()
	defer w.mu.Unlock()
	for _, part := range []struct {
		to    []uint32
		first int
		from  []uint64
	}{{w.sa, b.First, b.Positions}, {w.lcp, b.LCPFirst, b.LCP}} {
		for i, v := range part.from {
			if part.to[part.first+i] != unwritten && !w.again {
				return fmt.Errorf("entry %d comes twice", part.first+i)
			}
			part.to[part.first+i] = uint32(v)
		}
	}
	copy(w.transform[b.TransformFirst:], b.Transform)
	return nil
}

// rangesJob is what ranks of a test do: o is wanted, yield and the progress of rank 1 may be nil.
type rangesJob struct {
	o        distributed.RangeOptions
	yield    func(rank int) error
	progress func(phase string, done, total int64)
	keep     distributed.RangeKeeper // of rank 0, and of the others what counts there
	into     *inRanges               // what was there before; may be nil
}

// sort has ranks of this process sort a text.
func (j rangesJob) sort(ctx context.Context, s []*device.Session, ranks []distributed.Communicator, text []byte) (
	*inRanges, error) {
	n := len(text)
	w := j.into
	if w == nil {
		w = newInRanges(n)
	}
	w.primary, w.stats = make([]int, len(ranks)), make([]distributed.Stats, len(ranks))
	errs := make([]error, len(ranks))
	var wg sync.WaitGroup
	for r, c := range ranks {
		wg.Go(func() {
			var options distributed.Options
			if r == 1 {
				options.Progress = j.progress
			}
			b := distributed.New(c, s[r], options)
			keep := distributed.RangeKeeper{Flush: j.keep.Flush}
			if r == 0 {
				keep = j.keep
			}
			yield := func(b suffixcl.SuffixBlock) error {
				if j.yield != nil {
					if err := j.yield(r); err != nil {
						return err
					}
				}
				return w.put(b)
			}
			w.primary[r], errs[r] = b.SuffixRangesAt(ctx, bytes.NewReader(text), n, j.o, keep, yield)
			w.stats[r] = b.Stats()
		})
	}
	wg.Wait()
	return w, errors.Join(errs...)
}

// node is a rank that is on a node of its own.
type node struct{ distributed.Communicator }

func (c node) Shared(_ context.Context, n int) (distributed.Memory, error) {
	return nodeMemory{make([]byte, n), c.Rank()}, nil
}

type nodeMemory struct {
	memory []byte
	leader int
}

func (m nodeMemory) Bytes() []byte               { return m.memory }
func (m nodeMemory) Leader() int                 { return m.leader }
func (m nodeMemory) Fence(context.Context) error { return nil }
func (m nodeMemory) Free() error                 { return nil }

var everything = rangesJob{o: distributed.RangeOptions{Transform: true, LCP: true}}

// TestRanges has texts of all classes sorted in ranges by ranks: on one node, and, with positions of 64 bits, on
// several.
func TestRanges(t *testing.T) {
	s := sessions(t, 3)
	for p, nodes := range map[int]bool{1: false, 2: false, 3: true} {
		t.Run(fmt.Sprint(p), func(t *testing.T) {
			ranks := distributed.Local(p)
			if nodes {
				defer distributed.SetWide(1)()
				for r, c := range ranks {
					ranks[r] = node{c}
				}
			}
			at := 0
			for _, n := range []int{2, 25, 400} {
				defer distributed.SetRangeCapacity(max(n/5, 4))()
				for class, text := range conformance.Texts(n, 34) {
					if at++; at%9 != 2*p && os.Getenv("SUFFIXCL_SOAK") == "" { // others have other numbers of ranks
						continue
					}
					got, err := everything.sort(t.Context(), s, ranks, text)
					require.NoError(t, err, "%s of %d", class, len(text))
					got.check(t, text, fmt.Sprintf("%s of %d", class, len(text)))
				}
			}
		})
	}
}

// check compares the results with those of the oracle.
func (w *inRanges) check(t *testing.T, text []byte, name string) {
	sa := conformance.ReferenceSuffixArray(text)
	transform, primary := conformance.ReferenceBWT(text, sa)
	require.Equal(t, sa, w.sa, name)
	require.Equal(t, conformance.ReferenceLCP(text, sa), w.lcp, name)
	require.Equal(t, transform, w.transform, name)
	require.Equal(t, slices.Repeat([]int{primary}, len(w.primary)), w.primary, name)
}

// TestRangesStats has every byte counted, all suffixes shared out, and nothing sent that grows with the text.
func TestRangesStats(t *testing.T) {
	s, text := sessions(t, 3), must(conformance.NewText("random/sigma=4", 20000, 3))
	for _, nodes := range []bool{false, true} {
		ranks := distributed.Local(3)
		if nodes {
			for r, c := range ranks {
				ranks[r] = node{c}
			}
		}
		got, err := rangesJob{}.sort(t.Context(), s, ranks, text)
		require.NoError(t, err)
		shares, blocks, sent, received := 0, 0, int64(0), int64(0)
		const each = 25_000 // of the survey, errors and messages, whatever the length
		for r, stats := range got.stats {
			shares, blocks = shares+stats.Share, blocks+stats.Ranges
			sent, received = sent+stats.BytesSent, received+stats.BytesReceived
			assert.Less(t, stats.BytesSent, int64(each), "rank %d", r)
		}
		assert.Equal(t, sent, received)
		assert.Equal(t, len(text), shares)
		assert.GreaterOrEqual(t, blocks, 3*6)
	}
}

// TestRangesRefused has ranks that do not want the same, texts that are not the same, or end too soon, and devices that
// have no memory.
func TestRangesRefused(t *testing.T) {
	s, text := sessions(t, 2), must(conformance.NewText("versions", 1000, 1))
	call := func(s []*device.Session, ranks []distributed.Communicator, of func(rank int) (io.ReaderAt, int),
		yield func(rank int) error) []error {
		errs := make([]error, len(ranks))
		var wg sync.WaitGroup
		for r, c := range ranks {
			wg.Go(func() {
				file, length := of(r)
				_, errs[r] = distributed.New(c, s[r], distributed.Options{}).SuffixRangesAt(t.Context(), file, length,
					distributed.RangeOptions{}, distributed.RangeKeeper{}, func(suffixcl.SuffixBlock) error { return yield(r) })
			})
		}
		wg.Wait()
		return errs
	}
	good := func(int) error { return nil }
	same := func(int) (io.ReaderAt, int) { return bytes.NewReader(text), len(text) }
	for r, err := range call(s, distributed.Local(2), func(r int) (io.ReaderAt, int) {
		return bytes.NewReader(text), len(text) - r
	}, good) {
		require.ErrorIs(t, err, distributed.ErrDiffer, r)
	}
	for r, err := range call(s, []distributed.Communicator{node{distributed.Local(1)[0]}},
		func(int) (io.ReaderAt, int) { return bytes.NewReader(text), len(text) + 1 }, good) {
		require.ErrorContains(t, err, "the text ends after 1000 bytes of 1001", r)
	}
	ranks := distributed.Local(2)
	for r, err := range call(s, []distributed.Communicator{node{ranks[0]}, node{ranks[1]}},
		func(r int) (io.ReaderAt, int) {
			mine := slices.Clone(text)
			mine[500] += byte(r)
			return bytes.NewReader(mine), len(text)
		}, good) {
		require.ErrorIs(t, err, distributed.ErrDiffer, r)
	}
	full := errors.New("disk full")
	for r, err := range call(s, distributed.Local(2), same, func(r int) error {
		if r == 1 {
			return full
		}
		return nil
	}) {
		if r == 1 {
			require.ErrorIs(t, err, full)
		}
		require.ErrorContains(t, err, "rank 1: disk full")
	}
	small, err := device.Open(device.Config{Device: devicetest.Devices(t)[0], MaxMemory: 20_000, CacheDir: "off"})
	require.NoError(t, err)
	defer small.Close()
	for r, err := range call([]*device.Session{s[0], small}, distributed.Local(2), same, good) {
		require.ErrorContains(t, err, "rank 1: ", r)
		require.Equal(t, r == 1, device.IsTooLarge(err), err)
	}
	empty := func(int) (io.ReaderAt, int) { return bytes.NewReader(nil), 0 }
	require.NoError(t, errors.Join(call(s, distributed.Local(2), empty, good)...))
	ctx, cancel := context.WithCancel(t.Context())
	_, err = rangesJob{yield: func(int) error { cancel(); return nil }}.sort(ctx, s, distributed.Local(2), text)
	require.ErrorIs(t, err, context.Canceled)
	for r, s := range s {
		require.Zero(t, s.LiveBytes(), r)
	}
	got, err := everything.sort(t.Context(), s, distributed.Local(2), text)
	require.NoError(t, err)
	got.check(t, text, "after errors")
}

// TestFailingRanges has every call to the driver fail from each phase of rank 1 on: all ranks end soon, with the
// reason, and sort afterwards.
func TestFailingRanges(t *testing.T) {
	s, text := sessions(t, 3), must(conformance.NewText("versions", 500, 2))
	var phases []string
	sort := func(progress func(string, int64, int64)) error {
		got, err := rangesJob{o: everything.o, progress: progress}.sort(t.Context(), s, distributed.Local(3), text)
		if err == nil {
			got.check(t, text, "")
		}
		return err
	}
	require.NoError(t, sort(func(phase string, _, _ int64) {
		if !slices.Contains(phases, phase) {
			phases = append(phases, phase)
		}
	}))
	want := []string{"read", "text", "sample", "names of the sample", "ranges"}
	if s[0].Caps().CPUShape { // whose period is small enough for names that are the same
		want = slices.Insert(want, 4, "LCP array of the sample", "ranks of the sample")
	}
	require.Equal(t, want, phases)
	for _, phase := range phases {
		for _, code := range []cl.Code{cl.MemObjectAllocationFailure, cl.OutOfResources} {
			failed := failFrom(t, phase, code, sort)
			assert.True(t, failed, phase)
		}
	}
	for r, s := range s {
		require.Zero(t, s.LiveBytes(), r)
	}
	require.NoError(t, sort(nil))
}

// TestRangesKept ends ranks after some ranges. Others go on: what was finished is not sorted again.
func TestRangesKept(t *testing.T) {
	s := sessions(t, 3)
	defer distributed.SetRangeCapacity(60)()
	text, err := conformance.NewText("random/sigma=4", 900, 5)
	require.NoError(t, err)
	want, err := everything.sort(t.Context(), s, distributed.Local(2), text)
	require.NoError(t, err)
	enough := errors.New("enough")
	for _, p := range []int{1, 2, 3} {
		for _, finished := range []int{1, 4, 9} {
			name := fmt.Sprintf("%d ranks, %d ranges", p, finished)
			var state distributed.RangeState
			var flushed atomic.Int64
			j := everything
			j.keep.Flush = func() error {
				flushed.Add(1)
				return nil
			}
			j.keep.Saved = func(now distributed.RangeState) error {
				if state.Finished() == finished {
					return enough
				}
				state = now
				state.Sizes = slices.Clone(now.Sizes)
				assert.GreaterOrEqual(t, int(flushed.Load()), state.Finished(), name)
				return nil
			}
			j.into, err = j.sort(t.Context(), s, distributed.Local(p), text)
			require.ErrorIs(t, err, enough, name)
			require.Equal(t, finished, state.Finished(), name)

			left := len(text)
			for _, size := range state.Sizes {
				left -= max(size, 0)
			}
			j.into.again = true // what is not finished may be there, too
			j.keep = distributed.RangeKeeper{From: state, Saved: func(now distributed.RangeState) error {
				state = now
				return nil
			}}
			got, err := j.sort(t.Context(), s, distributed.Local(4-p), text)
			require.NoError(t, err, name)
			require.Equal(t, want.sa, got.sa, name)
			require.Equal(t, want.lcp, got.lcp, name)
			require.Equal(t, want.transform, got.transform, name)
			require.Equal(t, want.primary[0], got.primary[0], name)
			require.Equal(t, len(state.Bounds)+1, state.Finished(), name)
			for _, of := range got.stats {
				left -= of.Share
			}
			require.Zero(t, left, name)
		}
	}
	j := everything
	j.keep.From = distributed.RangeState{Bounds: []int{1, 2}, Sizes: []int{3, -1}}
	_, err = j.sort(t.Context(), s, distributed.Local(2), text)
	require.ErrorContains(t, err, "not a state of a text of 900 characters")
}

// A state that cannot be kept is an error of all ranks, also that of the last range, when rank 0 has none left to sort.
func TestRangesNotKept(t *testing.T) {
	s := sessions(t, 2)
	defer distributed.SetRangeCapacity(60)()
	text, err := conformance.NewText("random/sigma=4", 900, 5)
	require.NoError(t, err)
	for _, left := range []int{0, 1} {
		full := errors.New("disk full")
		failures := 0
		j := everything
		j.yield = func(rank int) error {
			if rank == 1 {
				time.Sleep(50 * time.Millisecond)
			}
			return nil
		}
		j.keep.Saved = func(now distributed.RangeState) error {
			if now.Finished() >= len(now.Sizes)-left {
				failures++
				return full
			}
			return nil
		}
		ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
		_, err := j.sort(ctx, s, distributed.Local(2), text)
		cancel()
		require.ErrorIs(t, err, full)
		require.ErrorContains(t, err, "rank 0: disk full", "the other rank")
		require.Equal(t, 1, failures)
	}
}
