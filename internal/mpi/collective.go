package mpi

import (
	"context"
	"math"
)

// Bcast copies data of rank root to that of all others.
func Bcast[T any](ctx context.Context, c *Comm, data []T, root int) error {
	b, err := bytesOf(data)
	if err != nil {
		return err
	}
	if err := c.checkRank("root", root); err != nil {
		return err
	}
	return parts(len(b), func(from, to int) error {
		_, err := c.run(ctx, func(o *operation) error {
			return o.start(mpiIbcast, o.bytes(b[from:to]), word(to-from), c.l.abi.typeByte, word(root), c.handle)
		})
		return err
	})
}

// Gather puts the data of all ranks, of one length, one after the other into all [size * len(data)] of rank root.
// The others' is not used.
func Gather[T any](ctx context.Context, c *Comm, data, all []T, root int) error {
	if err := c.usable(); err != nil {
		return err
	}
	counts := c.equal(len(data))
	if len(data)*c.Size() <= maxPart/size[T]() {
		return gather(ctx, c, data, all, root)
	}
	return Gatherv(ctx, c, data, all, counts, root)
}

func gather[T any](ctx context.Context, c *Comm, data, all []T, root int) error {
	if err := c.checkRank("root", root); err != nil {
		return err
	}
	if c.rank != root {
		all = nil
	} else if err := lengths("the result of Gather", len(all), len(data)*c.size); err != nil {
		return err
	}
	out, in, err := two(data, all)
	if err != nil {
		return err
	}
	_, err = c.run(ctx, func(o *operation) error {
		return o.start(mpiIgather, o.bytes(out), word(len(out)), c.l.abi.typeByte, o.bytes(in), word(len(out)),
			c.l.abi.typeByte, word(root), c.handle)
	})
	return err
}

// Gatherv puts the data of all ranks one after the other into all of rank root: counts[r] elements of rank r. The
// others' all and counts are not used, but that of themselves.
func Gatherv[T any](ctx context.Context, c *Comm, data, all []T, counts []int, root int) error {
	if err := c.checkRank("root", root); err != nil {
		return err
	}
	m, err := c.messages()
	if err != nil {
		return err
	}
	out, err := bytesOf(data)
	if err != nil {
		return err
	}
	if c.rank != root {
		return m.send(ctx, out, root, 0)
	}
	if err := lengths("the counts of Gatherv", len(counts), c.size); err != nil {
		return err
	}
	if err := lengths("the data of Gatherv", len(data), counts[root]); err != nil {
		return err
	}
	if err := lengths("the result of Gatherv", len(all), total(counts)); err != nil {
		return err
	}
	in, err := bytesOf(all)
	if err != nil {
		return err
	}
	_, err = m.run(ctx, func(o *operation) error {
		at := 0
		for r, n := range counts {
			n *= size[T]()
			if r == root {
				copy(in[at:], out)
			} else if err := m.beginRecv(o, in[at:at+n], r, 0); err != nil {
				return err
			}
			at += n
		}
		return nil
	})
	return err
}

// Allgather puts the data of all ranks, of one length, one after the other into all [size * len(data)].
func Allgather[T any](ctx context.Context, c *Comm, data, all []T) error {
	return Allgatherv(ctx, c, data, all, c.equal(len(data)))
}

// Allgatherv puts the data of all ranks one after the other into all: counts[r] elements of rank r.
func Allgatherv[T any](ctx context.Context, c *Comm, data, all []T, counts []int) error {
	if err := c.usable(); err != nil {
		return err
	}
	if err := lengths("the counts of Allgatherv", len(counts), c.size); err != nil {
		return err
	}
	if err := lengths("the data of Allgatherv", len(data), counts[c.rank]); err != nil {
		return err
	}
	if err := lengths("the result of Allgatherv", len(all), total(counts)); err != nil {
		return err
	}
	out, in, err := two(data, all)
	if err != nil {
		return err
	}
	if len(in) > maxPart { // which all ranks know
		at := 0
		for r, n := range counts {
			part := all[at : at+n]
			if r == c.rank {
				copy(part, data)
			}
			if err := Bcast(ctx, c, part, r); err != nil {
				return err
			}
			at += n
		}
		return nil
	}
	_, err = c.run(ctx, func(o *operation) error {
		n, at := places[int32](counts, size[T]())
		return o.start(mpiIallgatherv, o.bytes(out), word(len(out)), c.l.abi.typeByte, o.bytes(in), words(o, n),
			words(o, at), c.l.abi.typeByte, c.handle)
	})
	return err
}

