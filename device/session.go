package device

import (
	"cmp"
	"context"
	"errors"
	"fmt"

	"github.com/suffixcl/suffixcl/cl"
	"github.com/suffixcl/suffixcl/internal/hooks"
	"github.com/suffixcl/suffixcl/internal/tune"
)

// Config says how to open a Session. The zero value opens the device that
// [Select] finds for "auto".
type Config struct {
	// Device is used as it is; if nil, Selector chooses one.
	Device *cl.Device
	// Selector: see [Choose]. Empty means the environment variable
	// SUFFIXCL_DEVICE, or "auto".
	Selector string
	// Profile records the device time of every kernel. It costs some time for
	// each launch.
	Profile bool
	// MaxMemory bounds the bytes of device memory in use at any time; 0 means
	// what the device has.
	MaxMemory int64
	// OnBuild, if set, is told the files of a program before it is compiled, which may take seconds.
	// Programs that are loaded from CacheDir are not.
	OnBuild func(program string)
	// OnBuilt, if set, is called when the compilation that OnBuild was told of is over, well or not.
	OnBuilt func()
	// CacheDir holds compiled programs, 512 MiB of them at most: what was not used for longest is removed. Empty
	// means the directory that the environment variable SUFFIXCL_CACHE names, else suffixcl/programs in the user's
	// cache directory; "off" keeps none on disk. A directory that cannot be written is shared: it is read, and the
	// user's keeps what it lacks. One that belongs to another user than root, or that others may write, is not used.
	// PoCL keeps its programs itself, and is asked for them only if a directory is named that can be written.
	CacheDir string
	// TuningFile is the file of `suffixcl-lab tune` to use; it must exist. Empty means the
	// one that the environment variable SUFFIXCL_TUNING names, else suffixcl/tuning.json
	// in the user's configuration directory, if there is one; "off" means none.
	TuningFile string
}

// Session is one device with its context, in-order queue, program cache and
// profile. It is not safe for concurrent use.
type Session struct {
	device *cl.Device
	ctx    *cl.Context
	queue  *cl.CommandQueue
	caps   Caps
	tuning tune.State

	programs           programCache
	profile            profile
	staging            staging
	zeroCopy           zeroCopy
	pins               []*pinned // that callers hold
	uploads, downloads transferQueue
	hooks              hooks.Session

	phase      string
	err        error // first failure of enqueued work
	live, peak int64 // bytes of device memory
	limit      int64
	limitName  string
}

// Open opens a session on a device.
//
// Errors: cl.ErrNoLibrary, cl.ErrNoPlatform, cl.ErrNoDevice (all matched by
// ErrNoDevice too), a selector that matches nothing, a tuning file that is damaged or
// does not fit the device, or the driver's own.
func Open(c Config) (*Session, error) { return openWith(c, tune.Edits{}) }

func openWith(c Config, e tune.Edits) (*Session, error) {
	d := c.Device
	if d == nil {
		var err error
		if d, err = selectDevice(c.Selector); err != nil {
			return nil, err
		}
	}
	if why := useless(d); why != "" {
		return nil, fmt.Errorf("%w: %s of %s: %s", ErrNoDevice, d.Name(), d.Platform().Name(), why)
	}
	caps := Identify(d)
	s, err := open(c, e, d, caps)
	if caps.quirks.ZeroCopy && errors.Is(err, errNoZeroCopy) {
		caps.quirks.ZeroCopy = false // the attempt may have cost the context
		s, err = open(c, e, d, caps)
	}
	return s, err
}

// open fails with errNoZeroCopy if that is tried, and fails.
func open(c Config, e tune.Edits, d *cl.Device, caps Caps) (*Session, error) {
	s := &Session{device: d, caps: caps, hooks: e.Hooks}
	var err error
	if s.ctx, err = cl.CreateContext([]*cl.Device{d}); err != nil {
		return nil, err
	}
	var props cl.CommandQueueProperty
	if c.Profile {
		props = cl.CommandQueueProfilingEnable
	}
	if s.queue, err = s.ctx.CreateCommandQueue(d, props); err != nil {
		s.Close()
		return nil, err
	}
	s.caps.quirks.ZeroCopy = caps.quirks.ZeroCopy && !c.Profile // which is to have the kernels of the work only
	s.staging.chunk = cmp.Or(e.Chunk, stagingChunk)
	s.programs.init(&s.caps, d.Platform().Version(), c.CacheDir)
	s.programs.onBuild, s.programs.onBuilt = c.OnBuild, c.OnBuilt
	s.limit, s.limitName = s.caps.GlobalMem, "memory of "+s.caps.Name
	if s.caps.quirks.ZeroCopy {
		err = s.probeZeroCopy()
	}
	if err == nil {
		err = s.probe()
	}
	if err != nil {
		s.Close()
		return nil, err
	}
	if c.MaxMemory > 0 && c.MaxMemory < s.limit {
		s.limit, s.limitName = c.MaxMemory, "memory limit"
	}
	if e.Caps != nil {
		e.Caps(&s.caps)
		c.TuningFile = "off" // what it says holds for the device as it is
	}
	if err := s.tune(c.TuningFile); err != nil {
		s.Close()
		return nil, err
	}
	if e.Set != nil {
		e.Set(&s.caps, &s.tuning.Set)
	}
	s.ResetPeak() // what opening took does not count
	s.profile.enabled = c.Profile
	return s, nil
}

