package mpi_test

import (
	"context"
	"errors"
	"fmt"
	"math"
	"os"
	"runtime"
	"slices"
	"sync"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/suffixcl/suffixcl/internal/hooks"
	"github.com/suffixcl/suffixcl/internal/mpi"
)

// programs are what the test binary does as a rank under mpirun, by the name in rankVariable.
var programs = map[string]func(t *rank){
	"calls":    allCalls,
	"parts":    func(t *rank) { defer mpi.SetMaxPart(7)(); allCalls(t) },
	"pairwise": func(t *rank) { mpi.WithoutLargeCounts(); allCalls(t) },
	"cancel":   cancelled,
	"abort":    aborted,
	"exit":     left,
	"adopt":    adopted,
}

// visitors are those in which the program calls MPI itself, by the thread level.
var visitors = map[string]struct {
	level mpi.ThreadLevel
	run   func(t *rank)
}{
	"visit one":     {mpi.ThreadSerialized, visitsOneByOne},
	"visit several": {mpi.ThreadMultiple, visitsAtOnce},
}

const rankVariable = "SUFFIXCL_MPI_TEST"

// rank is a testing.TB for assertions of a rank: what fails goes to standard error.
type rank struct{ failed bool }

func (r *rank) Errorf(format string, args ...any) {
	r.failed = true
	fmt.Fprintf(os.Stderr, format+"\n", args...)
}

func (r *rank) FailNow() { os.Exit(1) }

// runRank is the main function of a rank.
func runRank(program string) int {
	t := new(rank)
	if v, ok := visitors[program]; ok {
		runtime.LockOSThread()
		provided, multiple, err := mpi.InitAsProgram(v.level)
		require.NoError(t, err)
		require.Equal(t, v.level == mpi.ThreadMultiple, provided == multiple)
		v.run(t)
		require.NoError(t, mpi.FinalizeAsProgram())
		if t.failed {
			return 1
		}
		fmt.Println("rank ended well")
		return 0
	}
	require.False(t, mpi.Initialized())
	require.NoError(t, mpi.Init())
	require.True(t, mpi.Initialized())
	programs[program](t)
	if t.failed {
		return 1
	}
	require.NoError(t, mpi.Finalize())
	assert.False(t, mpi.Initialized())
	assert.ErrorIs(t, mpi.World().Barrier(context.Background()), mpi.ErrFinalized)
	if t.failed {
		return 1
	}
	fmt.Println("rank ended well")
	return 0
}

func allCalls(t *rank) {
	c := mpi.World()
	communicators(t, c)
	for _, part := range []func(*rank, *mpi.Comm){messages, oneToAll, allToAll, reductions, shared, refused} {
		part(t, c)
		require.NoError(t, c.Barrier(context.Background()))
	}
}

func communicators(t *rank, c *mpi.Comm) {
	r, p := c.Rank(), c.Size()
	assert.True(t, 0 <= r && r < p)
	assert.Equal(t, 1, mpi.Self().Size())

	half, err := c.Split(r%2, -r)
	require.NoError(t, err)
	want := (p + 1 - r%2) / 2
	assert.Equal(t, want, half.Size())
	assert.Equal(t, want-1-r/2, half.Rank(), "ordered by key")
	require.NoError(t, half.Free())
	require.NoError(t, half.Free())
	assert.ErrorIs(t, half.Barrier(context.Background()), mpi.ErrFreed)

	color := mpi.Undefined
	if r == 0 {
		color = 5
	}
	only, err := c.Split(color, 0)
	require.NoError(t, err)
	if r == 0 {
		assert.Equal(t, 1, only.Size())
	} else {
		assert.Nil(t, only)
	}
	require.NoError(t, only.Free())

	copied, err := c.Dup()
	require.NoError(t, err)
	assert.Equal(t, []int{r, p}, []int{copied.Rank(), copied.Size()})
	require.NoError(t, copied.Free())
	before := mpi.Wtime()
	time.Sleep(time.Millisecond)
	assert.Greater(t, mpi.Wtime(), before)
}

