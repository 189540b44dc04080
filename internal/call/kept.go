package call

import (
	"math/bits"

	"github.com/suffixcl/suffixcl/device"
)

// Texts of up to sharedLen bytes are planned for the next power of two from smallestLen on, so that a call can
// use the plan and the memory of the one before.
const (
	smallestLen = 1 << 12
	sharedLen   = 1 << 20
)

// defaultKeepMemory is EngineOptions.KeepMemory if that is 0.
const defaultKeepMemory = 64 << 20

// sizeOf is the length that is planned for a text of n bytes.
func sizeOf(n int) int {
	if n <= 0 || n > sharedLen {
		return n
	}
	return max(smallestLen, 1<<bits.Len(uint(n-1)))
}

// keptPlans are the plans of the last calls, one of each operation, of which at most one has memory.
type keptPlans struct {
	limit  int64 // bytes of device memory; negative: none
	plans  map[Kind]keptPlan
	holder Operation // has its memory, or nil
}

type keptPlan struct {
	n         int
	operation Operation
}

// forget frees the memory that is kept.
func (k *keptPlans) forget(s *device.Session) {
	if k.holder != nil {
		k.holder.Free(s)
		k.holder = nil
	}
}

// keeps reports whether the memory of an operation stays after it: of those with one phase.
func (k *keptPlans) keeps(op Kind, o Operation) bool {
	if !op.Memory {
		return false
	}
	m := o.Plan()
	return len(m) == 1 && m.Device() <= k.limit
}
