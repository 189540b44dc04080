// Package tuned is the part of package device that only this module sees: the tuning parameters of a session, the
// selection of devices, sessions that tests open with other capabilities or parameters, and sessions without a device.
//
// Package device fills tune.Hooks, and this package gives them their types: the idiom of golang.org/x/tools'
// internal/packagesinternal. So no exported signature of a public package mentions a type that importers cannot
// name, and the packages of the module need no exported names for one another.
package tuned

import (
	"context"
	"io"

	"github.com/suffixcl/suffixcl/cl"
	"github.com/suffixcl/suffixcl/device"
	"github.com/suffixcl/suffixcl/internal/driver"
	"github.com/suffixcl/suffixcl/internal/hooks"
	"github.com/suffixcl/suffixcl/internal/tune"
)

// Of returns the tuning parameters of a session. Tests may change them before they plan anything.
func Of(s *device.Session) *tune.Set { return &tune.Hooks.State(s).Set }

// Key is how the tuning table knows the session's device.
func Key(s *device.Session) tune.Key { return tune.Hooks.State(s).Key }

// Device is what tuning parameters may ask of the session's device.
func Device(s *device.Session) tune.Device { return tune.Hooks.State(s).Device }

// CLDevice is the device of the session, nil without one.
func CLDevice(s *device.Session) *cl.Device { return tune.Hooks.CLDevice(s).(*cl.Device) }

// Quirks are properties of the device for which importers do not ask.
func Quirks(c *device.Caps) *driver.Quirks { return tune.Hooks.Quirks(c) }

// Identify returns what the driver reports of a device. A session adds what only a kernel can tell: the width of a
// subgroup.
func Identify(d *cl.Device) device.Caps { return tune.Hooks.Identify(d).(device.Caps) }

// Choose returns the index of the device that a selector means (see device.Config), or -1. Errors match
// device.ErrNoDevice.
func Choose(devices []*cl.Device, selector string) (int, error) {
	return tune.Hooks.Choose(devices, selector)
}

// Edits change what a session is opened with. What is nil or 0 stays as it is.
type Edits struct {
	// Caps changes the capabilities after they have been detected, to force portable paths. No tuning file is
	// read then.
	Caps func(*device.Caps)
	// Set changes the tuning parameters. It is told the capabilities.
	Set func(*device.Caps, *tune.Set)
	// TuningFile must exist. Empty means the one of device.Open, "off" means none.
	TuningFile string
	// Chunk is how many bytes are copied at a time to or from the device.
	Chunk int
	// Hooks is work that the session does for a test.
	Hooks hooks.Session
}

// Open is device.Open with edits.
func Open(c device.Config, e Edits) (*device.Session, error) {
	edits := tune.Edits{TuningFile: e.TuningFile, Chunk: e.Chunk, Hooks: e.Hooks}
	if e.Caps != nil {
		edits.Caps = func(caps any) { e.Caps(caps.(*device.Caps)) }
	}
	if e.Set != nil {
		edits.Set = func(caps any, set *tune.Set) { e.Set(caps.(*device.Caps), set) }
	}
	s, err := tune.Hooks.Open(c, edits)
	if err != nil {
		return nil, err
	}
	return s.(*device.Session), nil
}

// Offline returns a session with these capabilities and parameters, but without a device. Primitives and sorters can
// be planned on it, because their constructors call no driver; launches and allocations fail.
func Offline(c device.Caps, set tune.Set) *device.Session {
	return tune.Hooks.Offline(c, set).(*device.Session)
}

// Sources lists the programs that were asked for on a session, those of package device included, in the order of
// their files.
func Sources(s *device.Session) []device.Source { return tune.Hooks.Sources(s).([]device.Source) }

// Assemble returns the text of a program for a device: prologue, defines, common.cl and files, each with a #line.
func Assemble(c *device.Caps, source device.Source) (string, error) {
	return tune.Hooks.Assemble(c, source)
}

// Append returns the source with files of package kernels after its own, for the library's part of a template. The
// source's file system does not hide them.
func Append(source device.Source, files ...string) device.Source {
	return tune.Hooks.Append(source, files).(device.Source)
}

// WithResident returns the source with the number of work-groups that should fit on a compute unit, for a program that
// knows better than the compiler how many registers it should have. 0 leaves it to the compiler. It takes effect on
// NVIDIA.
func WithResident(source device.Source, groups int) device.Source {
	return tune.Hooks.Resident(source, groups).(device.Source)
}

// MemoryLimit returns the bytes of device memory that a plan may use, and the name of that limit.
func MemoryLimit(s *device.Session) (bytes int64, name string) { return tune.Hooks.MemoryLimit(s) }

// PeakBytes is the most device memory that was allocated at once since ResetPeak. Pinned memory of the host is not
// counted.
func PeakBytes(s *device.Session) int64 { return tune.Hooks.PeakBytes(s) }

// ResetPeak begins a new measurement of PeakBytes.
func ResetPeak(s *device.Session) { tune.Hooks.ResetPeak(s) }

// Status returns memory of the session in which the tiles of a launch with so many tickets publish so many words. The
// launch has to follow. !ok: it needs memory of its own, all 0.
func Status(s *device.Session, words int, tickets uint32) (of tune.Status, ok bool) {
	return tune.Hooks.Status(s, words, tickets)
}

// Rarely calls f. Programs and kernels that it asks a session for are not built ahead: a call launches them for
// uncommon texts only.
func Rarely(s *device.Session, f func()) { tune.Hooks.Rarely(s, f) }

// Forget forgets what a session was asked for since BuildAhead.
func Forget(s *device.Session) { tune.Hooks.Forget(s) }

// BuildAhead has helpers (device.Config.Helper) build the programs that a session was asked for, and that are in no
// cache. It does not wait.
func BuildAhead(s *device.Session) { tune.Hooks.BuildAhead(s) }

// Ahead returns how many of the programs of BuildAhead are built, and how many there were.
func Ahead(s *device.Session) (built, all int) { return tune.Hooks.Ahead(s) }

// Prepare builds the programs that BuildAhead builds, and waits for them. With all it builds all that were ever asked
// for, for uncommon texts, too.
func Prepare(ctx context.Context, s *device.Session, all bool) error {
	return tune.Hooks.Prepare(ctx, s, all)
}

// Caches are the directories that programs of the session are kept in: those of this module, then the driver's.
func Caches(s *device.Session) []string { return tune.Hooks.Caches(s) }

// CacheNotes are what people should know of the places of programs: which is not used, and why.
func CacheNotes(s *device.Session) []string { return tune.Hooks.CacheNotes(s) }

// Export writes an archive of the programs that are built, and returns how many these are. Of the same programs it is
// the same.
func Export(ctx context.Context, s *device.Session, w io.Writer) (programs int, err error) {
	return tune.Hooks.Export(ctx, s, w)
}

// ServeBuilds is the work of a helper. It returns when its input ends.
func ServeBuilds(in io.Reader, out io.Writer) error { return tune.Hooks.ServeBuilds(in, out) }

// Leave closes a session of a process that ends. Where the system frees what the driver has, that is left to it.
func Leave(s *device.Session) error { return tune.Hooks.Leave(s) }

// WantSelfTest asks for the program of SelfTest, for BuildAhead.
func WantSelfTest(s *device.Session) { tune.Hooks.WantSelfTest(s) }

// SelfTest runs the lane operations and work-group scans that kernels are made of, in the form that the session's
// capabilities choose. It compares the results with those of the host. The error is the first difference.
func SelfTest(s *device.Session) error { return tune.Hooks.SelfTest(s) }