func messages(t *rank, c *mpi.Comm) {
	ctx, r, p := context.Background(), c.Rank(), c.Size()
	next, previous := (r+1)%p, (r+p-1)%p
	in := make([]uint32, 5)
	require.NoError(t, mpi.Sendrecv(ctx, c, []uint32{uint32(r), 1, 2, 3, math.MaxUint32}, next, in, previous, 3))
	assert.Equal(t, []uint32{uint32(previous), 1, 2, 3, math.MaxUint32}, in)
	if p == 1 {
		return
	}
	type pair struct {
		Key   uint64
		Place [3]int16
	}
	if r == 0 {
		require.NoError(t, mpi.Send(ctx, c, []pair{{1 << 40, [3]int16{-1, 0, 1}}}, 1, 9))
		require.NoError(t, mpi.Send(ctx, c, []pair{}, 1, 10))
	}
	if r == 1 {
		got := make([]pair, 1)
		st, err := mpi.Recv(ctx, c, got, mpi.AnySource, mpi.AnyTag)
		require.NoError(t, err)
		assert.Equal(t, []int{0, 9, 1}, []int{st.Source, st.Tag, st.Count})
		assert.Equal(t, pair{1 << 40, [3]int16{-1, 0, 1}}, got[0])
		st, err = mpi.Recv(ctx, c, got, 0, 10)
		require.NoError(t, err)
		assert.Equal(t, 0, st.Count)
	}
}

func oneToAll(t *rank, c *mpi.Comm) {
	ctx, r, p := context.Background(), c.Rank(), c.Size()
	root := p - 1
	data := make([]float64, 9)
	if r == root {
		data[8] = math.Pi
	}
	require.NoError(t, mpi.Bcast(ctx, c, data, root))
	assert.Equal(t, math.Pi, data[8])

	var all, want []uint16
	for i := range p {
		want = append(want, uint16(i), uint16(i*i))
	}
	if r == root {
		all = make([]uint16, 2*p)
	}
	require.NoError(t, mpi.Gather(ctx, c, []uint16{uint16(r), uint16(r * r)}, all, root))
	if r == root {
		assert.Equal(t, want, all)
	}

	counts, mine, varying := uneven(r, p)
	var result []uint64
	if r == root {
		result = make([]uint64, len(varying))
	}
	require.NoError(t, mpi.Gatherv(ctx, c, mine, result, counts, root))
	if r == root {
		assert.Equal(t, len(varying), len(result))
		assert.True(t, slices.Equal(varying, result))
	}

	every := make([]uint16, 2*p)
	require.NoError(t, mpi.Allgather(ctx, c, []uint16{uint16(r), uint16(r * r)}, every))
	assert.Equal(t, want, every)
	result = make([]uint64, len(varying))
	require.NoError(t, mpi.Allgatherv(ctx, c, mine, result, counts))
	assert.Equal(t, len(varying), len(result))
	assert.True(t, slices.Equal(varying, result))
}

// uneven has r elements of rank r.
func uneven(r, p int) (counts []int, mine, all []uint64) {
	for i := range p {
		counts = append(counts, i)
		part := slices.Repeat([]uint64{uint64(i) << 33}, i)
		if i == r {
			mine = part
		}
		all = append(all, part...)
	}
	return counts, mine, all
}