// Alltoall sends part r of data to rank r, and puts what rank r sends into part r of all: parts are of len(data)/size
// elements.
func Alltoall[T any](ctx context.Context, c *Comm, data, all []T) error {
	if err := c.usable(); err != nil {
		return err
	}
	n := len(data) / c.size
	if err := lengths("the data of Alltoall", len(data), n*c.size); err != nil {
		return err
	}
	if err := lengths("the result of Alltoall", len(all), len(data)); err != nil {
		return err
	}
	out, in, err := two(data, all)
	if err != nil {
		return err
	}
	if len(out) > maxPart {
		return Alltoallv(ctx, c, data, c.equal(n), all, c.equal(n))
	}
	_, err = c.run(ctx, func(o *operation) error {
		each := word(len(out) / c.size)
		return o.start(mpiIalltoall, o.bytes(out), each, c.l.abi.typeByte, o.bytes(in), each, c.l.abi.typeByte, c.handle)
	})
	return err
}

// Alltoallv sends outCounts[r] elements of data to rank r, in the order of the ranks, and puts what rank r sends,
// inCounts[r] elements, into all, in that order.
func Alltoallv[T any](ctx context.Context, c *Comm, data []T, outCounts []int, all []T, inCounts []int) error {
	if err := c.usable(); err != nil {
		return err
	}
	for _, check := range []struct {
		what      string
		got, want int
	}{
		{"the counts of what Alltoallv sends", len(outCounts), c.size},
		{"the counts of what Alltoallv receives", len(inCounts), c.size},
		{"the data of Alltoallv", len(data), total(outCounts)},
		{"the result of Alltoallv", len(all), total(inCounts)},
	} {
		if err := lengths(check.what, check.got, check.want); err != nil {
			return err
		}
	}
	out, in, err := two(data, all)
	if err != nil {
		return err
	}
	if c.l.address[mpiIalltoallvC] == 0 {
		return c.pairwise(ctx, out, outCounts, in, inCounts, size[T]())
	}
	_, err = c.run(ctx, func(o *operation) error {
		n, at := places[int64](outCounts, size[T]())
		m, to := places[int64](inCounts, size[T]())
		return o.start(mpiIalltoallvC, o.bytes(out), words(o, n), words(o, at), c.l.abi.typeByte,
			o.bytes(in), words(o, m), words(o, to), c.l.abi.typeByte, c.handle)
	})
	return err
}

// pairwise is Alltoallv in rounds: in round k with the rank k places further, and the one k places back.
func (c *Comm) pairwise(ctx context.Context, out []byte, outCounts []int, in []byte, inCounts []int, size int) error {
	m, err := c.messages()
	if err != nil {
		return err
	}
	n, at := places[int64](outCounts, size)
	l, to := places[int64](inCounts, size)
	copy(in[to[c.rank]:to[c.rank]+l[c.rank]], out[at[c.rank]:at[c.rank]+n[c.rank]])
	for k := 1; k < c.size; k++ {
		next, previous := (c.rank+k)%c.size, (c.rank-k+c.size)%c.size
		err := m.exchange(ctx, out[at[next]:at[next]+n[next]], next, in[to[previous]:to[previous]+l[previous]], previous, 0)
		if err != nil {
			return err
		}
	}
	return nil
}

// equal are counts of n for each rank.
func (c *Comm) equal(n int) []int {
	if c == nil {
		return nil
	}
	counts := make([]int, c.size)
	for r := range counts {
		counts[r] = n
	}
	return counts
}

// places are the sizes of parts, and where they begin, in bytes.
func places[P int32 | int64](counts []int, size int) (n, at []P) {
	n, at = make([]P, len(counts)), make([]P, len(counts))
	sum := 0
	for r, count := range counts {
		n[r], at[r] = P(count*size), P(sum)
		sum += count * size
	}
	return n, at
}

// total is the sum of counts, and -1 where one is negative.
func total(counts []int) int {
	sum := 0
	for _, n := range counts {
		if n < 0 || sum > math.MaxInt-n {
			return -1
		}
		sum += n
	}
	return sum
}
