package device

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/suffixcl/suffixcl/cl"
	"github.com/suffixcl/suffixcl/internal/driver"
	"github.com/suffixcl/suffixcl/internal/hooks"
)

// buildOptions are the same for every program. CL1.2 is what every vendor has;
// OpenCL C 3.0 atomics compile to worse code on NVIDIA.
// Signatures are for sessions that check launches, which have the others' programs.
const buildOptions = "-cl-std=CL1.2 -cl-kernel-arg-info"

// builder makes programs of sources for one device. Their binaries are on disk, keyed by everything that the binary
// depends on.
type builder struct {
	device   *cl.Device
	context  *cl.Context
	caps     *Caps
	disk     diskCache
	marks    diskCache // of what the driver keeps itself, where it does: that it was built
	identity string
	ahead    *ahead

	platformVersion string

	onBuild func(program string) (built func()) // may be nil
	edit    func(text string) string            // what a test has compiled instead; may be nil

	compiled, loaded int // programs built from source, and from a binary on disk
}

// newBuilder keeps binaries in a directory. A binary is offered to the very driver that made it only: some drivers
// cannot tell, and crash.
func newBuilder(caps *Caps, platformVersion, dir string) builder {
	own := userCache()
	b := builder{caps: caps, ahead: &ahead{}, platformVersion: platformVersion, identity: strings.Join([]string{
		caps.Platform, platformVersion, caps.Name, caps.DriverVersion, caps.openCLVersion, buildOptions,
	}, "\x00")}
	switch caps.Vendor {
	case driver.Oclgrind:
		dir = "off" // an interpreter: its checks need the source
	case driver.PoCL:
		b.marks = newDiskCache(dir, own)
		b.marks.read, b.marks.notes = nil, nil
		own = "" // it has a cache of its own, and compiles every kernel twice if it is asked for a binary
	}
	b.disk = newDiskCache(dir, own)
	b.disk.admit(b.fits)
	return b
}

// helpers says who builds ahead.
func (b *builder) helpers(c Config) {
	most := c.Helpers
	if most == 0 {
		most = helpersFor(b.caps, runtime.GOMAXPROCS(0))
		if n, err := strconv.Atoi(os.Getenv(HelpersVariable)); err == nil {
			most = n
		}
	}
	if c.Helper == "" || most <= 0 {
		return
	}
	dir := b.disk.dir
	if dir == "" && b.caps.rehearses() && os.Getenv("POCL_KERNEL_CACHE") != "0" {
		dir = b.marks.dir
	}
	if dir == "" || !writable(dir) {
		return
	}
	a, o := b.ahead, order{Identity: b.identity, Cache: b.disk.dir}
	a.most, a.greeting, a.limit = most, greetingLimit, helperLimit
	a.start = func() (*helper, error) { return startHelper(c.Helper, o, a.greeting) }
}

// caches are the directories of programs: those of this module, and those that the driver fills itself, as far as they
// are known.
func (b *builder) caches() (dirs []string) {
	add := func(dir string) {
		if dir != "" && !slices.Contains(dirs, dir) {
			dirs = append(dirs, dir)
		}
	}
	for _, c := range []diskCache{b.disk, b.marks} {
		add(c.dir)
		for _, s := range c.read {
			add(s.path)
		}
	}
	switch b.caps.Vendor {
	case driver.NVIDIA:
		home, _ := os.UserHomeDir()
		dirs = append(dirs, cmp.Or(os.Getenv("CUDA_CACHE_PATH"), filepath.Join(home, ".nv", "ComputeCache")))
	case driver.PoCL:
		dirs = append(dirs, cl.PoCLCache())
	}
	return dirs
}

func (b *builder) key(text string, resident int) string {
	sum := sha256.Sum256(fmt.Appendf(nil, "%s\x00%d\x00%s", b.identity, resident, text))
	return hex.EncodeToString(sum[:])
}

// build returns a program of the cache, or compiles it, if no helper does.
func (b *builder) build(of *Program) (*cl.Program, error) {
	src := of.src
	defer hooks.Begin("program " + src.name())()
	f, err := of.find()
	if err != nil {
		return nil, err
	}
	told := false
	tell := func() (built func()) {
		if b.onBuild != nil && !told {
			told, built = true, b.onBuild(src.name())
		}
		if built == nil {
			built = func() {}
		}
		return built
	}
	if b.ahead.has(of) {
		defer tell()()
		b.ahead.take(of)
	}
	if b.isCached(f) {
		if p := b.fromBinary(f.binary); p != nil {
			b.loaded++
			if f.from != "" && b.assembles() {
				b.disk.store(f.key, f.binary)
			}
			return p, nil
		}
		if f.from != "" {
			b.disk.note(f.from, "has a program that the driver refuses: %s", src.name())
		}
	}
	defer tell()()
	p, err := b.compile(f.text, src.resident)
	if err != nil {
		return nil, err
	}
	b.mark(f.key)
	if b.disk.dir != "" {
		if binary, err := p.Binary(b.device); err == nil {
			b.disk.store(f.key, binary)
		}
	}
	return p, nil
}

// isCached tells whether a binary is in the cache, and reads it.
func (b *builder) isCached(f *found) bool {
	if f.binary == nil {
		f.binary = b.disk.loadOwn(f.key)
	}
	if f.binary == nil && len(b.disk.read) > 0 {
		if f.binary, f.from = b.disk.loadRead(f.key); f.binary == nil && b.disk.hasPTX() {
			f.binary, f.from = b.disk.loadPortable(b.portableKey(f.text, f.resident), b.caps)
		}
	}
	return f.binary != nil
}

