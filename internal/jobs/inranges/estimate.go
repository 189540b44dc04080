package inranges

import (
	"bytes"
	"context"
	"errors"
	"time"

	"github.com/suffixcl/suffixcl/device"
	"github.com/suffixcl/suffixcl/internal/call"
	"github.com/suffixcl/suffixcl/internal/input"
	"github.com/suffixcl/suffixcl/internal/intmath"
	"github.com/suffixcl/suffixcl/internal/limits"
	"github.com/suffixcl/suffixcl/internal/ranges"
	"github.com/suffixcl/suffixcl/internal/tuned"
)

// Estimated is what suffixcl.RangePlan has of a sample.
type Estimated struct {
	Ranges      int
	Sorted      int
	Least, Most time.Duration
}

const (
	leastSorted  = 1 << 18                // bytes of the smallest sample, where it fits
	leastTimed   = 1 << 10                // and where little memory is left
	enoughSorted = 300 * time.Millisecond // by which small delays do not count
	mostSplit    = 16                     // ranges of a sample; from more of them time is linear
	fewSplit     = 4
	copies       = 8 // of a stretch, for the most
)

// Estimate sorts pieces of a sample of a text of n bytes on the devices, in as many ranges as the text. The text is
// planned as one with the bytes of the sample.
func Estimate(ctx context.Context, e *call.Engine, sample []byte, n int, o Options) (
	r Estimated, err error) {
	if err := limits.CheckLen("text", n, MaxLen); err != nil {
		return r, err
	}
	if _, err := o.engines(e); err != nil {
		return r, err
	}
	if n == 0 || len(sample) == 0 {
		if n > 0 {
			err = errors.New("suffixcl: an empty sample of a text")
		}
		return r, err
	}
	if n > limits.MaxLen {
		return estimateRanges[uint64](ctx, e, sample, n, o)
	}
	return estimateRanges[uint32](ctx, e, sample, n, o)
}

// rangesTime is the time of sorting in ranges: until the sample of suffixes has ranks, and then.
type rangesTime struct{ before, ranges time.Duration }

func (t rangesTime) total() time.Duration { return t.before + t.ranges }

// scale is the time of a text that is so many times as long, where a part does not depend on the length.
func (t rangesTime) scale(by float64, fixed rangesTime) rangesTime {
	scaled := func(all, fixed time.Duration) time.Duration {
		return fixed + time.Duration(float64(max(all-fixed, 0))*by)
	}
	return rangesTime{scaled(t.before, fixed.before), scaled(t.ranges, fixed.ranges)}
}

// fixedOf is what does not depend on the length, by the times of two texts of which one is so many times as long.
func fixedOf(short, long rangesTime, by float64) rangesTime {
	fixed := func(short, long time.Duration) time.Duration {
		return time.Duration(min(max((by*float64(short)-float64(long))/(by-1), 0), float64(short)))
	}
	return rangesTime{fixed(short.before, long.before), fixed(short.ranges, long.ranges)}
}

func estimateRanges[P uint32 | uint64](ctx context.Context, e *call.Engine, sample []byte, n int, o Options) (
	r Estimated, err error) {
	options := o.wanted()
	options.Width = ranges.Width(sample)
	var least, most rangesTime
	speed := [2]float64{} // ranges a second of all devices
	for i, of := range append([]*call.Engine{e}, o.Others...) {
		m, err := measureRanges[P](ctx, of, sample, n, options)
		if err != nil {
			return r, err
		}
		if i == 0 {
			r.Ranges, r.Sorted = m.ranges, m.sorted
			options.Period, options.Dense = m.period, m.dense
			least, most = m.least, m.most
		}
		speed[0] += 1 / max(m.least.ranges.Seconds(), 1e-9)
		speed[1] += 1 / max(m.most.ranges.Seconds(), 1e-9)
	}
	least.ranges, most.ranges = time.Duration(1e9/speed[0]), time.Duration(1e9/speed[1])
	r.Least, r.Most = least.total(), max(least.total(), most.total())
	return r, nil
}

// rangesMeasured is what one device takes for a text.
type rangesMeasured struct {
	ranges, sorted int
	period, dense  int // of difference covers
	least, most    rangesTime
}

