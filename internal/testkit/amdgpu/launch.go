package amdgpu

import (
	"fmt"
	"math/bits"
	"math/rand/v2"
	"strings"
)

// Options of the device.
type Options struct {
	// Seed of the schedule: which wavefront goes on, for how many instructions, and in which order work-groups start.
	Seed uint64
	// Resident is how many work-groups run at a time; with 0 the seed decides that for each launch, up to 12.
	Resident int
	// Limit is after how many instructions of wavefronts a launch is taken to hang; 0 takes 2^28.
	Limit uint64
	// Unchecked leaves out what needs a shadow of the memory: unwritten memory and races.
	Unchecked bool
	// Count has counters of memory kept, which takes time.
	Count bool
	// Aligned has programs compiled for hardware that takes aligned addresses only, and others are violations. Without
	// it only those of atomics are.
	Aligned bool
	// SameValue are kernels in which a race is no violation where the same value is written.
	SameValue []string
}

const defaultLimit = 1 << 28

// Schedules differ by how many work-groups run at a time, and after how many instructions at most another wavefront
// goes on.
var (
	residents = []int{1, 2, 4, 12}
	quanta    = []int{4, 64, 256, 1024}
)

func (o *Options) sameValue(kernel string) bool {
	for _, name := range o.SameValue {
		if name == kernel {
			return true
		}
	}
	return false
}

// launch is a kernel that runs.
type launch struct {
	kernel  *kernel
	memory  *space
	options *Options
	number  uint32 // which marks what it has touched
	global  [3]int
	local   [3]int
	args    *buffer
	lds     int // bytes of a work-group

	groups   [3]int
	total    int              // work-groups
	fenced   flats            // have passed a fence for the device
	told     map[uint64]clock // by atomic operations on a word
	pending  []uint32         // work-groups that have not begun, the next one last
	resident []*group
	room     int // for work-groups
	quantum  int // instructions at most
	idle     []*wave
	free     []*group
	rng      *rand.Rand
	count    *Counters
	executed uint64
}

// group is a work-group.
type group struct {
	id      [3]int
	flat    int
	local   []byte
	shadow  []shadow
	epoch   uint32
	waves   []*wave
	live    int
	waiting int
	barrier int // where they wait
	ready   []*wave
	order   order
}

// run runs all work-groups. Its error names kernel, instruction and place of a violation.
func (l *launch) run() (err error) {
	total := 1
	for i := range l.groups {
		l.groups[i] = l.global[i] / l.local[i]
		total *= l.groups[i]
	}
	l.total, l.told = total, make(map[uint64]clock)
	l.pending = make([]uint32, total)
	for i := range l.pending {
		l.pending[i] = uint32(i)
	}
	l.quantum = quanta[l.rng.IntN(len(quanta))]
	if l.room = residents[l.rng.IntN(len(residents))]; l.options.Resident > 0 {
		l.room = l.options.Resident
	}
	l.rng.Shuffle(total, func(i, j int) { l.pending[i], l.pending[j] = l.pending[j], l.pending[i] })
	l.kernel.mostLDS = max(l.kernel.mostLDS, l.lds)
	l.count.Launches++
	l.count.Groups += uint64(total)
	var current *wave
	defer func() {
		if e := recover(); e != nil {
			v, ok := e.(violation)
			if !ok {
				panic(e)
			}
			err = l.describe(current, v)
		}
	}()
	for {
		l.fill()
		if len(l.resident) == 0 {
			return nil
		}
		at := l.rng.IntN(len(l.resident))
		g := l.resident[at]
		current = g.ready[l.rng.IntN(len(g.ready))]
		l.advance(current, 1+l.rng.IntN(l.quantum))
		if current.done || current.waiting {
			l.stopped(g, current, at)
		}
		if l.executed > l.limit() {
			panic(fault("no end after %d instructions%s", l.executed, l.positions()))
		}
	}
}

func (l *launch) limit() uint64 {
	if l.options.Limit != 0 {
		return l.options.Limit
	}
	return defaultLimit
}

// positions says where wavefronts are.
func (l *launch) positions() string {
	var s strings.Builder
	for _, g := range l.resident {
		for _, w := range g.waves {
			if !w.done && s.Len() < 400 {
				in := &l.kernel.code[w.pc]
				fmt.Fprintf(&s, "; work-group %d wavefront %d at %#x %s", g.flat, w.index, in.address, in.text)
			}
		}
	}
	return s.String()
}

