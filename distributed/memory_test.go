package distributed_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"runtime"
	"runtime/debug"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/suffixcl/suffixcl/cl"
	"github.com/suffixcl/suffixcl/conformance"
	"github.com/suffixcl/suffixcl/device"
	"github.com/suffixcl/suffixcl/distributed"
	"github.com/suffixcl/suffixcl/internal/addressspace"
	"github.com/suffixcl/suffixcl/internal/mpi"
	"github.com/suffixcl/suffixcl/internal/testkit/devicetest"
	"github.com/suffixcl/suffixcl/internal/testkit/mpitest"
	"github.com/suffixcl/suffixcl/internal/tuned"
)

// memoryVariable has a rank under mpirun measure its memory.
const memoryVariable = "SUFFIXCL_DISTRIBUTED_MEMORY"

// memoryChars is the length of the texts: much more than what a process takes besides.
const memoryChars = 1 << 21

// memorySlack is what a process takes besides.
const memorySlack = 2 << 20

// soak makes tests here as long as they should be now and then.
var soak = os.Getenv("SUFFIXCL_SOAK") == "1"

// memoryClasses are those of the texts: one that repeats, and in soak tests one that does not.
func memoryClasses() []string {
	if soak {
		return []string{"versions", "random/sigma=26"}
	}
	return []string{"versions"}
}

// usedMemory is what a rank says of a sort.
type usedMemory struct {
	Text    string
	Options string
	Rank    int
	Taken   int64 // as the system counts it: host, with block and result, and device where that is a CPU
	Device  int64 // of that
	Planned int64 // device and host
}

// resident is the most memory of this process since it was last asked.
func resident() (peak int64, err error) {
	return addressspace.Resident(), os.WriteFile("/proc/self/clear_refs", []byte("5"), 0)
}

// measureMemory is a rank that measures its memory.
func measureMemory(ctx context.Context, s *device.Session) error {
	debug.SetGCPercent(10) // as the command does
	defer distributed.SetSmallWork(1 << 20)()
	p, r := mpi.World().Size(), mpi.World().Rank()
	for _, class := range memoryClasses() {
		for _, o := range []distributed.Options{
			{Algorithm: distributed.PCSS, Distributed: true}, {Algorithm: distributed.PDC3, Distributed: true},
			{Algorithm: distributed.PCSS},
		} {
			used := usedMemory{Text: class, Options: fmt.Sprint(o.Algorithm, " ", o.Distributed), Rank: r}
			for _, n := range []int{20000, memoryChars} { // the first compiles
				block := bytes.Clone(blockOf(must(conformance.NewText(class, n, 1)), p, r))
				sa := make([]uint64, len(block))
				for i := range sa {
					sa[i] = 1 // as memory that is not written to does not count
				}
				b := distributed.New(distributed.OverMPI(mpi.World()), s, o)
				if err := b.Agree(ctx, nil); err != nil {
					return err
				}
				tuned.ResetPeak(s)
				debug.FreeOSMemory()
				if _, err := resident(); err != nil {
					return err
				}
				before, err := resident()
				if err != nil {
					return err
				}
				if err := b.SuffixArrayInto(ctx, block, sa); err != nil {
					return err
				}
				peak, err := resident()
				if err != nil {
					return err
				}
				plan, err := b.Plan(uint64(n))
				if err != nil {
					return err
				}
				used.Taken, used.Device = peak-before+9*int64(len(block)), tuned.PeakBytes(s)
				for _, phase := range plan {
					used.Planned = max(used.Planned, phase.Device()+phase.Host)
				}
			}
			line, err := json.Marshal(used)
			if err != nil {
				return err
			}
			fmt.Printf("%s\n", line)
		}
	}
	return nil
}

// TestMemory holds the memory of ranks, as the system counts it, to their plan, and to 30 bytes a character of a block
// and the text, which the node has once: devices that are CPUs read it there.
func TestMemory(t *testing.T) {
	d := devicetest.Devices(t)[0]
	if d.Type()&cl.DeviceTypeCPU == 0 || runtime.GOOS != "linux" { // what the system counts is not all
		return
	}
	l := mpitest.Launchers(t)[0]
	numbers := []int{3}
	if soak {
		numbers = []int{2, 3}
	}
	for _, p := range numbers {
		least := map[string]usedMemory{}
		over := func() (u []usedMemory) {
			for _, used := range least {
				if used.Taken >= min(30*int64(memoryChars/p)+memoryChars, used.Planned)+memorySlack {
					u = append(u, used)
				}
			}
			return u
		}
		// A rank that waits for a processor is sent more than it has asked for, and MPI keeps that: the least counts.
		for try := 0; try < 4 && (try == 0 || len(over()) > 0); try++ {
			// What the driver gives back goes to the system at once.
			r := l.Run(t, p, []string{rankVariable + "=1", memoryVariable + "=1", "MALLOC_MMAP_THRESHOLD_=131072"}, os.Args[0])
			require.Zero(t, r.Code, r.Stderr)
			for line := range strings.Lines(r.Stdout) {
				var used usedMemory
				if json.Unmarshal([]byte(line), &used) != nil {
					continue
				}
				t.Logf("%+v: %.1f bytes a character of a block, and the text", used,
					float64(used.Taken-memoryChars)/float64(memoryChars/p))
				key := fmt.Sprint(used.Text, used.Options, used.Rank)
				if before, ok := least[key]; !ok || used.Taken < before.Taken {
					least[key] = used
				}
			}
		}
		assert.Empty(t, over())
		assert.Len(t, least, 3*p*len(memoryClasses()))
	}
}