func measureRanges[P uint32 | uint64](ctx context.Context, e *call.Engine, sample []byte, n int, o ranges.Options) (
	m rangesMeasured, err error) {
	c, err := e.Begin(ctx)
	if err != nil {
		return m, err
	}
	defer c.End()
	whole, err := call.PrepareAlone(c, func() (*Ranged[P], error) { return New[P](e, n, o) })
	if err != nil {
		return m, err
	}
	o.Period, o.Dense = whole.Sorter.Period(), whole.Sorter.Dense()
	m.ranges, m.period, m.dense = whole.Sorter.Ranges(), o.Period, o.Dense
	// The ranges of a sample may not have more suffixes than those of the text.
	largest := min(len(sample), n, max(int(float64(n)*mostSplit/float64(m.ranges)), leastSorted))
	size := min(leastSorted, largest)
	piece := stretchesOf(sample, size)
	for { // until a sample in few ranges fits, where the text does in many; programs are built
		if _, err = timeRanges[P](c, piece, m.ranges, o); err == nil {
			break
		}
		if size /= 2; !device.IsTooLarge(err) || size < leastTimed {
			return m, err
		}
		largest, piece = size, stretchesOf(sample, size)
	}
	var took, fixed rangesTime
	for sorted := 0; ; {
		short := took
		if took, err = timeRanges[P](c, piece, m.ranges, o); device.IsTooLarge(err) && sorted > 0 {
			took, size, piece = short, sorted, stretchesOf(sample, sorted)
			break
		}
		if err != nil {
			return m, err
		}
		if sorted > 0 && size >= 2*sorted {
			fixed = fixedOf(short, took, float64(size)/float64(sorted))
		}
		if took.total() >= enoughSorted || size == largest {
			break
		}
		sorted, size = size, min(4*size, largest)
		piece = stretchesOf(sample, size)
	}
	m.sorted = size
	by := float64(n) / float64(size)
	m.least = took.scale(by, fixed)
	again := bytes.Repeat(piece[:intmath.CeilDiv(size, copies)], copies)[:size]
	if took, err = timeRanges[P](c, again, m.ranges, o); err == nil {
		m.most = took.scale(by, fixed)
	}
	return m, err
}

// timeRanges is the time of sorting a text in so many ranges.
func timeRanges[P uint32 | uint64](c *call.Call, text []byte, parts int, o ranges.Options) (t rangesTime, err error) {
	if parts <= mostSplit {
		return timeSplit[P](c, text, parts, o)
	}
	few, err := timeSplit[P](c, text, fewSplit, o)
	if err != nil {
		return t, err
	}
	if t, err = timeSplit[P](c, text, mostSplit, o); err != nil {
		return t, err
	}
	each := max(t.ranges-few.ranges, 0) / (mostSplit - fewSplit) // a scan of the text
	t.ranges += each * time.Duration(parts-mostSplit)
	return t, nil
}

func timeSplit[P uint32 | uint64](c *call.Call, text []byte, parts int, o ranges.Options) (t rangesTime, err error) {
	o.Capacity = ranges.CapacityOf(len(text), parts)
	sorter, err := ranges.New[P](c.Session, len(text), o)
	if err != nil {
		return t, err
	}
	if err := sorter.Memory().Fits(c.Session); err != nil {
		return t, err
	}
	tuned.BuildAhead(c.Session)
	start := time.Now()
	split := start
	job := ranges.Job[P]{Yield: func(ranges.Block[P]) error { return nil }}
	job.Progress = func(phase string, _, _ int64) {
		if phase == ranges.Phase {
			split = time.Now()
		}
	}
	if _, err := sorter.Run(c.Ctx, text, job); err != nil {
		return t, err
	}
	end := time.Now()
	return rangesTime{split.Sub(start), end.Sub(split)}, nil
}

// stretchesOf are pieces of a text of so many bytes in all, from all over it.
func stretchesOf(text []byte, size int) []byte {
	piece, _ := input.Sample(bytes.NewReader(text), len(text), size) // which has no errors
	return piece
}
