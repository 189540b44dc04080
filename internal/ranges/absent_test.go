package ranges_test

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/suffixcl/suffixcl/internal/ranges"
	"github.com/suffixcl/suffixcl/internal/testkit/devicetest"
)

// What a job needs and has not is an error; what it may lack is as if it were not there.
func TestAbsent(t *testing.T) {
	noBlock := func(ranges.Block[uint32]) error { return nil }
	share := func(_ context.Context, split ranges.Split, err error) (ranges.Split, error) { return split, err }
	devicetest.Native(t, func(t *testing.T, e devicetest.Env) {
		run := func(job ranges.Job[uint32]) error {
			sorter, err := ranges.New[uint32](e.Session, 6, ranges.Options{})
			require.NoError(t, err)
			_, err = sorter.Run(t.Context(), []byte("banana"), job)
			return err
		}
		for name, job := range map[string]ranges.Job[uint32]{
			"yield":  {},
			"a nil":  {Yield: noBlock, Others: []*ranges.Sorter[uint32]{nil}},
			"a zero": {Yield: noBlock, Others: []*ranges.Sorter[uint32]{{}}},
			"ranks":  {Yield: noBlock, Ranks: &ranges.Ranks{}},
			"share":  {Yield: noBlock, Ranks: &ranges.Ranks{Count: 1, Leads: true}},
			"desk":   {Yield: noBlock, Ranks: &ranges.Ranks{Share: share}},
		} {
			require.NotPanics(t, func() { require.Error(t, run(job), name) }, name)
		}
		require.NoError(t, run(ranges.Job[uint32]{Yield: noBlock}))
	})
}
