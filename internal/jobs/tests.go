package jobs

import (
	"context"
	"time"

	"github.com/suffixcl/suffixcl/device"
	"github.com/suffixcl/suffixcl/internal/sorter"
)

// Session is that of the engine.
func (e *Engine) Session() *device.Session { return e.session }

// Forget frees the memory that the engine keeps between calls.
func (e *Engine) Forget() {
	e.take(context.Background())
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

// Automatic are the choices of AlgorithmAuto.
func Automatic(caps *device.Caps, n int) []sorter.Algorithm { return sorter.Automatic(caps, n) }

// TimeOf is the time of a text that is so many times as long as the longer of two, by whose times it is estimated.
func TimeOf(short, long time.Duration, longer, by float64) time.Duration {
	least := rangesTime{ranges: long}
	return least.scale(by, fixedOf(rangesTime{ranges: short}, least, longer)).total()
}
