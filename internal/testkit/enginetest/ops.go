package enginetest

import (
	"context"
	"fmt"

	"github.com/suffixcl/suffixcl"
	"github.com/suffixcl/suffixcl/device"
)

// Op is what an operation calls. Those from 1 on are planned by PlanOf.
type Op int

// PlanOf plans these.
const (
	OpSuffixArray Op = iota + 1
	OpBWT
	OpSuffixArrays
	OpBWTs
	OpInverseBWT
	OpLCP
	OpLCPOf
	OpVerify
	OpVerifyBWT
	OpVerifyLCP
	OpVerifyBlocks
	OpVerifyBlocksLCP
	OpBuildIndex
	OpNewMatcher
)

// Calls of their own plan these.
const (
	OpBuild          Op = 0   // Arrays and VerifyArrays of symbols
	OpAllRepeats     Op = -1  // Repeats with RepeatOptions.All
	OpSet            Op = -2  // Arrays and VerifyArrays of sets and of texts in an order
	OpIntervals      Op = -3  // Intervals
	OpSuffixRanges   Op = -4  // Ranges
	OpSearchSet      Op = -5  // a Matcher of a set
	OpRepeatsOf      Op = -6  // Repeats of symbols and sets
	OpSubstrings     Op = -14 // Intervals within limits
	OpSuffixBlocks   Op = -15 // blocks of Arrays
	OpDuplicates     Op = -20 // Duplicates
	OpMatches        Op = -30 // Matches
	OpMultiMatches   Op = -31 // MultiMatches
	OpMappability    Op = -32 // Mappability
	OpEvery          Op = -33 // Arrays with Want.Every
	OpThresholds     Op = -34 // Arrays with Want.Runs
	OpIndexOf        Op = -40 // Index of symbols
	OpCommon         Op = -41 // Intervals with IntervalOptions.Common
	OpSuffixRangesAt Op = -42 // Ranges of a Reader, which goes on from a state
	OpRepeats        Op = -43 // Repeats
	OpPangenome      Op = -44 // Pangenome, and strings and samples of it
	OpSMEMs          Op = -45 // SMEMs of a transform
	OpPangenomeSMEMs Op = -46 // SMEMs of a pangenome
	OpRangesOrder    Op = -47 // Ranges with specials, packed
	OpPseudoLengths  Op = -48 // SMEMs of runs
)

// String is the number, by which its line is found.
func (o Op) String() string { return fmt.Sprintf("operation %d", int(o)) }

// PlanOf is the plan of an operation on a text of n bytes.
func PlanOf(ctx context.Context, e *suffixcl.Engine, op Op, n int) (device.MemoryPlan, error) {
	text, known := suffixcl.Length(1, n), []uint32{}
	switch op {
	case OpSuffixArray:
		return e.Arrays(text, suffixcl.Want{SA: true}).Plan(ctx)
	case OpBWT:
		return e.Arrays(text, suffixcl.Want{BWT: true}).Plan(ctx)
	case OpSuffixArrays:
		return e.Stream(n, nil, suffixcl.Want{SA: true}).Plan(ctx)
	case OpBWTs:
		return e.Stream(n, nil, suffixcl.Want{BWT: true}).Plan(ctx)
	case OpInverseBWT:
		return e.Invert(&suffixcl.Result{BWT: text}).Plan(ctx)
	case OpLCP:
		return e.Arrays(text, suffixcl.Want{LCP: true}).Plan(ctx)
	case OpLCPOf, OpVerifyLCP:
		return e.Arrays(text, suffixcl.Want{LCP: true, Known: known}).Plan(ctx)
	case OpVerify:
		return e.Arrays(text, suffixcl.Want{Known: known}).Plan(ctx)
	case OpVerifyBWT:
		return e.Arrays(text, suffixcl.Want{BWT: true, Known: known}).Plan(ctx)
	case OpVerifyBlocks:
		return e.VerifyArrays(text, suffixcl.GivenArrays{}).Plan(ctx)
	case OpVerifyBlocksLCP:
		given := suffixcl.GivenArrays{LCP: func([]uint64, int) error { return nil }}
		return e.VerifyArrays(text, given).Plan(ctx)
	case OpBuildIndex:
		return e.Index(text, suffixcl.IndexOptions{}).Plan(ctx)
	case OpNewMatcher:
		return e.Matcher(text, suffixcl.MatcherOptions{}).Plan(ctx)
	}
	return nil, fmt.Errorf("operation %d has a plan of its own", op)
}
