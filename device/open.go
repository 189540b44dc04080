package device

import (
	"cmp"
	"errors"
	"fmt"

	"github.com/suffixcl/suffixcl/cl"
	"github.com/suffixcl/suffixcl/internal/driver"
	"github.com/suffixcl/suffixcl/internal/hooks"
	"github.com/suffixcl/suffixcl/internal/tune"
)

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
	s.builder.disk.close()
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
