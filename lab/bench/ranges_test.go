package bench

import (
	"testing"

	"github.com/stretchr/testify/assert"
)

func TestScaling(t *testing.T) {
	one := RangesRow{Bytes: 1000, Devices: 1, Seconds: 5, Begun: []PhaseBegun{{"sample", 0.5}, {rangesPhase, 1}}}
	efficiency, model := scaling(one, RangesRow{Bytes: 1000, Devices: 2, Seconds: 4})
	assert.InDelta(t, 5.0/8, efficiency, 1e-9)
	assert.InDelta(t, 5.0/6, model, 1e-9, "1 s on one, 4 s on both")
	// As much for each: what is before the ranges grows.
	efficiency, model = scaling(one, RangesRow{Bytes: 2000, Devices: 2, Seconds: 8})
	assert.InDelta(t, 5.0/8, efficiency, 1e-9)
	assert.InDelta(t, 5.0/6, model, 1e-9, "2 s on one, 8 s on both")
}
