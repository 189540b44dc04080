package distributed_test

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/suffixcl/suffixcl/conformance"
	"github.com/suffixcl/suffixcl/device"
	"github.com/suffixcl/suffixcl/distributed"
	"github.com/suffixcl/suffixcl/internal/lab/devicetest"
	"github.com/suffixcl/suffixcl/internal/lab/mpitest"
	"github.com/suffixcl/suffixcl/mpi"
)

const rankVariable = "SUFFIXCL_DISTRIBUTED_TEST"

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
				b := distributed.New(distributed.OverMPI(mpi.World()), s, distributed.Options{Algorithm: a})
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
	return mpi.Finalize()
}

func TestUnderMPI(t *testing.T) {
	devicetest.Devices(t)
	for _, l := range mpitest.Launchers(t) {
		for _, p := range []int{1, 3} {
			t.Run(fmt.Sprintf("%s/%d", l.Name, p), func(t *testing.T) {
				r := l.Run(t, p, []string{rankVariable + "=1"}, os.Args[0])
				assert.Zero(t, r.Code, r.Stderr)
				assert.Equal(t, p, strings.Count(r.Stdout, "rank ended well"), r.Stderr)
			})
		}
	}
}
