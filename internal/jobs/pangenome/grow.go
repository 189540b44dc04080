package pangenome

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"

	"github.com/suffixcl/suffixcl/device"
	"github.com/suffixcl/suffixcl/internal/call"
	"github.com/suffixcl/suffixcl/internal/fmd"
	"github.com/suffixcl/suffixcl/internal/input"
	"github.com/suffixcl/suffixcl/internal/jobs/arrays"
	"github.com/suffixcl/suffixcl/internal/limits"
	"github.com/suffixcl/suffixcl/internal/rlbwt"
	"github.com/suffixcl/suffixcl/internal/sets"
)

// Options is suffixcl.PangenomeOptions.
type Options struct {
	Indexes        []*io.SectionReader
	Next           func() (*input.Collection, error)
	Ahead          func() *input.Collection
	Save           func(write func(io.Writer) (*File, error)) error
	Forward        bool
	Letters, Texts int
}

// File is suffixcl.Pangenome.
type File struct {
	File   []byte
	Counts [fmd.Letters]uint64
	Runs   uint64
}

// IndexError says which index is wrong.
type IndexError struct {
	Index int // number of it
	Err   error
}

func (e *IndexError) Error() string { return fmt.Sprintf("index %d: %v", e.Index, e.Err) }

func (e *IndexError) Unwrap() error { return e.Err }

// errOneStrand refuses to mix strands.
var errOneStrand = errors.New("the index does not have both strands of each sequence: it takes no others with both " +
	"strands")

// Grow is suffixcl.Engine.Pangenome.
func Grow(e *call.Engine, o Options) call.Job[*File, *File] {
	if o.Letters < 0 || o.Texts < 0 {
		wrong := fmt.Errorf("suffixcl: a batch of %d letters in %d texts", o.Letters, o.Texts)
		return call.Refused[*File, *File](e, wrong)
	}
	return call.NewJob(e, func() (call.Combined, error) { return o.plan(e) },
		func(c *call.Call, _ call.Combined, yield func(*File) error) error {
			x, err := o.grow(c)
			if err != nil {
				return err
			}
			defer x.Release()
			c.Phase("write")
			return write(c.Ctx, x, yield)
		}, func(run func(yield func(*File) error) error) (*File, error) {
			all := &File{}
			err := run(func(part *File) error {
				file := append(all.File, part.File...)
				*all = *part
				all.File = file
				return nil
			})
			if err != nil {
				return nil, err
			}
			return all, nil
		})
}

// Bytes of the host for a run of a file with its frames, if the file is collected, and for a letter that was read: of
// two batches, which have grown. The codes of both come to that, of each strand.
const (
	encodedRun = 4
	hostLetter = 3
)

