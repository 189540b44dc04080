package amdgpu

import (
	"context"
	"encoding/binary"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/suffixcl/suffixcl/internal/testkit/amdcode/amdcodetest"
)

// emulated are the targets, with a wavefront of 64 lanes and of 32.
var emulated = []string{"gfx906", "gfx90a", "gfx942", "gfx1030", "gfx1100"}

func newDevice(t *testing.T, target string, o Options) *Device {
	t.Helper()
	amdcodetest.Compiler(t)
	d, err := New(target, o)
	require.NoError(t, err)
	return d
}

// localBytes is an argument: that much local memory.
type localBytes int

// run compiles a text and launches the kernel k. Arguments are []uint32 and []byte (buffers, which are read back),
// blank (a buffer that nothing is written to), uint32, uint64 and localBytes.
func run(t *testing.T, d *Device, source string, global, local int, args ...any) error {
	t.Helper()
	m := d.m
	var options []string
	if m.options.Aligned {
		options = []string{"-Xclang", "-target-feature", "-Xclang", "-unaligned-access-mode"}
	}
	code, err := m.compile(context.Background(), source, options...)
	require.NoError(t, err)
	kernels, err := loadKernels(code, m.target)
	if err != nil {
		return err
	}
	m.counted = append(m.counted, kernels...)
	i := slices.IndexFunc(kernels, func(k *kernel) bool { return k.Name == "k" })
	require.GreaterOrEqual(t, i, 0, "no kernel k")
	return start(t, d, kernels[i], global, local, args)
}

// blank is a buffer of so many bytes that nothing is written to.
type blank int

func start(t *testing.T, d *Device, k *kernel, global, local int, args []any) error {
	t.Helper()
	m := d.m
	f := &function{kernel: k, args: make([]argument, len(args))}
	after := []func(){}
	for i, arg := range args {
		a := argument{set: true}
		switch v := arg.(type) {
		case []byte:
			a.buffer = m.memory.allocate(len(v), true)
			copy(a.buffer.data, v)
			a.buffer.mark(0, len(v))
			after = append(after, func() { copy(v, a.buffer.data) })
		case []uint32:
			a.buffer = m.memory.allocate(4*len(v), true)
			for j, x := range v {
				store32(a.buffer.data, 4*j, x)
			}
			a.buffer.mark(0, 4*len(v))
			after = append(after, func() {
				for j := range v {
					v[j] = load32(a.buffer.data, 4*j)
				}
			})
		case blank:
			a.buffer = m.memory.allocate(int(v), true)
		case uint32:
			a.value = binary.LittleEndian.AppendUint32(nil, v)
		case uint64:
			a.value = binary.LittleEndian.AppendUint64(nil, v)
		case localBytes:
			a.local = int(v)
		default:
			require.Fail(t, "argument", "%T", arg)
		}
		f.args[i] = a
	}
	m.launches++
	l := &launch{
		kernel: k, memory: &m.memory, options: &m.options, number: m.launches, lds: k.LDS, count: &k.counters,
		rng: rand.New(rand.NewPCG(m.rng.Uint64(), 0)), global: [3]int{global, 1, 1}, local: [3]int{local, 1, 1},
	}
	require.Zero(t, l.checkSizes())
	l.allocateArgs()
	require.Zero(t, l.fillArgs(f, [3]int{}, 1))
	err := l.run()
	for _, f := range after {
		f()
	}
	return err
}

// each runs a test on every target.
func each(t *testing.T, o Options, f func(t *testing.T, d *Device)) {
	for _, target := range emulated {
		t.Run(target, func(t *testing.T) { f(t, newDevice(t, target, o)) })
	}
}

// words returns n random words, among them some that are extreme.
func words(n int, seed uint64) []uint32 {
	rng := rand.New(rand.NewPCG(seed, 7))
	w := make([]uint32, n)
	for i := range w {
		switch w[i] = rng.Uint32(); i % 8 {
		case 1:
			w[i] >>= rng.IntN(32)
		case 3:
			w[i] = []uint32{0, 1, 0x7fffffff, 0x80000000, 0xffffffff}[rng.IntN(5)]
		}
	}
	return w
}