func allToAll(t *rank, c *mpi.Comm) {
	ctx, r, p := context.Background(), c.Rank(), c.Size()
	var data, want []int32
	for i := range p {
		data = append(data, int32(r), int32(i))
		want = append(want, int32(i), int32(r))
	}
	all := make([]int32, 2*p)
	require.NoError(t, mpi.Alltoall(ctx, c, data, all))
	assert.Equal(t, want, all)

	var (
		out, wanted         []uint64
		outCounts, inCounts []int
	)
	for i := range p { // (r + 2i) % 4 elements from r to i
		outCounts, inCounts = append(outCounts, (r+2*i)%4), append(inCounts, (i+2*r)%4)
		out = append(out, slices.Repeat([]uint64{uint64(100*r + i)}, outCounts[i])...)
		wanted = append(wanted, slices.Repeat([]uint64{uint64(100*i + r)}, inCounts[i])...)
	}
	in := make([]uint64, len(wanted))
	require.NoError(t, mpi.Alltoallv(ctx, c, out, outCounts, in, inCounts))
	assert.True(t, slices.Equal(wanted, in), "%v, not %v", in, wanted)

	const large = 1 << 20 // more than goes without the receiver's help
	one := make([]int, p)
	one[(r+1)%p] = large
	from := make([]int, p)
	from[(r+p-1)%p] = large
	block, got := make([]byte, large), make([]byte, large)
	for i := range block {
		block[i] = byte(i*7 + r)
	}
	if os.Getenv(rankVariable) == "parts" {
		return // 150,000 messages
	}
	require.NoError(t, mpi.Alltoallv(ctx, c, block, one, got, from))
	shift := byte(r - (r+p-1)%p)
	for i := range got {
		if got[i] != block[i]-shift {
			t.Errorf("byte %d of a large block", i)
			break
		}
	}
}

func reductions(t *rank, c *mpi.Comm) {
	ctx, r, p := context.Background(), c.Rank(), c.Size()
	data := make([]uint64, 20)
	for i := range data {
		data[i] = uint64(r+1) << i
	}
	each := func(f func(a, b uint64) uint64) []uint64 {
		result := make([]uint64, len(data))
		for i := range result {
			result[i] = 1 << i
			for q := 1; q < p; q++ {
				result[i] = f(result[i], uint64(q+1)<<i)
			}
		}
		return result
	}
	got := make([]uint64, len(data))
	ops := []func(a, b uint64) uint64{
		mpi.Sum: func(a, b uint64) uint64 { return a + b }, mpi.Prod: func(a, b uint64) uint64 { return a * b },
		mpi.Max: func(a, b uint64) uint64 { return max(a, b) }, mpi.Min: func(a, b uint64) uint64 { return min(a, b) },
		mpi.And: func(a, b uint64) uint64 { return a & b }, mpi.Or: func(a, b uint64) uint64 { return a | b },
		mpi.Xor: func(a, b uint64) uint64 { return a ^ b },
	}
	for op, f := range ops {
		op := mpi.Op(op)
		require.NoError(t, mpi.Allreduce(ctx, c, op, data, got), op)
		assert.Equal(t, each(f), got, op)
	}
	sumOf(t, c, int8(-1), int16(-1), int32(-1), int64(-1), float32(-1.5), -1.5)
	assert.ErrorIs(t, mpi.Allreduce(ctx, c, mpi.And, []float32{1}, []float32{1}), mpi.ErrOp)
	assert.ErrorIs(t, mpi.Allreduce(ctx, c, mpi.Op(99), []uint8{1}, []uint8{1}), mpi.ErrOp)
}

func sumOf(t *rank, c *mpi.Comm, a int8, b int16, d int32, e int64, f float32, g float64) {
	sum(t, c, a)
	sum(t, c, b)
	sum(t, c, d)
	sum(t, c, e)
	sum(t, c, f)
	sum(t, c, g)
}

func sum[T mpi.Number](t *rank, c *mpi.Comm, v T) {
	got := []T{0}
	require.NoError(t, mpi.Allreduce(context.Background(), c, mpi.Sum, []T{v}, got))
	assert.Equal(t, v*T(c.Size()), got[0])
}

func shared(t *rank, c *mpi.Comm) {
	ctx := context.Background()
	node, err := c.SplitShared()
	require.NoError(t, err)
	assert.Equal(t, c.Size(), node.Size(), "one machine")
	w, err := mpi.AllocateShared(node, 1000)
	require.NoError(t, err)
	memory := w.Bytes()
	require.Len(t, memory, 1000)
	memory[node.Rank()] = byte(node.Rank() + 1)
	require.NoError(t, w.Fence(ctx))
	for r := range node.Size() {
		assert.Equal(t, byte(r+1), memory[r])
	}
	require.NoError(t, w.Fence(ctx))
	require.NoError(t, w.Free())
	require.NoError(t, w.Free())
	require.NoError(t, node.Free())
}