// plan is an upper bound of the memory of the index that is there, and of the largest batch with the index after it: a
// letter that is inserted cuts a run, so there are two more.
func (o Options) plan(e *call.Engine) (call.Combined, error) {
	var old, read int64      // runs; bytes of the host
	var walked, pieces int64 // bytes of the device and of the host for strings of another index
	for i, file := range o.Indexes {
		h, err := headerOf(file)
		if err != nil {
			return call.Combined{}, &IndexError{i, err}
		}
		old += rlbwt.RunsOf(file.Size(), h.Rows)
		if i > 0 {
			read = max(read, mergeBytes(h.Rows, h.Counts[0]))
			onDevice, host := rlbwt.StringBytes(h.Rows, h.Counts[0], 0)
			walked, pieces = max(walked, onDevice), max(pieces, host)
		}
	}
	rlbwt.Prepare(e.Session)
	there := device.BufferMemory{Name: "index", Bytes: old * residentRun}
	plan := device.MemoryPlan{{Phase: "load", Host: old * encodedRun,
		Buffers: []device.BufferMemory{there, rlbwt.Loading(int(old))}}}
	if len(o.Indexes) > 1 {
		plan = append(plan, device.PhaseMemory{Phase: "read strings", Host: read + pieces,
			Buffers: []device.BufferMemory{there, {Name: "pieces and letters", Bytes: walked}}})
	}
	n, m := o.Letters+o.Texts, o.Texts
	if !o.Forward {
		n, m = 2*n, 2*m
	}
	written := device.PhaseMemory{Phase: "write", Host: (old + 2*int64(n)) * encodedRun, Buffers: []device.BufferMemory{
		{Name: "index", Bytes: (old + 2*int64(n)) * residentRun},
		{Name: "runs of a part", Bytes: rlbwt.FileBytes(e.Session, old+2*int64(n))},
	}}
	if n == 0 {
		return call.Combined{Phases: append(plan, written)}, nil
	}
	host := int64(o.Letters+o.Texts)*hostLetter + 2*int64(n) + (old+2*int64(n))*encodedRun
	n = min(n, limits.MaxLen-numbered*m) // batches have no more
	shape := sets.Shape{N: n, M: m, Least: true}
	sorted, err := arrays.NewGathering(e, shape, fmd.Letters-1, arrays.Want{BWT: true}, false)
	if err != nil {
		return call.Combined{}, err
	}
	for _, phase := range sorted.Plan() {
		phase.Buffers, phase.Host = append(slices.Clone(phase.Buffers), there), host
		plan = append(plan, phase)
	}
	merged := device.BufferMemory{Name: "merged index", Bytes: (old + 2*int64(n)) * residentRun}
	batch := device.BufferMemory{Name: "batch", Bytes: int64(n) * mergedLetter}
	part := device.BufferMemory{Name: "runs of a part", Bytes: rlbwt.PartBytes(e.Session, old)}
	return call.Combined{Phases: append(plan, device.PhaseMemory{Phase: "merge", Host: host,
		Buffers: []device.BufferMemory{there, merged, batch, part}}, written)}, nil
}

// mergedLetter are the bytes of the device of a letter that is merged, with one of the batch after it.
const mergedLetter = 27

// headerOf reads the beginning of a file.
func headerOf(file *io.SectionReader) (fmd.Header, error) {
	if file == nil {
		return fmd.Header{}, errNoFile
	}
	return fmd.ReadHeader(io.NewSectionReader(file, 0, file.Size()), file.Size())
}

var errNoFile = errors.New("there is no file")

// decode reads a file from its beginning.
func decode(file *io.SectionReader, yield fmd.Yield) (fmd.Header, error) {
	if file == nil {
		return fmd.Header{}, errNoFile
	}
	return fmd.DecodeParts(io.NewSectionReader(file, 0, file.Size()), file.Size(), yield)
}

// grow makes the index of all strings. It must be released, unless there is an error.
func (o Options) grow(c *call.Call) (index, error) {
	first := runs(func(fmd.Yield) error { return nil })
	if len(o.Indexes) > 0 {
		first = func(yield fmd.Yield) error {
			_, err := decode(o.Indexes[0], yield)
			return err
		}
	}
	c.Phase("load")
	x, err := load(c, first)
	if err != nil {
		return nil, &IndexError{0, err}
	}
	if err := o.fill(c, x); err != nil {
		x.Release()
		return nil, err
	}
	return x, nil
}

// fill appends the strings of the other indexes, and those of Next.
func (o Options) fill(c *call.Call, x index) error {
	for i := 1; i < len(o.Indexes); i++ {
		if err := merge(c, x, o.Indexes[i]); err != nil {
			return &IndexError{i, err}
		}
	}
	var next ahead
	for o.Next != nil {
		set, err := o.Next()
		switch {
		case errors.Is(err, io.EOF):
			return nil
		case err != nil:
			return err
		case !o.Forward && !BothStrands(x.Counts()):
			return errOneStrand
		}
		c.Phase("append")
		if err := appendAll(c, x, next.take(set, o.Forward), next.look(o, x)); err != nil {
			return err
		}
		if o.Save == nil {
			continue
		}
		if err := o.Save(func(w io.Writer) (*File, error) { return save(c, x, w) }); err != nil {
			return err
		}
	}
	return nil
}

// appendAll appends strings of codes, in batches that fit. then is as AppendAll takes it.
func appendAll(c *call.Call, x index, codes []byte, then func() []byte) error {
	return c.Compute(func() error { return x.AppendAll(c.Ctx, Batches(codes, x.batch()), then) })
}

