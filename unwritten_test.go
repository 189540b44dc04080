package suffixcl_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/suffixcl/suffixcl"
	"github.com/suffixcl/suffixcl/conformance"
	"github.com/suffixcl/suffixcl/device"
	"github.com/suffixcl/suffixcl/internal/lab/devicetest"
)

// TestUnwritten: no operation and no sorter goes by what memory holds before anything has been written there.
func TestUnwritten(t *testing.T) {
	var texts []answers
	for _, c := range []struct {
		class string
		n     int
	}{
		{"equal/0", 70}, {"periodic/p=3", 200}, {"periodic/broken", 301}, {"fibonacci", 400}, {"staircase", 150},
		{"dna-records", 500}, {"repeats/sigma=4", 700}, {"repeats/sigma=26", 300}, {"versions", 1500},
		{"trailing-zeros", 65}, {"random/sigma=2", 2}, {"random/sigma=2", 1}, {"random/sigma=2", 0},
	} {
		text, err := conformance.NewText(c.class, c.n, 1)
		require.NoError(t, err)
		texts = append(texts, answersOf(text.Data))
	}
	devicetest.Unwritten(t, func(s *device.Session, trace *devicetest.Trace) error {
		for _, algorithm := range suffixcl.Algorithms() {
			engine, err := suffixcl.New(s, suffixcl.EngineOptions{Algorithm: algorithm, KeepMemory: -1})
			if err != nil {
				return err
			}
			for i, a := range texts {
				for j, op := range operations {
					if algorithm != suffixcl.AlgorithmAuto && j > 1 {
						continue
					}
					trace.Part("%s by %s, text %d", op.op, algorithm, i)
					if err := op.run(t.Context(), engine, a); err != nil {
						return err
					}
				}
			}
		}
		return nil
	})
}