func refused(t *rank, c *mpi.Comm) {
	ctx, p := context.Background(), c.Size()
	assert.ErrorIs(t, mpi.Send(ctx, c, []string{"a"}, 0, 0), mpi.ErrNotPlain)
	assert.ErrorIs(t, mpi.Send(ctx, c, []int{1}, 0, 0), mpi.ErrNotPlain)
	assert.ErrorIs(t, mpi.Send(ctx, c, []struct{ P *byte }{{}}, 0, 0), mpi.ErrNotPlain)
	assert.ErrorIs(t, mpi.Send(ctx, c, []byte{1}, p, 0), mpi.ErrRank)
	assert.ErrorIs(t, mpi.Send(ctx, c, []byte{1}, 0, -1), mpi.ErrTag)
	assert.ErrorIs(t, mpi.Bcast(ctx, c, []byte{1}, -1), mpi.ErrRank)
	assert.ErrorIs(t, mpi.Allgather(ctx, c, []byte{1}, make([]byte, p+1)), mpi.ErrCount)
	assert.ErrorIs(t, mpi.Alltoallv(ctx, c, []byte{1}, make([]int, p), nil, make([]int, p)), mpi.ErrCount)
	_, err := mpi.AllocateShared(c, -1)
	assert.ErrorIs(t, err, mpi.ErrSize)
	assert.Error(t, mpi.Init(), "a second time")

	restore := hooks.InjectFaults(func(call string) int32 {
		if call == "MPI_Ibcast" {
			return 1
		}
		return 0
	})
	err = mpi.Bcast(ctx, c, []byte{1}, 0)
	restore()
	var e *mpi.Error
	require.ErrorAs(t, err, &e)
	assert.Equal(t, "MPI_Ibcast", e.Call)
	require.NoError(t, c.Barrier(ctx), "usable again")

	// A message that is too long.
	if _, family, _ := mpi.LibraryVersion(); family == "MPICH" && os.Getenv(rankVariable) == "calls" {
		copied, err := mpi.Self().Dup()
		require.NoError(t, err)
		err = mpi.Sendrecv(ctx, copied, []byte{1, 2, 3}, 0, make([]byte, 1), 0, 1)
		require.ErrorAs(t, err, &e)
		assert.ErrorIs(t, err, mpi.ErrTruncate)
		require.NoError(t, copied.Free())
	}
}

// allCancelled is the exit status of cancelled if no rank failed.
const allCancelled = 3

// cancelled waits for a message that nobody sends.
func cancelled(t *rank) {
	c, err := mpi.World().Dup()
	require.NoError(t, err)
	ctx, cancel := context.WithTimeout(context.Background(), 50*time.Millisecond)
	defer cancel()
	began := time.Now()
	_, err = mpi.Recv(ctx, c, make([]byte, 1), 0, 1)
	assert.ErrorIs(t, err, context.DeadlineExceeded)
	assert.Less(t, time.Since(began), time.Minute)
	err = c.Barrier(context.Background())
	assert.ErrorIs(t, err, mpi.ErrBroken)
	assert.ErrorIs(t, err, context.DeadlineExceeded, "the reason")
	require.NoError(t, mpi.World().Barrier(context.Background()), "others are usable")
	assert.ErrorIs(t, mpi.Finalize(), mpi.ErrBroken)

	done, stop := context.WithCancelCause(context.Background())
	reason := errors.New("reason")
	stop(reason)
	assert.ErrorIs(t, mpi.World().Barrier(done), reason)
	require.NoError(t, mpi.World().Barrier(context.Background()), "nothing was begun")

	// The exit status tells of all ranks: a launcher may lose what a rank printed just before the abort.
	failed, all := []int32{0}, []int32{1}
	if t.failed {
		failed[0] = 1
	}
	require.NoError(t, mpi.Allreduce(context.Background(), mpi.World(), mpi.Sum, failed, all))
	if all[0] == 0 {
		mpi.World().Abort(allCancelled)
	}
	mpi.World().Abort(1)
}

