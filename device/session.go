package device

import (
	"context"
	"errors"
	"sync"

	"github.com/suffixcl/suffixcl/cl"
	"github.com/suffixcl/suffixcl/internal/hooks"
	"github.com/suffixcl/suffixcl/internal/tune"
)

// Config says how to open a Session. The zero value opens the fastest device.
type Config struct {
	// Device is used as it is; if nil, Selector chooses one.
	Device *cl.Device
	// Selector is one of these:
	//   - "auto": the fastest GPU, else an accelerator, else the best driver of a CPU;
	//   - "gpu" or "cpu";
	//   - the index of a device in [List];
	//   - words of the device's, vendor's or platform's name, in any case; all of them must occur.
	//
	// Empty means the environment variable SUFFIXCL_DEVICE, or "auto" where that is empty too.
	Selector string
	// Profile records the device time of every kernel. It costs some time for each launch.
	Profile bool
	// MaxMemory bounds the bytes of device memory in use at any time. 0 means what the device has.
	MaxMemory int64
	// KeepMemory is how many bytes of device memory the session keeps of what is released, for buffers of the same size
	// that are allocated later. So calls that follow each other on texts of one length need not allocate: that and
	// freeing take 1 to 2 ms a GiB on NVIDIA, and 5 where four devices do so at the same time. What is kept counts for
	// MaxMemory, is freed when other buffers need it, and is missing to other programs. 0 means none, as it does for
	// devices that use the memory of the host.
	KeepMemory int64
	// OnBuild, if set, is told the files of a program before it is compiled, which may take seconds. It is not told of
	// programs that are loaded from CacheDir. What it returns, if not nil, is called when the compilation has ended or
	// failed.
	OnBuild func(program string) (built func())
	// CacheDir is a directory for compiled programs, 512 MiB at most: the least recently used are removed. Empty means
	// the directory that the environment variable SUFFIXCL_CACHE names, else suffixcl/programs in the user's cache
	// directory. "off" keeps none on disk.
	//
	// A directory that cannot be written is shared: it is read, and the user's keeps what it lacks. One that belongs to
	// another user than root, or that others may write, is not used. PoCL keeps its programs itself, and is asked for
	// them only if a directory is named that can be written.
	//
	// It may be a list of directories and archives of `suffixcl prepare --export`, separated as in PATH. The first
	// directory that can be written is the one that keeps programs, and the others are read. With "off" in the list none
	// is written. What does not fit the device or its driver is not used.
	CacheDir string
	// Helper is the suffixcl command, by its path, or a program that does the same with the argument build-programs. If
	// it is given, programs that a call certainly needs are built by several processes of it at once, while the session
	// builds others and moves data. They leave them in CacheDir. The session builds what they do not, as without them:
	// if there is no such program, or one ends early. Empty means no processes.
	Helper string
	// Helpers is the number of these processes, at most. 0 means the environment variable SUFFIXCL_HELPERS, if that is a
	// number, else what gains on the driver: 4 on NVIDIA, one processor less than there are on PoCL, none on others.
	// Negative means none.
	Helpers int
}

// Session is one device with its context, in-order queue, program cache and profile. It is not safe for concurrent use.
type Session struct {
	device  *cl.Device
	context *cl.Context // nil without a device, and once closed
	caps    Caps
	tuning  tune.State
	hooks   hooks.Session
	bounds  *bounds // nil but for tests

	queue              queue      // commands, their first failure and their times
	memory             memory     // of the device
	host               hostMemory // page-locked
	builder            builder
	programs           map[string]*Program // by id; nil once closed
	wanted             []*Program          // asked for since buildAhead, not rarely
	rare               int                 // depth of rarely
	staging            staging
	uploads, downloads transferQueue
	zeroCopy           zeroCopy
	lookBack           lookBack
}

// bounds checks, for tests, that kernels touch nothing but the views that they are given. All else of a buffer is a red
// zone for the time of a launch: the bytes around the views, and redZone bytes after the end of each allocation. It is
// poisoned before, and compared after. A kernel that writes there fails its launch. One that reads there computes with
// poison, which is another one in each launch, so that the suite sees it by the result. What was there comes back.
type bounds struct {
	session *Session
	poison  func(bytes int64) []byte
	mu      sync.Mutex // of transfers on other queues, which must not meet poison
}

// lookBack is memory in which the tiles of a launch tell each other what is before them: kernels/lookback.cl. It stays
// with the session. Words carry the number of their launch, so none is cleared before the next. It is in no plan.
// Package segsort leaves there what the host reads.
type lookBack struct {
	buffer *Buffer[uint64] // nil before the first launch
	run    uint32          // of the last launch
	ticket uint32          // that the next one gets
	known  bool            // no word is of a run to come, and the counter of tickets is at `ticket`
}

// Caps returns what the device can do. It must not be modified.
func (s *Session) Caps() *Caps { return &s.caps }

// Phase names the work that is enqueued from now on, in errors and in the profile.
func (s *Session) Phase(name string) { s.queue.phase = name }

// Err returns the first failure of enqueued work that is known so far.
func (s *Session) Err() error { return s.queue.err }

// Fail records a failure, unless there is one already. Later launches do nothing. A primitive calls it for an error
// that it finds while it enqueues.
func (s *Session) Fail(err error) { s.queue.fail(err) }

// Recover clears the sticky error after an operation has reported it. It waits for what the operation has left in the
// queue. A device that is lost fails again at the next operation.
func (s *Session) Recover() {
	s.lookBack.known = s.lookBack.known && s.queue.err == nil // launches may not have run
	s.queue.recover()
}

// Finish waits for all enqueued work and returns its first error.
func (s *Session) Finish() error { return s.queue.finish() }

// Check returns the context's error, or the sticky error of the session. After a cancellation it waits until the device
// is idle, so that buffers may be released and used again.
func (s *Session) Check(ctx context.Context) error {
	if err := ctx.Err(); err != nil {
		return errors.Join(context.Cause(ctx), s.Finish())
	}
	return s.queue.err
}

// Profile returns the times since the last ResetProfile, in the order of the first launches. It is nil without
// [Config].Profile. It waits for enqueued work.
func (s *Session) Profile() []KernelTime { return s.queue.times() }

// ResetProfile starts a new measurement.
func (s *Session) ResetProfile() {
	s.queue.times()
	s.queue.profile.reset()
}

// LiveBytes is the device memory that is allocated now, in bytes. Pinned memory of the host is not counted.
func (s *Session) LiveBytes() int64 { return s.memory.live }

// MapShape is a launch shape for kernels that treat every element on its own: the work-items of a work-group, and the
// elements of a work-item. n elements take n / (wg*items) work-groups, rounded up. FOR_TILE of common.cl is the loop
// over the elements of one.
func (s *Session) MapShape() (wg, items int) { return s.tuning.Set.Map.WG, s.tuning.Set.Map.Items }
