package pangenome

import (
	"context"

	"github.com/suffixcl/suffixcl/device"
	"github.com/suffixcl/suffixcl/internal/call"
	"github.com/suffixcl/suffixcl/internal/fmd"
	"github.com/suffixcl/suffixcl/internal/limits"
	"github.com/suffixcl/suffixcl/internal/rlbwt"
	"github.com/suffixcl/suffixcl/internal/tuned"
)

// index is a run-length transform that grows.
type index interface {
	// AppendAll appends batches of strings of codes, each with a 0 after it. batch is how many symbols one should have.
	// then is the first batch of the next call, if it is known.
	AppendAll(ctx context.Context, batches [][]byte, then func() []byte) error
	batch() int
	// File is the file of the index, as it is then.
	File(ctx context.Context) (*rlbwt.File, error)
	// ExtractWithin yields what stands before rows, and the rows of whole strings. The host has about so many bytes of
	// them.
	ExtractWithin(ctx context.Context, rows []uint64, bytes int64,
		yield func(i int, letters []byte, whole uint64) error) error
	// Places yields places of suffixes.
	Places(ctx context.Context, rate, shift int, begin func(wholes []uint64, rows uint64) error,
		yield func(places []uint64) error) error
	// Rank is how often letters are before rows.
	Rank(ctx context.Context, letters []byte, rows []uint64) ([]uint64, error)
	Counts() [fmd.Letters]uint64
	Release()
}

// runs are the runs of a transform, from the first on, many at a time.
type runs func(yield fmd.Yield) error

// load makes the index of a transform, on the device.
func load(c *call.Call, of runs) (index, error) {
	x, err := rlbwt.Load(c.Ctx, c.Session, of)
	if err != nil {
		return nil, err
	}
	return &resident{x, c.Session}, nil
}

// resident is an index on the device.
type resident struct {
	*rlbwt.Index
	s *device.Session
}

// Bytes of the device that a letter of a batch may take while it is sorted and merged, and a run of an index.
const (
	batchLetter = 33
	residentRun = 3
)

// leastBatch is worth a merge, whatever the memory.
const leastBatch = 1 << 20

// batch is what fits beside the index and the one that it becomes.
func (x *resident) batch() int {
	free, _ := tuned.MemoryLimit(x.s)
	return int(min(max((free-3*x.Bytes()-rlbwt.PartBytes(x.s, x.Bytes()))/batchLetter, leastBatch), limits.MaxLen))
}
