package distributed

import (
	"context"
	"math"
	"time"
	"unsafe"

	"github.com/suffixcl/suffixcl/internal/addressspace"
	"github.com/suffixcl/suffixcl/internal/limits"
)

func bytesOf[T any](v []T) []byte {
	if len(v) == 0 {
		return nil
	}
	return unsafe.Slice((*byte)(unsafe.Pointer(&v[0])), len(v)*int(unsafe.Sizeof(v[0])))
}

// scaled are counts of T as counts of bytes.
func scaled[T any](counts []int) []int {
	size := int(unsafe.Sizeof(*new(T)))
	all := make([]int, len(counts))
	for i, n := range counts {
		all[i] = n * size
	}
	return all
}

func sum(counts []int) int {
	total := 0
	for _, n := range counts {
		total += n
	}
	return total
}

// gathered has what each rank gave, of one length for all.
func gathered[T any](r *rank, mine ...T) ([]T, error) {
	counts := make([]int, r.comm.Size())
	for i := range counts {
		counts[i] = len(mine)
	}
	return gatheredv(r, mine, counts)
}

func gatheredv[T any](r *rank, mine []T, counts []int) ([]T, error) {
	defer r.communicates(time.Now())
	all := make([]T, sum(counts))
	err := r.comm.Allgatherv(r.ctx, bytesOf(mine), bytesOf(all), scaled[T](counts))
	others := int64(r.comm.Size() - 1)
	r.stats.BytesSent += others * int64(len(bytesOf(mine)))
	r.stats.BytesReceived += int64(len(bytesOf(all)) - len(bytesOf(mine)))
	return all, err
}

// exchanged sends the first counts[0] items to rank 0, the next counts[1] to rank 1, and so on, and returns what the
// ranks sent, in their order.
func exchanged[T any](r *rank, items []T, counts []int) ([]T, []int, error) {
	return exchangedIn(r, items, counts, nil)
}

// exchangedIn is exchanged into memory that is there, if it is enough.
func exchangedIn[T any](r *rank, items []T, counts []int, memory []T) ([]T, []int, error) {
	p, me := r.comm.Size(), r.comm.Rank()
	table, err := gathered(r, counts64(counts)...)
	if err != nil {
		return nil, nil, err
	}
	in := make([]int, p)
	for q := range in {
		in[q] = int(table[q*p+me])
	}
	all, total := memory, sum(in)
	if len(all) < total {
		all = make([]T, total)
	}
	all = all[:total]
	return all, in, exchange(r, items, counts, all, in)
}

// exchange sends out[q] items to each rank q, in their order, and puts in[q] items of each into all.
func exchange[T any](r *rank, items []T, out []int, all []T, in []int) error {
	defer r.communicates(time.Now())
	outBytes, inBytes := scaled[T](out), scaled[T](in)
	me := r.comm.Rank()
	r.stats.BytesSent += int64(sum(outBytes) - outBytes[me])
	r.stats.BytesReceived += int64(sum(inBytes) - inBytes[me])
	return r.comm.Alltoallv(r.ctx, bytesOf(items), outBytes, bytesOf(all), inBytes)
}

// collected brings the blocks of all ranks to rank 0.
func collected[T any](r *rank, block []T) (all []T, err error) {
	p := r.comm.Size()
	out, in := make([]int, p), make([]int, p)
	out[0] = len(block)
	if r.comm.Rank() == 0 {
		all = addressspace.Make[T](int(r.n))
		for q := range in {
			from, to := Bounds(r.n, p, q)
			in[q] = int(to - from)
		}
	}
	return all, exchange(r, block, out, all, in)
}

func counts64(counts []int) []int64 {
	all := make([]int64, len(counts))
	for i, n := range counts {
		all[i] = int64(n)
	}
	return all
}

// maxRouted is the length of the longest block whose items are routed: their order is in 32-bit words.
var maxRouted = math.MaxUint32

// beginRouted is begin for what routes an item for each character of the block. All ranks return an error where one has
// more of them than maxRouted: the first block is the longest.
func (b *Builder) beginRouted(ctx context.Context, operation string, block, array int) (*rank, error) {
	r, err := b.begin(ctx, operation, block, array)
	if err != nil {
		return nil, err
	}
	_, longest := Bounds(r.n, b.comm.Size(), 0)
	return r, limits.CheckLen("block", int(longest), maxRouted)
}

// routed sends each item to the rank that owner tells, and returns what came; order[k] is the item that was sent as
// number k. There are at most maxRouted items.
func routed[T any](r *rank, items []T, owner func(T) int) (all []T, order []uint32, in, out []int, err error) {
	out = make([]int, r.comm.Size())
	owners := make([]uint32, len(items))
	for i, item := range items {
		q := owner(item)
		owners[i] = uint32(q)
		out[q]++
	}
	at := make([]int, len(out))
	for q := 1; q < len(at); q++ {
		at[q] = at[q-1] + out[q-1]
	}
	sorted, order := make([]T, len(items)), make([]uint32, len(items))
	for i, item := range items {
		k := at[owners[i]]
		at[owners[i]]++
		sorted[k], order[k] = item, uint32(i)
	}
	all, in, err = exchanged(r, sorted, out)
	return all, order, in, out, err
}

// fetched returns the entries of a distributed array at places, whose block here is `block`.
func fetched[T any](r *rank, places []uint64, block []T) ([]T, error) {
	asked, order, in, _, err := routed(r, places, r.owner)
	if err != nil {
		return nil, err
	}
	answers := make([]T, len(asked))
	for i, place := range asked {
		answers[i] = block[place-r.first]
	}
	got, _, err := exchanged(r, answers, in)
	if err != nil {
		return nil, err
	}
	result := make([]T, len(places))
	for k, i := range order {
		result[i] = got[k]
	}
	return result, nil
}

func (r *rank) owner(place uint64) int { return ownerOf(r.n, r.comm.Size(), place) }

// total is the sum of a count over the ranks.
func (r *rank) total(count int) (uint64, error) {
	all, err := gathered(r, uint64(count))
	if err != nil {
		return 0, err
	}
	var n uint64
	for _, v := range all {
		n += v
	}
	return n, nil
}

// counts are the counts that the ranks tell.
func (r *rank) counts(mine int) ([]int, error) {
	all, err := gathered(r, uint64(mine))
	if err != nil {
		return nil, err
	}
	counts := make([]int, len(all))
	for q, n := range all {
		counts[q] = int(n)
	}
	return counts, nil
}
