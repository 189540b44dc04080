package suffixcl

import "testing"

// SmallBlocks lets results come in blocks of that many positions.
func SmallBlocks(t *testing.T, n int) {
	rows, block := rowsAtOnce, blockLength
	rowsAtOnce, blockLength = n, n
	t.Cleanup(func() { rowsAtOnce, blockLength = rows, block })
}

// Forget frees the memory that the engine keeps between calls.
func (e *Engine) Forget() {
	e.take(nil)
	defer e.give()
	e.plans.forget(e.session)
}

// Kept is the memory that the engine keeps between calls.
func (e *Engine) Kept() int64 {
	if e.plans.holder == nil {
		return 0
	}
	return e.plans.holder.memory().Device()
}

// The choices of AlgorithmAuto.
var Automatic = automatic
