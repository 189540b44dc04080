package mpi

import (
	"context"
	"fmt"
	"reflect"
)

// Reduce combines the data of all ranks, element by element, into result of rank root. The others' is not used.
func Reduce[T Number](ctx context.Context, c *Comm, op Op, data, result []T, root int) error {
	if err := c.checkRank("root", root); err != nil {
		return err
	}
	if c.rank != root {
		result = make([]T, len(data)) // that a null pointer is never given
	}
	return combine(ctx, c, op, data, result, func(o *operation, r reduction) error {
		return o.start(mpiIreduce, r.out, r.in, r.n, r.datatype, r.op, word(root), c.handle)
	})
}

// Allreduce combines the data of all ranks, element by element, into result of each.
func Allreduce[T Number](ctx context.Context, c *Comm, op Op, data, result []T) error {
	return combineAll(ctx, c, op, data, result, mpiIallreduce)
}

// Scan combines the data of the ranks up to this one into result.
func Scan[T Number](ctx context.Context, c *Comm, op Op, data, result []T) error {
	return combineAll(ctx, c, op, data, result, mpiIscan)
}

// Exscan combines the data of the ranks before this one into result, which rank 0 gets back unchanged.
func Exscan[T Number](ctx context.Context, c *Comm, op Op, data, result []T) error {
	return combineAll(ctx, c, op, data, result, mpiIexscan)
}

func combineAll[T Number](ctx context.Context, c *Comm, op Op, data, result []T, f function) error {
	return combine(ctx, c, op, data, result, func(o *operation, r reduction) error {
		return o.start(f, r.out, r.in, r.n, r.datatype, r.op, c.handle)
	})
}

// reduction has the arguments of a part.
type reduction struct{ out, in, n, datatype, op uintptr }

func combine[T Number](ctx context.Context, c *Comm, op Op, data, result []T,
	begin func(*operation, reduction) error) error {
	if err := c.usable(); err != nil {
		return err
	}
	if err := lengths("the result of a reduction", len(result), len(data)); err != nil {
		return err
	}
	kind := reflect.TypeFor[T]().Kind()
	if op < 0 || op >= numOps || op >= And && (kind == reflect.Float32 || kind == reflect.Float64) {
		return fmt.Errorf("mpi: %v of elements of type %v: %w", op, kind, ErrOp)
	}
	out, in, err := two(data, result)
	if err != nil {
		return err
	}
	return parts(len(data), func(from, to int) error {
		_, err := c.run(ctx, func(o *operation) error {
			s := size[T]()
			return begin(o, reduction{
				out: o.bytes(out[from*s : to*s]), in: o.bytes(in[from*s : to*s]), n: word(to - from),
				datatype: c.l.abi.types[kind], op: c.l.abi.ops[op],
			})
		})
		return err
	})
}