// errClosed is the sticky error of a closed session.
var errClosed = errors.New("device: the session is closed")

// Close waits for enqueued work and releases everything, pinned memory included, but the
// buffers, which can only be released afterwards; other use of the session fails. Closing twice does
// nothing.
func (s *Session) Close() error {
	if s.ctx == nil {
		return nil
	}
	var err error
	if s.queue != nil {
		err = s.queue.Finish()
	}
	s.uploads.finish()
	s.downloads.finish()
	s.err = errClosed
	s.profile.discard()
	s.staging.release(s)
	s.zeroCopy.release(s)
	for _, p := range s.pins {
		p.release(s)
	}
	s.pins = nil
	s.programs.release()
	s.queue.Release()
	s.ctx.Release()
	s.queue, s.ctx = nil, nil
	return err
}

// Caps returns what the device can do. It must not be modified.
func (s *Session) Caps() *Caps { return &s.caps }

// Device returns the OpenCL device.
func (s *Session) Device() *cl.Device { return s.device }

// Phase names the work that is enqueued from now on, for errors and profile.
func (s *Session) Phase(name string) { s.phase = name }

// Err returns the first failure of enqueued work that is known so far.
func (s *Session) Err() error { return s.err }

// Fail records a failure, unless there is one already; later launches do
// nothing. Primitives use it for errors that they find while enqueuing.
func (s *Session) Fail(err error) {
	if err == nil || s.err != nil {
		return
	}
	var known *phaseError
	if !errors.As(err, &known) {
		err = &phaseError{Phase: s.phase, Err: err}
	}
	s.err = err
}

// Recover clears the sticky error after an operation has reported it, and drops
// what the failed operation left in the queue. A device that is lost fails again
// at the next operation.
func (s *Session) Recover() {
	if s.err != nil && s.queue != nil {
		s.queue.Finish() // whatever it says, the operation has failed already
		s.profile.discard()
		s.err = nil
	}
}

// Finish waits for all enqueued work and returns its first error.
func (s *Session) Finish() error {
	if s.queue == nil {
		return s.err
	}
	if err := s.queue.Finish(); err != nil {
		s.Fail(err)
	}
	s.profile.harvest()
	return s.err
}

// Flush hands what is enqueued to the device, for a host that goes on with other things. Where Finish
// does not wait for what was flushed before, it does nothing.
func (s *Session) Flush() {
	if s.queue == nil || !s.caps.quirks.FinishAfterFlush {
		return
	}
	if err := s.queue.Flush(); err != nil {
		s.Fail(err)
	}
}

// Check returns the context's error, or the sticky error of the session. After a
// cancellation it waits until the device is idle, so that buffers may be
// released and reused.
func (s *Session) Check(ctx context.Context) error {
	if err := ctx.Err(); err != nil {
		return errors.Join(context.Cause(ctx), s.Finish())
	}
	return s.err
}

// LiveBytes is the device memory allocated now, PeakBytes the most since the
// last ResetPeak. The transfer staging is host memory and not counted.
func (s *Session) LiveBytes() int64 { return s.live }

// PeakBytes is described at LiveBytes.
func (s *Session) PeakBytes() int64 { return s.peak }

// ResetPeak starts a new measurement of PeakBytes.
func (s *Session) ResetPeak() { s.peak = s.live }

// MemoryLimit returns the bytes that a plan may use, and the name of that limit.
func (s *Session) MemoryLimit() (int64, string) { return s.limit, s.limitName }

// MapShape is a launch shape for kernels that treat every element on its own: the work-items of a work-group, and how
// many elements each should treat. n elements take n / (wg*items) work-groups, rounded up; FOR_TILE of common.cl walks
// over those of one.
func (s *Session) MapShape() (wg, items int) { return s.tuning.Set.Map.WG, s.tuning.Set.Map.Items }
