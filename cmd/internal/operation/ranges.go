package operation

import (
	"context"
	"strconv"
	"strings"

	"github.com/suffixcl/suffixcl"
	"github.com/suffixcl/suffixcl/device"
	"github.com/suffixcl/suffixcl/distributed"
	"github.com/suffixcl/suffixcl/internal/cli"
)

// InRanges is what a verb makes in ranges: a suffix array, a transform or an LCP array.
type InRanges struct {
	Name    string
	Options suffixcl.RangeOptions
	Width   int // bytes of an entry
}

// SuffixArrayInRanges is one of entries of so many bytes.
func SuffixArrayInRanges(width int) InRanges {
	return InRanges{"suffix array", suffixcl.RangeOptions{Packed: width == 5}, width}
}

// TransformInRanges is a Burrows-Wheeler transform.
func TransformInRanges() InRanges {
	return InRanges{"transform", suffixcl.RangeOptions{Transform: true, NoPositions: true}, 1}
}

// LCPInRanges is an LCP array of entries of so many bytes.
func LCPInRanges(width int) InRanges {
	return InRanges{"LCP array", suffixcl.RangeOptions{LCP: true, NoPositions: true}, width}
}

// Ordered tells whether suffixes have another order than the plain one.
func (r InRanges) Ordered() bool { return r.Options.Order != suffixcl.OrderPlain }

// Fits returns an error if entries for a text of n bytes need more than their width.
func (r InRanges) Fits(n int64) error {
	if !r.Options.Transform && r.Width == 4 && n > suffixcl.MaxLen {
		return cli.Usage("the %s of a text of %d bytes has entries of --width 5 or 8", r.Name, n)
	}
	return nil
}

// RankOptions are those of distributed.
func (r InRanges) RankOptions() distributed.RangeOptions {
	return distributed.RangeOptions{Transform: r.Options.Transform, LCP: r.Options.LCP,
		NoPositions: r.Options.NoPositions}
}

// planRanks is the memory of one rank for n bytes in ranges, if no other shares its device.
func (r InRanges) planRanks(s *device.Session, n int64) (device.MemoryPlan, error) {
	b := distributed.New(distributed.Local(1)[0], s, distributed.Options{})
	plan, err := b.PlanRanges(context.Background(), int(n), r.RankOptions())
	return plan.Memory, err
}

// IsOfRanges tells whether a plan is one of ranges, of which a phase says how many there are.
func IsOfRanges(plan device.MemoryPlan) bool { return RangesOf(plan) > 0 }

// RangesOf is how many ranges a plan has; 0 if it is not one of ranges.
func RangesOf(plan device.MemoryPlan) int {
	for _, p := range plan {
		if number, _, ok := strings.Cut(p.Phase, " ranges"); ok {
			if n, err := strconv.Atoi(number); err == nil {
				return n
			}
		}
	}
	return 0
}
