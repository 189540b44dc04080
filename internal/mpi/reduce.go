package mpi

import (
	"context"
	"fmt"
	"reflect"
)

// Allreduce combines the data of all ranks, element by element, into result of each.
func Allreduce[T Number](ctx context.Context, c *Comm, op Op, data, result []T) error {
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
			return o.start(mpiIallreduce, o.bytes(out[from*s:to*s]), o.bytes(in[from*s:to*s]), word(to-from),
				c.l.abi.types[kind], c.l.abi.ops[op], c.handle)
		})
		return err
	})
}
