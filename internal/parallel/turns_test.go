package parallel_test

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/suffixcl/suffixcl/internal/parallel"
)

// What functions write comes in their order, however long they take and however much it is.
func TestTurns(t *testing.T) {
	for _, kept := range []int{0, 10, 1 << 20} {
		var got, want bytes.Buffer
		turns := parallel.Turns{To: &got, Kept: kept}
		for i := range 200 {
			lines := rand.IntN(20)
			for k := range lines {
				fmt.Fprintln(&want, i, k)
			}
			require.NoError(t, turns.Go(func(w io.Writer) error {
				time.Sleep(time.Duration(rand.IntN(100)) * time.Microsecond)
				for k := range lines {
					if _, err := fmt.Fprintln(w, i, k); err != nil {
						return err
					}
				}
				return nil
			}))
		}
		require.NoError(t, turns.Wait())
		require.Equal(t, want.String(), got.String(), kept)
	}
	require.NoError(t, new(parallel.Turns).Wait())
}

// limited takes so many bytes.
type limited int

var errNoRoom = errors.New("full")

func (l *limited) Write(p []byte) (int, error) {
	if *l -= limited(len(p)); *l < 0 {
		return 0, errNoRoom
	}
	return len(p), nil
}

// The first error in the order of the functions is that of all, and what comes before it is written.
func TestTurnsErrors(t *testing.T) {
	late, early := errors.New("late"), errors.New("early")
	for range 50 {
		var out bytes.Buffer
		turns := parallel.Turns{To: &out, Kept: 3}
		begun := 0
		for i := range 1000 {
			err := turns.Go(func(w io.Writer) error {
				switch i {
				case 7:
					time.Sleep(time.Millisecond)
					return early
				case 8:
					return late
				}
				_, err := io.WriteString(w, "text")
				return err
			})
			if err != nil {
				break
			}
			begun++
		}
		require.Less(t, begun, 1000)
		require.Equal(t, early, turns.Wait())
		require.Equal(t, bytes.Repeat([]byte("text"), 7), out.Bytes())
	}
	room := limited(40)
	turns := parallel.Turns{To: &room, Kept: 5}
	for range 100 {
		if turns.Go(func(w io.Writer) error {
			_, err := w.Write(make([]byte, 9))
			return err
		}) != nil {
			break
		}
	}
	require.Equal(t, errNoRoom, turns.Wait())
}