// aborted has the last rank abort while the others wait for it.
func aborted(t *rank) {
	c := mpi.World()
	if c.Rank() == c.Size()-1 {
		time.Sleep(100 * time.Millisecond)
		c.Abort(42)
	}
	c.Barrier(context.Background())
	t.Errorf("the barrier returned")
}

// left has a rank end without Finalize.
func left(t *rank) {
	c := mpi.World()
	if c.Rank() == c.Size()-1 {
		os.Exit(7)
	}
	c.Barrier(context.Background())
	t.Errorf("the barrier returned")
}

// adopted uses the handle that a program would hand over.
func adopted(t *rank) {
	handle, known := mpi.FortranOf()
	require.True(t, known)
	c, err := mpi.FromFortran(handle)
	require.NoError(t, err)
	assert.Equal(t, mpi.World().Size(), c.Size())
	require.NoError(t, c.Barrier(context.Background()))
	require.NoError(t, c.Free())

	// No communicators: refused on all ranks, and by nobody's error handler, which would end the program.
	for _, handle := range []int32{mpi.NullFortran(), 1 << 20, math.MaxInt32} {
		_, err := mpi.FromFortran(handle)
		assert.ErrorIs(t, err, mpi.ErrComm, "%d", handle)
	}
	err = mpi.Visit(handle, func(*mpi.Comm) error { return nil })
	assert.ErrorContains(t, err, "main thread", "which initialised MPI is another one")
}

// twoHandles are communicators of a program.
func twoHandles(t *rank) (handles [2]int32) {
	for i := range handles {
		var err error
		handles[i], err = mpi.DuplicateAsProgram()
		require.NoError(t, err)
	}
	return handles
}

// worldHandler is the error handler of the world.
func worldHandler(t *rank) uint64 {
	h, err := mpi.WorldHandler()
	require.NoError(t, err)
	return h
}

func barrier(c *mpi.Comm) error { return c.Barrier(context.Background()) }

// visitsOneByOne has a second visit while one goes on, and after it.
func visitsOneByOne(t *rank) {
	handles, before := twoHandles(t), worldHandler(t)
	require.NoError(t, mpi.Visit(handles[0], func(c *mpi.Comm) error {
		err := mpi.Visit(handles[1], barrier)
		assert.ErrorContains(t, err, "another call")
		assert.ErrorContains(t, err, "MPI_THREAD_MULTIPLE")
		return barrier(c)
	}))
	for _, handle := range handles {
		require.NoError(t, mpi.Visit(handle, barrier))
	}
	assert.Equal(t, before, worldHandler(t))
}

// visitsAtOnce has two visits at once, and the program's error handler after them.
func visitsAtOnce(t *rank) {
	handles, before := twoHandles(t), worldHandler(t)
	inside, errs := make(chan struct{}), make([]error, 2)
	var both sync.WaitGroup
	for i, handle := range handles {
		both.Go(func() {
			errs[i] = mpi.Visit(handle, func(c *mpi.Comm) error {
				select { // the other one is there, too
				case inside <- struct{}{}:
				case <-inside:
				}
				return barrier(c)
			})
			for range 50 {
				errs[i] = errors.Join(errs[i], mpi.Visit(handle, barrier))
			}
		})
	}
	both.Wait()
	require.NoError(t, errors.Join(errs...))
	assert.Equal(t, before, worldHandler(t))

	// The first one leaves first.
	second, left := make(chan struct{}), make(chan struct{})
	both.Go(func() {
		errs[0] = mpi.Returning(func() error {
			both.Go(func() {
				errs[1] = mpi.Returning(func() error {
					close(second)
					<-left
					assert.NotEqual(t, before, worldHandler(t), "errors are returned still")
					return nil
				})
			})
			<-second
			return nil
		})
		close(left)
	})
	both.Wait()
	require.NoError(t, errors.Join(errs...))
	assert.Equal(t, before, worldHandler(t))
}
