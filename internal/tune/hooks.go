package tune

import (
	"context"
	"io"

	"github.com/suffixcl/suffixcl/internal/driver"
	"github.com/suffixcl/suffixcl/internal/hooks"
)

// State is what package device knows of a session's tuning.
type State struct {
	Set    Set
	Key    Key    // how the table knows the device
	Device Device // what parameters may ask of the device
}

// Edits change what a session is opened with. What is nil or 0 stays as it is.
type Edits struct {
	Caps       func(caps any) // a *device.Caps, after detection
	Set        func(caps any, set *Set)
	TuningFile string // as Load takes it
	Chunk      int    // bytes that are copied at a time to or from the device
	Hooks      hooks.Session
}

// Status is where the tiles of a launch publish what they have: lookback.cl.
type Status struct {
	Words       any    // a *device.Buffer[uint64]
	Ticket, Run uint32 // its first ticket, and its number
}

// Hooks reach into package device, which sets them when it is initialised. Exported methods of its types would show
// importers the types of this package. The parameters of type any are device's; package tuned names their types.
var Hooks struct {
	State    func(session any) *State
	CLDevice func(session any) (device any)
	Quirks   func(caps any) *driver.Quirks
	Identify func(device any) (caps any)
	Choose   func(devices any, selector string) (int, error)
	Open     func(config any, e Edits) (session any, err error)
	Offline  func(caps any, set Set) (session any)
	Sources  func(session any) (sources any)
	Append   func(source any, files []string) any
	Resident func(source any, groups int) any

	Status func(session any, words int, tickets uint32) (s Status, ok bool)

	Rarely     func(session any, f func())
	Forget     func(session any)
	BuildAhead func(session any)
	Ahead      func(session any) (built, all int)
	Prepare    func(ctx context.Context, session any, all bool) error
	Caches     func(session any) (dirs []string)
	CacheNotes func(session any) (notes []string)
	Export     func(ctx context.Context, session any, w io.Writer) (programs int, err error)

	KernelDigest func() string

	ServeBuilds func(in io.Reader, out io.Writer) error

	Leave        func(session any) error
	WantSelfTest func(session any)
	SelfTest     func(session any) error
	MemoryLimit  func(session any) (bytes int64, name string)
	PeakBytes    func(session any) int64
	ResetPeak    func(session any)
	Assemble     func(caps, source any) (text string, err error)
}
