package device

import (
	"cmp"
	"context"
	"errors"
	"fmt"

	"github.com/suffixcl/suffixcl/cl"
	"github.com/suffixcl/suffixcl/internal/driver"
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

// newSession returns a session without a device.
func newSession(caps Caps) *Session {
	s := &Session{caps: caps, programs: make(map[string]*Program)}
	s.memory = memory{queue: &s.queue, caps: &s.caps, limit: caps.Available(), limitName: "memory of " + caps.Name}
	s.host.queue = &s.queue
	if !caps.quirks.UnifiedMemory {
		s.host.most = mostSpare
	}
	s.staging = staging{host: &s.host, queue: &s.queue, caps: &s.caps, chunk: stagingChunk}
	s.uploads.main, s.downloads.main = &s.queue, &s.queue
	s.zeroCopy = zeroCopy{
		host: &s.host, queue: &s.queue, caps: &s.caps,
		program: func() *Program { return s.Program(zeroCopySource()) },
	}
	return s
}

// connect makes what a session has of OpenCL.
func (s *Session) connect(c Config, d *cl.Device) error {
	context, err := cl.CreateContext([]*cl.Device{d})
	if err != nil {
		return err
	}
	s.device, s.context = d, context
	s.memory.context, s.host.context = context, context
	s.uploads.device, s.uploads.context = d, context
	s.downloads.device, s.downloads.context = d, context
	s.builder = newBuilder(&s.caps, d.Platform().Version(), c.CacheDir)
	s.builder.device, s.builder.context = d, context
	s.builder.onBuild = c.OnBuild
	s.builder.helpers(c)
	return s.queue.open(context, d, &s.caps, c.Profile)
}

// Open opens a session on a device. It heeds a tuning file of `suffixcl-lab tune`: the one that the environment
// variable SUFFIXCL_TUNING names, which must exist, else suffixcl/tuning.json in the user's configuration directory, if
// there is one. "off" means none.
//
// Errors: [ErrNoDevice], where there is no library, platform or device, or the selector matches none; a tuning file
// that is damaged or does not fit the device; the driver's own.
func Open(c Config) (*Session, error) { return openWith(c, tune.Edits{}) }

func openWith(c Config, e tune.Edits) (*Session, error) {
	d := c.Device
	defer hooks.Begin("open device")()
	if d == nil {
		var err error
		if d, err = selectDevice(c.Selector); err != nil {
			return nil, err
		}
	}
	if d.Platform() == nil {
		return nil, fmt.Errorf("%w: Config.Device is none of those that List has", ErrNoDevice)
	}
	if why := useless(d); why != "" {
		return nil, fmt.Errorf("%w: %s of %s: %s", ErrNoDevice, d.Name(), d.Platform().Name(), why)
	}
	caps := identify(d)
	s, err := open(c, e, d, caps)
	if caps.quirks.ZeroCopy && errors.Is(err, errNoZeroCopy) {
		caps.quirks.ZeroCopy = false // the attempt may have cost the context
		s, err = open(c, e, d, caps)
	}
	return s, err
}

// open fails with errNoZeroCopy if that is tried, and fails.
func open(c Config, e tune.Edits, d *cl.Device, caps Caps) (_ *Session, err error) {
	s := newSession(caps)
	defer func() {
		if err != nil {
			s.Close()
		}
	}()
	if err := s.connect(c, d); err != nil {
		return nil, err
	}
	s.hooks, s.memory.contents, s.builder.edit = e.Hooks, e.Hooks.Fill, e.Hooks.Edit
	if e.Hooks.Bounds != nil {
		s.bounds = &bounds{session: s, poison: e.Hooks.Bounds}
		s.memory.redZone, s.uploads.bounds, s.downloads.bounds = redZone, s.bounds, s.bounds
	}
	s.staging.chunk = cmp.Or(e.Chunk, stagingChunk)
	s.caps.quirks.ZeroCopy = caps.quirks.ZeroCopy && !c.Profile // which is to have the kernels of the work only
	s.expectBuilds()
	if s.caps.quirks.ZeroCopy {
		if err := probeZeroCopy(s); err != nil {
			return nil, err
		}
	}
	if err := probe(s); err != nil {
		return nil, err
	}
	if c.MaxMemory > 0 && c.MaxMemory < s.memory.limit {
		s.memory.limit, s.memory.limitName = c.MaxMemory, "memory limit"
	}
	if e.Caps != nil {
		e.Caps(&s.caps)
		e.TuningFile = "off" // what it says holds for the device as it is
	}
	if s.tuning, err = loadTuning(&s.caps, e.TuningFile); err != nil {
		return nil, err
	}
	if e.Set != nil {
		e.Set(&s.caps, &s.tuning.Set)
	}
	if !s.caps.quirks.UnifiedMemory {
		s.memory.keep = c.KeepMemory
	}
	s.memory.resetPeak() // what opening took does not count
	s.queue.profile.enabled, s.queue.profile.timed = c.Profile, e.Hooks.Timed
	return s, nil
}

// Close waits for enqueued work and releases everything but the buffers: pinned memory, too. Buffers may still be
// released afterwards. All other use of the session fails. Closing twice does nothing. The error is that of enqueued
// work.
func (s *Session) Close() error {
	if s.context == nil {
		return nil
	}
	defer hooks.Begin("close device")()
	s.builder.ahead.close()
	var err error
	if !s.queue.closed() {
		err = s.queue.commands.Finish()
	}
	s.uploads.release()
	s.downloads.release()
	s.staging.release()
	s.zeroCopy.release()
	s.lookBack.release()
	s.host.release()
	s.memory.forget(0)
	s.memory.keep = 0
	for _, p := range s.programs {
		p.release()
	}
	s.programs = nil
	s.queue.release()
	s.context.Release()
	s.context = nil
	return err
}

// leave is Close in a process that ends, after its results are there. NVIDIA's objects are left to the system, which
// frees them when the process ends anyway: memory, programs and context one after the other take longer. Other drivers
// are not known to have nothing else to do.
func (s *Session) leave() error {
	if s.context == nil || s.caps.Vendor != driver.NVIDIA {
		return s.Close()
	}
	return s.abandon()
}

// abandon is Close without releasing anything.
func (s *Session) abandon() (err error) {
	s.builder.ahead.close()
	if !s.queue.closed() {
		err = s.queue.commands.Finish()
	}
	s.queue.err, s.queue.commands = errClosed, nil
	s.programs, s.context = nil, nil
	return err
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