// describe is the error of a violation.
func (l *launch) describe(w *wave, v violation) error {
	in := &l.kernel.code[max(w.pc-1, 0)]
	return fmt.Errorf("kernel %s on %s, work-group %d, wavefront %d, %#x %s: %s",
		l.kernel.Name, l.kernel.target, w.group.flat, w.index, in.address, in.text, v.text)
}

// advance executes at most n instructions.
func (l *launch) advance(w *wave, n int) {
	code, c := l.kernel.code, l.count
	w.asleep = false
	for i := range n {
		in := &code[w.pc]
		w.pc++
		c.Instructions[in.class]++
		if in.class == classVector {
			c.Lanes += uint64(bits.OnesCount64(w.exec()))
			if w.indexed.parts != 0 {
				w.runIndexed(in)
				continue
			}
		}
		in.run(w, in)
		if w.done || w.waiting || w.asleep {
			l.executed += uint64(i)
			return
		}
	}
	l.executed += uint64(n)
}

// stopped deals with a wavefront that is at its end or at a barrier.
func (l *launch) stopped(g *group, w *wave, at int) {
	for i, r := range g.ready {
		if r == w {
			g.ready[i] = g.ready[len(g.ready)-1]
			g.ready = g.ready[:len(g.ready)-1]
		}
	}
	if w.done {
		g.live--
		if g.waiting > 0 {
			panic(fault("it ends, and others of its work-group wait at a barrier (%s)", l.kernel.code[g.barrier].text))
		}
	} else {
		if g.live < len(g.waves) {
			panic(fault("a barrier, and other wavefronts of the work-group have ended"))
		}
		if g.waiting > 0 && g.barrier != w.pc-1 {
			panic(fault("a barrier, and others of the work-group wait at another, at %#x", l.kernel.code[g.barrier].address))
		}
		g.barrier = w.pc - 1
		g.waiting++
	}
	switch {
	case g.live == 0:
		l.idle = append(l.idle, g.waves...)
		l.free = append(l.free, g)
		last := len(l.resident) - 1
		l.resident[at] = l.resident[last]
		l.resident = l.resident[:last]
	case g.waiting == g.live:
		g.waiting = 0
		g.epoch++
		g.ready = g.ready[:0]
		for _, w := range g.waves {
			w.waiting = false
			g.ready = append(g.ready, w)
		}
	}
}

// fill starts work-groups while there is room.
func (l *launch) fill() {
	for len(l.resident) < l.room && len(l.pending) > 0 {
		flat := int(l.pending[len(l.pending)-1])
		l.pending = l.pending[:len(l.pending)-1]
		l.resident = append(l.resident, l.start(flat))
	}
}

// start makes a work-group. Registers and local memory hold what makes no sense.
func (l *launch) start(flat int) *group {
	g := &group{}
	if n := len(l.free); n > 0 {
		g, l.free = l.free[n-1], l.free[:n-1]
	}
	if g.local == nil {
		g.local = make([]byte, l.lds)
		if !l.options.Unchecked {
			g.shadow = make([]shadow, (l.lds+3)/4)
		}
	}
	for i := range g.local {
		g.local[i] = 0xcd
	}
	clear(g.shadow)
	*g = group{local: g.local, shadow: g.shadow, waves: g.waves[:0], ready: g.ready[:0], flat: flat, epoch: 1,
		id: [3]int{flat % l.groups[0], flat / l.groups[0] % l.groups[1], flat / l.groups[0] / l.groups[1]}}
	size := l.local[0] * l.local[1] * l.local[2]
	for first := 0; first < size; first += l.kernel.Wavefront {
		w := l.wave()
		w.begin(l, g, first, min(size-first, l.kernel.Wavefront))
		g.waves = append(g.waves, w)
		g.ready = append(g.ready, w)
	}
	g.live = len(g.waves)
	l.count.Wavefronts += uint64(g.live)
	return g
}

// wave returns one that is not in use.
func (l *launch) wave() *wave {
	if n := len(l.idle); n > 0 {
		w := l.idle[n-1]
		l.idle = l.idle[:n-1]
		return w
	}
	k := l.kernel
	return &wave{
		launch: l, width: k.Wavefront,
		v: make([]uint32, max(k.VGPRs, 3)*k.Wavefront), scratch: make([]byte, k.Scratch*k.Wavefront),
	}
}
