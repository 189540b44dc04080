package pangenome

import (
	"bytes"
	"context"

	"github.com/suffixcl/suffixcl/internal/call"
	"github.com/suffixcl/suffixcl/internal/fmd"
	"github.com/suffixcl/suffixcl/internal/jobs/arrays"
	"github.com/suffixcl/suffixcl/internal/limits"
	"github.com/suffixcl/suffixcl/internal/rope"
)

// index is a run-length transform that grows.
type index interface {
	// Append appends strings of codes, each with a 0 after it: up to Batch letters and ends.
	Append(ctx context.Context, codes []byte) error
	Batch() int
	Runs(ctx context.Context, yield func(fmd.Run) error) error
	// Extract yields whole strings by their numbers, from their first letters on.
	Extract(ctx context.Context, strings []uint64, yield func(string int, letters []byte) error) error
	Counts() [fmd.Letters]uint64
	Release()
}

// runs are the runs of a transform, from the first on.
type runs func(yield func(fmd.Run) error) error

// load makes the index of a transform.
func load(c *call.Call, of runs) (index, error) {
	x, err := rope.Load(of)
	if err != nil {
		return nil, err
	}
	return &hosted{x, c}, nil
}

// hosted is an index in memory of the host, whose first batch the device sorts.
type hosted struct {
	*rope.Index
	call *call.Call
}

func (x *hosted) Batch() int { return limits.MaxLen }

func (x *hosted) Append(ctx context.Context, codes []byte) error {
	if x.Len() > 0 || len(codes) == 0 {
		return x.Index.Append(ctx, codes)
	}
	set, err := setOf(codes)
	if err != nil {
		return err
	}
	transform, err := arrays.TransformOfSet(x.call, set)
	if err != nil {
		return err
	}
	x.Index, err = rope.Load(func(yield func(fmd.Run) error) error { return eachRun(transform, yield) })
	return err
}

// eachRun yields the runs of letters.
func eachRun(letters []byte, yield func(fmd.Run) error) error {
	for len(letters) > 0 {
		n := len(letters) - len(bytes.TrimLeft(letters, string(letters[:1])))
		if err := yield(fmd.Run{Letter: letters[0], Len: uint64(n)}); err != nil {
			return err
		}
		letters = letters[n:]
	}
	return nil
}