// ahead is a set that Next has not given yet, and its codes. They are made, and copied to the device, while it works.
type ahead struct {
	set   *input.Collection // or nil
	codes []byte
}

// look makes the codes of the next set, if it is there, and returns its first batch.
func (a *ahead) look(o Options, x index) func() []byte {
	if o.Ahead == nil {
		return nil
	}
	return func() []byte {
		set := o.Ahead()
		if set == nil || set.Count() == 0 {
			return nil
		}
		*a = ahead{set, strings(set, o.Forward)}
		return Batches(a.codes, x.batch())[0]
	}
}

// take returns the codes of a set.
func (a *ahead) take(set *input.Collection, forward bool) []byte {
	there := *a
	if *a = (ahead{}); there.set == set {
		return there.codes
	}
	return strings(set, forward)
}

// Letters of another index that the host has at once: those that are read from it together, where strings are walked in
// parallel, and of them those that are appended together. A string that is longer comes alone. Tests have less.
var (
	readAtOnce   int64 = 1 << 32
	mergedAtOnce       = 1 << 28
)

// mergeBytes is what the host has of another index of so many rows and strings while it is read. Lists that grow have
// room for a fourth more.
func mergeBytes(rows, strings uint64) int64 {
	letters := min(int64(rows), readAtOnce) + min(int64(rows), int64(mergedAtOnce))
	return letters/4*5 + 8*int64(strings)
}

// merge appends the strings of a file.
func merge(c *call.Call, x index, file *io.SectionReader) error {
	c.Phase("load")
	other, err := load(c, func(yield fmd.Yield) error {
		_, err := decode(file, yield)
		return err
	})
	if err != nil {
		return err
	}
	defer other.Release()
	counts := other.Counts()
	all, total := numbers(counts[0]), total(counts)
	var batch []byte
	done := uint64(0)
	flush := func() error {
		err := appendAll(c, x, batch, nil)
		done += uint64(len(batch))
		batch = batch[:0]
		c.Progress("merge", int64(done), int64(total))
		return err
	}
	add := func(letters []byte) error {
		if len(batch)+len(letters) >= mergedAtOnce {
			if err := flush(); err != nil {
				return err
			}
		}
		batch = append(append(batch, letters...), 0)
		return nil
	}
	err = c.ComputeAround(func(aside func(func() error) error) error {
		return other.ExtractWithin(c.Ctx, all, readAtOnce, func(_ int, letters []byte, _ uint64) error {
			return aside(func() error { return add(letters) })
		})
	})
	if err == nil {
		err = flush()
	}
	if err == nil && done != total {
		err = inNoString(total - done)
	}
	return err
}

// inNoString says that a transform is none of strings alone.
func inNoString(rows uint64) error {
	return fmt.Errorf("%d letters are in no string: the transform is none of a collection", rows)
}

// numbers are the numbers from 0 on, of so many.
func numbers(n uint64) []uint64 {
	list := make([]uint64, n)
	for i := range list {
		list[i] = uint64(i)
	}
	return list
}

// total is the number of rows.
func total(counts [fmd.Letters]uint64) (rows uint64) {
	for _, n := range counts {
		rows += n
	}
	return rows
}

// save writes the file of an index, which may grow afterwards.
func save(c *call.Call, x index, w io.Writer) (*File, error) {
	c.Phase("save")
	figures := &File{}
	err := write(c.Ctx, x, func(part *File) error {
		figures.Counts, figures.Runs = part.Counts, part.Runs
		_, err := w.Write(part.File)
		return err
	})
	if err != nil {
		return nil, err
	}
	return figures, nil
}

// write yields the file of an index.
func write(ctx context.Context, x index, yield func(*File) error) error {
	f, err := x.File(ctx)
	if err != nil {
		return err
	}
	defer f.Release()
	part := &File{Counts: x.Counts(), Runs: f.Runs}
	_, err = f.WriteTo(ctx, writer(func(b []byte) error {
		part.File = b
		return yield(part)
	}))
	return err
}

// writer is a function that is written to.
type writer func([]byte) error

func (w writer) Write(b []byte) (int, error) {
	if err := w(b); err != nil {
		return 0, err
	}
	return len(b), nil
}
