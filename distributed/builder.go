package distributed

import (
	"time"

	"github.com/suffixcl/suffixcl/device"
)

// Algorithm is a distributed suffix sorter. All give the same result.
type Algorithm string

// The algorithms.
const (
	PCSS Algorithm = "pcss"
	PDC3 Algorithm = "pdc3"
)

// Algorithms lists all.
func Algorithms() []Algorithm { return []Algorithm{PCSS, PDC3} }

// Options of New, the same on all ranks. The zero value is pCSS.
type Options struct {
	Algorithm Algorithm
	// Distributed has no rank sort for the others, also where its device has the memory.
	Distributed bool
	// MaxMemory bounds what rank 0 takes to sort for the others: bytes of its device and of the host, besides block and
	// result. 0 is 21 bytes a character of its block, and 16 MiB. On a GPU that all share, the device's memory is the
	// bound, and on a CPU that at most four share, if MaxMemory is 0.
	MaxMemory int64
	// Text identifies the whole text, such as a checksum: ranks in which it differs get ErrDiffer.
	Text uint64
	// Progress, if not nil, is called at the start of phases: suffixes in their place, of all ranks.
	Progress func(phase string, done, total int64)
}

// Stats of one call on one rank.
type Stats struct {
	BytesSent     int64 // to other ranks
	BytesReceived int64
	Sort          time.Duration // of items of this rank, transfers to its device included
	Communication time.Duration // and waiting for other ranks
	Total         time.Duration
	Share         int         // items that this rank got in the sort in which it got most
	Ranges        int         // that this rank sorted: SuffixRangesAt
	Phases        []PhaseTime // in the order of their first time
}

// PhaseTime is the time of a phase, by the clock of the rank.
type PhaseTime struct {
	Phase string
	Time  time.Duration
}

// lasted adds to the time of a phase.
func (s *Stats) lasted(phase string, d time.Duration) {
	for i := range s.Phases {
		if s.Phases[i].Phase == phase {
			s.Phases[i].Time += d
			return
		}
	}
	s.Phases = append(s.Phases, PhaseTime{phase, d})
}

// Builder computes on one rank. It belongs to one goroutine at a time.
type Builder struct {
	comm    Communicator
	session *device.Session
	options Options
	stats   Stats
	chunks  *chunks    // of downloads; nil before a long one
	known   []identity // of all ranks; nil before somebody asked
}

// Release gives back what is kept for later calls: pinned memory of the host. The builder may be used on.
func (b *Builder) Release() {
	b.chunks.release()
	b.chunks = nil
}

// Stats are the figures of the last call.
func (b *Builder) Stats() Stats { return b.stats }
