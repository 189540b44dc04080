// Package tuned is the part of package device that only this module sees: the tuning parameters of a session,
// sessions that tests open with other capabilities or parameters, and sessions without a device.
//
// Package device fills tune.Hooks, and this package gives them their types: the idiom of golang.org/x/tools'
// internal/packagesinternal. So no exported signature of a public package mentions a type that importers cannot
// name, and the packages of the module need no exported names for one another.
package tuned

import (
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

// Quirks are what package device knows of the device beyond what importers ask for.
func Quirks(c *device.Caps) *driver.Quirks { return tune.Hooks.Quirks(c) }

// Edits change what a session is opened with. What is nil or 0 stays as it is.
type Edits struct {
	// Caps changes the capabilities after they have been detected, to force portable paths. No tuning file is
	// read then.
	Caps func(*device.Caps)
	// Set changes the tuning parameters. It is told the capabilities.
	Set func(*device.Caps, *tune.Set)
	// Chunk is how many bytes are copied at a time to or from the device.
	Chunk int
	// Hooks are what the session does for a test.
	Hooks hooks.Session
}

// Open is device.Open with edits.
func Open(c device.Config, e Edits) (*device.Session, error) {
	edits := tune.Edits{Chunk: e.Chunk, Hooks: e.Hooks}
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
