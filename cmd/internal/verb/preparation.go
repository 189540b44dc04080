package verb

import (
	"bytes"
	"context"

	"github.com/suffixcl/suffixcl"
	"github.com/suffixcl/suffixcl/cmd/internal/operation"
	"github.com/suffixcl/suffixcl/device"
)

// Planning plans an operation on a text of n symbols. A plan asks the session for the programs of the operation.
type Planning func(ctx context.Context, e *suffixcl.Engine, n int) (device.MemoryPlan, error)

// Preparation is what a verb needs of a device.
type Preparation struct {
	Plans []Planning
	// Begin asks a session for programs that no plan does; may be nil.
	Begin func(s *device.Session) error
	// Rehearse calls what plans nothing before it is called; may be nil.
	Rehearse func(ctx context.Context, e *suffixcl.Engine, text []byte) error
}

// plan plans all of it, for texts that are sorted in different ways. What does not fit is left out.
func (p *Preparation) plan(ctx context.Context, e *suffixcl.Engine, s *device.Session) error {
	for _, plan := range p.Plans {
		for _, n := range preparedLengths {
			plan, err := plan(ctx, e, n)
			if err == nil {
				err = plan.Fits(s)
			}
			if err != nil && !device.IsTooLarge(err) {
				return err
			}
		}
	}
	return nil
}

// preparedLengths are those of texts that are sorted in different ways.
var preparedLengths = []int{1 << 12, 1 << 15, 1 << 20, 1 << 28}

// preparedText is how many letters the texts of plans have at most that take no length: sorters of longer ones come
// from plans that do.
const preparedText = 1 << 20

// ManyTexts do not fit next to letters in a byte.
const ManyTexts = 300

// PlansOf are those of operations on texts of bytes.
func PlansOf(ops ...operation.Operation) (plans []Planning) {
	for _, op := range ops {
		plans = append(plans, func(ctx context.Context, e *suffixcl.Engine, n int) (device.MemoryPlan, error) {
			return op.Plan(ctx, e, 1, n)
		})
	}
	return plans
}

// All are several plans as one. What does not fit is left out: the verb refuses it, too.
func All(plans ...func() (device.MemoryPlan, error)) (device.MemoryPlan, error) {
	var sum device.MemoryPlan
	for _, plan := range plans {
		p, err := plan()
		if err != nil && !device.IsTooLarge(err) {
			return nil, err
		}
		sum = append(sum, p...)
	}
	return sum, nil
}

// GenomeOf is a text of n letters, or of preparedText.
func GenomeOf(n int) []byte {
	const letters = "gattacagattcaccgt"
	return bytes.Repeat([]byte(letters), min(n, preparedText)/len(letters)+1)[:min(n, preparedText)]
}

// TextsOf cuts a genome of n letters into texts.
func TextsOf(n, count int) (texts [][]byte) {
	letters := GenomeOf(n)
	for k := range count {
		texts = append(texts, letters[len(letters)*k/count:len(letters)*(k+1)/count])
	}
	return texts
}
