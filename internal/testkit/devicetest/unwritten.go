package devicetest

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/suffixcl/suffixcl/device"
	"github.com/suffixcl/suffixcl/internal/testkit/harness"
	"github.com/suffixcl/suffixcl/internal/tuned"
)

// Trace is what a computation does.
type Trace = harness.Trace

// Unwritten requires of every device and in every variant of [Composed] that a computation does the same whatever
// memory holds that nothing has been written to: see [harness.Unwritten]. Local memory is tried where SUFFIXCL_SOAK
// is 1, as programs are compiled anew for each content, and so is a third content.
func Unwritten(t *testing.T, compute func(t *testing.T, s *device.Session, trace *Trace) error) {
	u := harness.Unwritten{Local: Soak, Two: !Soak}
	Composed(t, func(t *testing.T, e Env) {
		i := slices.IndexFunc(Variants, func(v Variant) bool { return v.Name == e.Variant })
		require.NoError(t, u.Check(tuned.CLDevice(e.Session), Variants[i], func(s *device.Session, trace *Trace) error {
			return compute(t, s, trace)
		}))
	})
}
