package device

import (
	"maps"
	"path/filepath"
	"time"

	"github.com/suffixcl/suffixcl/cl"
	"github.com/suffixcl/suffixcl/internal/driver"
)

// What the tests of package device_test see of the inside.

const (
	MaxPending = maxPending
	PinnedFrom = pinnedFrom
	WideFrom   = wideFrom
)

// PhaseError is a failure with its phase.
type PhaseError = phaseError

var (
	Select  = selectDevice
	Rate    = rate
	InFiles = inFiles
)

// Size is the sum of the buffers, in bytes.
func (l *Layout) Size() int64 { return l.size() }

// CapsOf has the type of a device only.
func CapsOf(t cl.DeviceType) *Caps { return &Caps{kind: t} }

// SetStagingChunk makes the pieces of a transfer smaller.
func (s *Session) SetStagingChunk(n int) {
	s.staging.release()
	s.staging.chunk = n
}

// GrowStagingChunk is SetStagingChunk before the first transfer; what is forbidden stays so.
func (s *Session) GrowStagingChunk(n int) { s.staging.chunk = n }

// Pinned reports whether transfers have used pinned memory.
func (s *Session) Pinned() bool { return s.staging.pinned[1] != nil }

// PinnedBytes is the size of a pinned chunk.
func (s *Session) PinnedBytes() int {
	if !s.Pinned() {
		return 0
	}
	return len(s.staging.pinned[1].host)
}

// ForbidPinning makes transfers do without pinned memory, as when there is none.
func (s *Session) ForbidPinning() {
	s.staging.release()
	s.staging.failed = true
}

// Builds counts the programs built from source, and those loaded from disk.
func (s *Session) Builds() (compiled, loaded int) { return s.builder.compiled, s.builder.loaded }

// CachePath is the file of a program.
func (s *Session) CachePath(src Source) string {
	text, err := assemble(&s.caps, src)
	if err != nil {
		panic(err)
	}
	return s.builder.disk.path(s.builder.key(text, src.resident))
}

// CacheKey is the key of a program text for a driver.
func CacheKey(c Caps, platformVersion, text string) string {
	b := newBuilder(&c, platformVersion, "off")
	return b.key(text, 0)
}

// DiskCache is a program cache with a bound of its own.
type DiskCache struct{ diskCache }

// NewDiskCache returns one in a directory.
func NewDiskCache(dir string, limit int64) *DiskCache {
	return &DiskCache{diskCache{dir: dir, limit: limit}}
}

// OpenDiskCache returns the one that sessions use.
func OpenDiskCache(dir, own string) *DiskCache { return &DiskCache{newDiskCache(dir, own)} }

// SharedPath is the file of a key in the first directory that is only read.
func (c *DiskCache) SharedPath(key string) string { return cachePath(c.read[0].path, key) }

func (c *DiskCache) Load(key string) []byte          { return c.load(key) }
func (c *DiskCache) Store(key string, binary []byte) { c.store(key, binary) }
func (c *DiskCache) Path(key string) string          { return c.path(key) }

// LimitHelpers says how long a helper may take to start, and for a program.
func (s *Session) LimitHelpers(greeting, program time.Duration) {
	s.builder.ahead.greeting, s.builder.ahead.limit = greeting, program
}

// Checksum of a file of the program cache.
func Checksum(key string, binary []byte) []byte { return checksum(key, binary) }

// Build builds a program, as the first launch of a kernel does.
func (p *Program) Build() (*cl.Program, error) {
	err := p.build()
	return p.program, err
}

// Make makes a kernel, as its first launch does.
func (k *Kernel) Make() error { return k.make() }

// Checked reports whether launches of the kernel are compared with its signature.
func (k *Kernel) Checked() bool { return k.signature != nil }

// Probe measures the subgroup width, whatever the device is.
func (s *Session) Probe() error {
	kept := s.caps
	defer func() { s.caps.Vendor, s.caps.CPUShape = kept.Vendor, kept.CPUShape }()
	s.caps.Vendor, s.caps.CPUShape = driver.Other, false
	return probe(s)
}

// Pending is the number of events whose times are not added up.
func (s *Session) Pending() int { return len(s.queue.profile.pending) }

// TestLanes is SelfTest with a work-group of another size.
func (s *Session) TestLanes(wg int) error { return testLanes(s, wg) }

// LaneOperations returns input and output of the self-test, built with more defines.
func (s *Session) LaneOperations(wg int, more Defines) (in, out []uint64, err error) {
	src := selfTestSource(wg)
	maps.Copy(src.Defines, more)
	return laneOperations(s, src, wg)
}

// CheckLanes is the comparison of the self-test.
func CheckLanes(in, out []uint64) error { return checkLanes(in, out) }

// ZeroCopied reports whether kernels have copied words.
func (s *Session) ZeroCopied() bool { return s.zeroCopy.memory != nil }

// FailZeroCopy has all words copied by commands, as where there is no pinned memory.
func (s *Session) FailZeroCopy() { s.zeroCopy.release() }

// SetOpenCLVersion changes the version that the device reports.
func (c *Caps) SetOpenCLVersion(v string) { c.openCLVersion = v }

// KeepPinned has up to so many bytes of page-locked memory kept after their release.
func (s *Session) KeepPinned(bytes int) { s.host.most = bytes }

// ExpectBuilds starts helpers for work that is expected.
func (s *Session) ExpectBuilds() { s.builder.ahead.expect() }

// Abandon forgets the driver's objects, whatever the driver is.
func (s *Session) Abandon() error { return s.abandon() }

// WriteArchive writes files as an archive.
var WriteArchive = writeArchive

// TargetOf is the architecture of PTX.
var TargetOf = targetOf

// ComparePTX returns why a device cannot take PTX of a driver for an architecture.
var ComparePTX = comparePTX

// PortableKey is the key of a program's PTX.
func PortableKey(c Caps, text string, resident int) string {
	b := newBuilder(&c, "", "off")
	return b.portableKey(text, resident)
}

// LoadPortable is what a builder for a device finds of a program in a cache that is only read.
func LoadPortable(c Caps, path, text string, resident int) (binary []byte, notes []string) {
	b := newBuilder(&c, "", "off"+string(filepath.ListSeparator)+path)
	defer b.disk.close()
	f := &found{text: text, resident: resident, key: b.key(text, resident)}
	b.isCached(f)
	return f.binary, b.disk.notes
}

// Identity is that of the builder.
func (s *Session) Identity() string { return s.builder.identity }
