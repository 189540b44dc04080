package ranges

import (
	"errors"
	"testing"

	"github.com/stretchr/testify/require"
)

// A device that asks for its next range after the run has been stopped learns why.
func TestTakeAfterStop(t *testing.T) {
	o := newOrder(Job[uint32]{}, NewText([]byte("banana")))
	o.divide(Split{Bounds: []int{3}})
	number, ok, err := o.take()
	require.NoError(t, err)
	require.True(t, ok)
	require.Zero(t, number)
	stopped := errors.New("stopped")
	o.stop(stopped)
	_, ok, err = o.take()
	require.False(t, ok)
	require.ErrorIs(t, err, stopped)
}