// isBuilt tells whether a program is in the cache, as far as is known.
func (b *builder) isBuilt(f *found) bool {
	if b.isCached(f) {
		return f.from == "" || !b.assembles()
	}
	return b.marks.load(b.markOf(f.key)) != nil
}

// assembles tells whether to load a binary takes as long as most of its compilation, until the driver has it in a cache
// of its own. A binary of a cache that is only read is work for helpers then. The directory that is written has those
// that were assembled.
func (b *builder) assembles() bool { return b.caps.Vendor == driver.NVIDIA }

// mark notes that the driver has a program in its cache.
func (b *builder) mark(key string) {
	if b.ahead.most > 0 && b.disk.dir == "" && b.marks.load(b.markOf(key)) == nil {
		b.marks.store(b.markOf(key), []byte{1})
	}
}

// markOf is the key of a mark: a program may be in one cache of the driver, and not in another.
func (b *builder) markOf(key string) string {
	sum := sha256.Sum256([]byte(key + os.Getenv("POCL_CACHE_DIR") + "\x00" + os.Getenv("XDG_CACHE_HOME")))
	return hex.EncodeToString(sum[:])
}

// ahead builds programs before their first launch, by helper processes, which hand them over through the cache on disk.
// The session takes what no helper has begun itself. So it goes on if there are no helpers, or if they end.
type ahead struct {
	start func() (*helper, error)
	most  int // helpers

	greeting, limit time.Duration // how long one may take to start, and for a program

	mu      sync.Mutex
	changed sync.Cond
	jobs    map[*Program]*job
	queue   []*job // in the order of the first launches, as far as that is known
	helpers int    // that run
	failed  int    // that did not start, or broke off
	expects bool   // work: helpers that have none wait for it
	closed  bool
}

// job is a program to build.
type job struct {
	request request
	state   jobState
}

type jobState int

const (
	jobWaits jobState = iota
	jobBegun          // by a helper
	jobDone           // by a helper, or taken from all of them
)

// helperLimit is how long a helper may take for a program. The longest known takes 1.1 s.
const helperLimit = time.Minute

// add queues programs, and starts helpers if there are enough programs for them.
func (a *ahead) add(programs []*Program, requests []request) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.init()
	waiting := 0
	for i, p := range programs {
		if a.jobs[p] == nil {
			j := &job{request: requests[i]}
			a.jobs[p] = j
			a.queue = append(a.queue, j)
		}
	}
	for _, j := range a.queue {
		if j.state == jobWaits {
			waiting++
		}
	}
	// The session builds one while a helper starts.
	a.hire(waiting - 1)
	a.expects = false
	a.changed.Broadcast()
}

// init makes what the zero value lacks. The caller has the lock.
func (a *ahead) init() {
	if a.jobs == nil {
		a.jobs = make(map[*Program]*job)
		a.changed.L = &a.mu
	}
}

// hire starts helpers until there are so many. The caller has the lock.
func (a *ahead) hire(helpers int) {
	for a.helpers < min(a.most, helpers) && a.failed == 0 && !a.closed {
		a.helpers++
		go a.serve()
	}
}

// earlyHelpers is how many helpers start before there is work: a call that has nothing compiled has work for as many,
// that of `devices` included. Each delays the start of the next.
const earlyHelpers = 2

// expect starts helpers for work that is expected. They wait for it until add is called, or close.
func (a *ahead) expect() {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.init()
	a.expects = a.most > 0
	a.hire(earlyHelpers)
}

// serve runs a helper until nothing waits.
func (a *ahead) serve() {
	started := hooks.Begin("start a helper")
	h, err := a.start()
	started()
	for err == nil {
		j := a.next()
		if j == nil {
			break
		}
		err = h.build(j.request, a.limit)
		a.mu.Lock()
		j.state = jobDone // if it failed, the session finds nothing in the cache
		a.changed.Broadcast()
		a.mu.Unlock()
	}
	h.close(err != nil)
	a.mu.Lock()
	a.helpers--
	if err != nil {
		a.failed++
	}
	a.mu.Unlock()
}

// next begins the last job that waits: the session comes from the other end. nil: there is none.
func (a *ahead) next() *job {
	a.mu.Lock()
	defer a.mu.Unlock()
	for a.expects && !a.closed {
		a.changed.Wait()
	}
	for i := len(a.queue) - 1; i >= 0 && !a.closed; i-- {
		if j := a.queue[i]; j.state == jobWaits {
			j.state = jobBegun
			return j
		}
	}
	return nil
}

// has tells whether a program is queued, and not built.
func (a *ahead) has(p *Program) bool {
	a.mu.Lock()
	defer a.mu.Unlock()
	j := a.jobs[p]
	return j != nil && j.state != jobDone
}

// take takes a program from the helpers. If one of them has begun it, it waits until that has ended.
func (a *ahead) take(p *Program) {
	a.mu.Lock()
	defer a.mu.Unlock()
	j := a.jobs[p]
	if j == nil {
		return
	}
	for j.state == jobBegun {
		a.changed.Wait()
	}
	j.state = jobDone
}

// count returns how many programs are built, of how many that were queued.
func (a *ahead) count() (done, total int) {
	a.mu.Lock()
	defer a.mu.Unlock()
	for _, j := range a.queue {
		if j.state == jobDone {
			done++
		}
	}
	return done, len(a.queue)
}

// close leaves what waits to nobody. Helpers end after the program that they build.
func (a *ahead) close() {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.init()
	a.closed = true
	a.changed.Broadcast()
}
