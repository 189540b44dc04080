package cli

import (
	"testing"

	"github.com/stretchr/testify/assert"
)

// Parts divide the total, however the stages overlap.
func TestStages(t *testing.T) {
	// Written while it computes; programs are compiled while it reads and computes.
	s := Stages{Open: 1, Read: 2, Compile: 1, Upload: 1, Compute: 4, Write: 9, Total: 10}
	parts := s.Parts()
	assert.Equal(t, []Stage{{"open", 1}, {"read", 2}, {"compile", 1}, {"upload", 1}, {"compute", 3}, {"write", 2}}, parts)
	assert.Equal(t, Stage{"compute", 3}, s.Bound())
	assert.EqualValues(t, 4, s.OnDevice())

	assert.Equal(t, []Stage{{"read", 1}, {RestStage, 3}}, Stages{Read: 1, Total: 4}.Parts())
	assert.Equal(t, Stage{RestStage, 3}, Stages{Read: 1, Total: 4}.Bound())
	assert.Equal(t, []Stage{{"compile", 2}}, Stages{Compile: 3, Compute: 1, Total: 2}.Parts())
	assert.Empty(t, Stages{}.Parts())
	assert.Zero(t, Stages{}.Bound())
}
