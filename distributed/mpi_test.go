package distributed_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"
	"syscall"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/suffixcl/suffixcl/cl"
	"github.com/suffixcl/suffixcl/conformance"
	"github.com/suffixcl/suffixcl/device"
	"github.com/suffixcl/suffixcl/distributed"
	"github.com/suffixcl/suffixcl/internal/hooks"
	"github.com/suffixcl/suffixcl/internal/mpi"
	"github.com/suffixcl/suffixcl/internal/testkit/devicetest"
	"github.com/suffixcl/suffixcl/internal/testkit/mpitest"
)

// Variables of ranks under mpirun: that this is one, and the phase in which rank 1 ends, by a signal or by an error.
const (
	rankVariable  = "SUFFIXCL_DISTRIBUTED_TEST"
	killVariable  = "SUFFIXCL_DISTRIBUTED_KILL"
	faultVariable = "SUFFIXCL_DISTRIBUTED_FAULT"
)

func TestMain(m *testing.M) {
	if os.Getenv(rankVariable) == "" {
		os.Exit(m.Run())
	}
	if err := runRank(context.Background()); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	fmt.Println("rank ended well")
}

// runRank is a rank under mpirun: it compares its blocks with those of the whole.
func runRank(ctx context.Context) error {
	if err := mpi.Init(); err != nil {
		return err
	}
	s, err := device.Open(device.Config{})
	if err != nil {
		return err
	}
	defer s.Close()
	if kill, fault := os.Getenv(killVariable), os.Getenv(faultVariable); kill+fault != "" {
		return runFailing(ctx, s, kill, fault)
	}
	if os.Getenv(memoryVariable) != "" {
		return errors.Join(measureMemory(ctx, s), mpi.Finalize())
	}
	p, r := mpi.World().Size(), mpi.World().Rank()
	for turn, n := range []int{0, 1, 5, 300, 5000} {
		i := -1
		for class, text := range conformance.Texts(n, 4) {
			i++
			if i%5 != turn { // the others are sorted in one process
				continue
			}
			sa := conformance.ReferenceSuffixArray(text)
			want, _ := conformance.ReferenceBWT(text, sa)
			block := blockOf(text, p, r)
			for _, a := range distributed.Algorithms() {
				b := distributed.New(distributed.OverMPI(mpi.World()), s, distributed.Options{
					Algorithm: a, Distributed: i%2 == 0, // else on the device that the ranks share
				})
				got, err := b.SuffixArray(ctx, block)
				if err != nil {
					return err
				}
				for j, v := range blockOf(sa, p, r) {
					if uint64(v) != got[j] {
						return fmt.Errorf("%s of %s: entry %d of rank %d is %d, not %d", a, class, j, r, got[j], v)
					}
				}
				if err := b.Verify(ctx, block, got); err != nil {
					return err
				}
				transform, _, err := b.BWT(ctx, block, got)
				if err != nil || !bytes.Equal(transform, blockOf(want, p, r)) {
					return fmt.Errorf("BWT of %s on rank %d: %w", class, r, err)
				}
			}
		}
	}
	freed, err := mpi.World().Dup()
	if err != nil {
		return err
	}
	b := distributed.New(distributed.OverMPI(freed), s, distributed.Options{})
	if err := freed.Free(); err != nil {
		return err
	}
	if _, err := b.SuffixArray(ctx, []byte("a")); !errors.Is(err, mpi.ErrFreed) {
		return fmt.Errorf("a communicator that was freed: %v", err)
	}
	return mpi.Finalize()
}

func TestUnderMPI(t *testing.T) {
	devicetest.Devices(t)
	for i, l := range mpitest.Launchers(t) {
		for _, p := range []int{1, 2, 3, 5} {
			if (i > 0 || testing.Short()) && p != 3 { // one library with many numbers
				continue
			}
			t.Run(fmt.Sprintf("%s/%d", l.Name, p), func(t *testing.T) {
				r := l.Run(t, p, []string{rankVariable + "=1"}, os.Args[0])
				assert.Zero(t, r.Code, r.Stderr)
				assert.Equal(t, p, strings.Count(r.Stdout, "rank ended well"), r.Stderr)
			})
		}
	}
}

// failingText repeats, so that a sort by ranks has all phases.
func failingText() []byte { return slices.Repeat(must(conformance.NewText("versions", 20000, 1)), 3) }

// phases are those of a sort by ranks.
var phases = []string{"text", "sort", "names", "recursion", "ranks", "sort again", "exchange", "merge", "deliver"}

// runFailing is a rank of a sort in which rank 1 ends when a phase begins, or its driver fails from then on.
func runFailing(ctx context.Context, s *device.Session, kill, fault string) error {
	p, r := mpi.World().Size(), mpi.World().Rank()
	text := failingText()
	b := distributed.New(distributed.OverMPI(mpi.World()), s, distributed.Options{
		Algorithm: distributed.PDC3, Distributed: true,
		Progress: func(phase string, _, _ int64) {
			switch {
			case r == 1 && phase == kill:
				syscall.Kill(os.Getpid(), syscall.SIGKILL)
			case r == 1 && phase == fault:
				hooks.InjectFaults(func(call string) int32 {
					if strings.HasPrefix(call, "cl") {
						return int32(cl.OutOfResources)
					}
					return 0
				})
			}
		},
	})
	_, err := b.SuffixArray(ctx, blockOf(text, p, r))
	if err != nil {
		fmt.Println("rank has an error:", err)
	}
	return errors.Join(err, mpi.Finalize())
}

// TestPhases has the phases of the sort in which ranks fail.
func TestPhases(t *testing.T) {
	s, text := sessions(t, 3), failingText()
	var seen []string
	errs := each(s, 3, distributed.Options{Algorithm: distributed.PDC3, Distributed: true},
		func(r int, b *distributed.Builder) error {
			_, err := b.SuffixArray(t.Context(), blockOf(text, 3, r))
			if r == 1 {
				for _, p := range b.Stats().Phases {
					seen = append(seen, p.Phase)
				}
			}
			return err
		})
	require.NoError(t, errors.Join(errs...))
	assert.Equal(t, phases, seen)
}

// TestRankEnds kills a rank in each phase, or has its device fail: all end soon, with the reason.
func TestRankEnds(t *testing.T) {
	devicetest.Devices(t)
	for _, l := range mpitest.Launchers(t)[:1] {
		kills, faults := phases, []string{"sort", "sort again", "merge"}
		if testing.Short() {
			kills, faults = []string{"names", "merge"}, []string{"sort again"}
		}
		for _, phase := range kills {
			t.Run("killed/"+phase, func(t *testing.T) {
				r := l.Run(t, 3, []string{rankVariable + "=1", killVariable + "=" + phase}, os.Args[0])
				assert.NotZero(t, r.Code)
				assert.Less(t, r.Took, mpitest.Soon)
				assert.NotContains(t, r.Stdout, "ended well")
			})
		}
		for _, phase := range faults {
			t.Run("fails/"+phase, func(t *testing.T) {
				r := l.Run(t, 3, []string{rankVariable + "=1", faultVariable + "=" + phase}, os.Args[0])
				assert.NotZero(t, r.Code)
				assert.Less(t, r.Took, mpitest.Soon)
				assert.Equal(t, 3, strings.Count(r.Stdout, "rank has an error: rank 1: "), r.Stdout+r.Stderr)
			})
		}
	}
}
