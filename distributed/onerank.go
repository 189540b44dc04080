package distributed

import (
	"time"

	"github.com/suffixcl/suffixcl/device"
	"github.com/suffixcl/suffixcl/internal/addressspace"
	"github.com/suffixcl/suffixcl/internal/limits"
	"github.com/suffixcl/suffixcl/internal/tuned"
)

// identities are the identities of all ranks, which are asked for once.
func (r *rank) identities() ([]identity, error) {
	if r.known != nil {
		return r.known, nil
	}
	memory, err := r.comm.Shared(r.ctx, 1)
	if err := r.agreed(err); err != nil {
		return nil, err
	}
	defer memory.Free()
	mine := identify(r.session)
	mine.Leader = uint64(memory.Leader())
	r.known, err = gathered(r, mine)
	return r.known, err
}

// onOneDevice tells whether all ranks share one device, and rank 0 may sort the whole text there: to divide the text
// would only copy it. Ranks that are bound to different processors share none.
func (r *rank) onOneDevice() (bool, error) {
	if r.options.Distributed || only != "" {
		return false, nil
	}
	if r.comm.Size() == 1 {
		_, err := r.planOneRank()
		return err == nil, nil
	}
	all, err := r.identities()
	if err != nil {
		return false, err
	}
	for _, e := range all {
		if !e.Known || e != all[0] {
			return false, nil
		}
	}
	fits, err := gathered(r, r.comm.Rank() > 0 || r.maySortForAll())
	return err == nil && fits[0], err
}

// planOneRank is the memory in which the device of this rank sorts the whole text. Errors: it does not have that, or
// the text is too long.
func (r *rank) planOneRank() (m device.PhaseMemory, err error) {
	if err := limits.CheckLen("text", int(min(r.n, limits.MaxLen+1)), limits.MaxLen); err != nil {
		return m, err
	}
	p, err := planArray(r.session, int(r.n))
	if err != nil {
		return m, err
	}
	m = p.memory()
	return m, device.MemoryPlan{m}.Fits(r.session)
}

// sharedRanks is how many ranks of a CPU have the first one sort for all. It was counted to take 28.5 bytes a character
// of its block with so many, and plans 33 for any text.
const sharedRanks = 4

// maySortForAll tells whether rank 0 may sort the whole text on the device that all share. A GPU's memory is that of
// all its ranks; on a CPU it is memory of rank 0.
func (r *rank) maySortForAll() bool {
	m, err := r.planOneRank()
	if err != nil {
		return false
	}
	few := r.options.MaxMemory == 0 && r.comm.Size() <= sharedRanks
	return piped(r.session) || few || r.affords(m, 0)
}

// sortOnOneDevice sorts the whole text on the device of rank 0, which is that of all.
func (r *rank) sortOnOneDevice(block []byte, sa []uint64) error {
	r.report("gather", 0, int64(r.n))
	switch {
	case r.comm.Size() == 1:
	case piped(r.session):
		if err := r.openPipe(); err != nil {
			return err
		}
	default:
		text, err := collected(r, block)
		if err != nil {
			return err
		}
		return r.sortOnOneRank(text, sa, r.pieceOf())
	}
	var a *array[uint8]
	var err error
	if r.comm.Rank() == 0 {
		a, err = newArray(r.session, int(r.n))
		defer a.release()
	}
	if err := r.agreed(err); err != nil {
		return err
	}
	if err := r.uploadText(block, a); err != nil {
		return err
	}
	r.report("sort on one device", 0, int64(r.n))
	if a != nil {
		_, err = timed(r, func() ([]uint32, error) { return nil, a.sort(r.ctx) })
		r.stats.Share = int(r.n)
	}
	if err := r.agreed(err); err != nil {
		return err
	}
	r.report("deliver", int64(r.n), int64(r.n))
	if r.comm.Size() == 1 {
		return r.downloadWide(r.ctx, a.sa, sa)
	}
	return newPipe[uint32](r).down(func(from uint64, piece []uint32) error {
		return a.sa.View(int(from), len(piece)).Download(r.ctx, piece, nil)
	}, func(from uint64, piece []uint32) { widen(sa[from-r.first:][:len(piece)], piece) })
}

// uploadText brings the blocks of all ranks to the array of rank 0.
func (r *rank) uploadText(block []byte, a *array[uint8]) error {
	if r.comm.Size() == 1 {
		return a.text.Upload(r.ctx, block, nil)
	}
	var text *device.Buffer[uint8]
	if a != nil {
		text = a.text
	}
	return uploadAll(r, text, func(lo int, to []byte) { copy(to, block[lo:]) })
}

// uploadAll brings the blocks of all ranks to a buffer of rank 0. fill copies entries of the block from a number on.
func uploadAll[T device.Element](r *rank, to *device.Buffer[T], fill func(lo int, to []T)) error {
	return newPipe[T](r).up(fill, func(from uint64, piece []T) error {
		return to.View(int(from), len(piece)).Upload(r.ctx, piece, nil)
	})
}

// onOneRank sorts the whole text, which rank 0 has, on the device there; false on all ranks where it does not fit.
func (r *rank) onOneRank(text []byte, sa []uint64) (bool, error) {
	piece, err := r.fitsOneRank()
	if err != nil || piece == 0 {
		return false, err
	}
	return true, r.sortOnOneRank(text, sa, piece)
}

// gatheredText is onOneRank where rank 0 has its block only.
func (r *rank) gatheredText(block []byte, sa []uint64) (bool, error) {
	piece, err := r.fitsOneRank()
	if err != nil || piece == 0 {
		return false, err
	}
	r.report("gather", 0, int64(r.n))
	text, err := collected(r, block)
	if err != nil {
		return false, err
	}
	return true, r.sortOnOneRank(text, sa, piece)
}

// fitsOneRank tells all ranks whether rank 0 may sort the whole text: in pieces of how many entries it then gives the
// array to a rank, or 0.
func (r *rank) fitsOneRank() (piece int, err error) {
	if r.options.Distributed {
		return 0, nil
	}
	if r.comm.Rank() == 0 {
		if m, err := r.planOneRank(); err == nil && r.affords(m, r.n/2) {
			piece = r.pieceOf()
		}
	}
	all, err := gathered(r, int64(piece))
	if err != nil {
		return 0, err
	}
	return int(all[0]), nil
}

// blockBytes is how many bytes a rank may take for each character of its block to work for others: on device and host,
// without the text of the node. heldBytes of these are the block and that of the result.
const (
	blockBytes = 30
	heldBytes  = 9
)

// smallWork is a number of bytes that does not count: MPI and a driver take ten times as much in a process. Tests set
// it.
var smallWork uint64 = 16 << 20

// affords tells whether this rank may take device memory and as many bytes of the host, besides those of its blocks.
func (r *rank) affords(m device.PhaseMemory, host uint64) bool {
	from, to := Bounds(r.n, r.comm.Size(), r.comm.Rank())
	most := (blockBytes-heldBytes)*(to-from) + smallWork
	if r.options.MaxMemory > 0 {
		most = uint64(r.options.MaxMemory)
	}
	return uint64(m.Device())+host <= most && device.MemoryPlan{m}.Fits(r.session) == nil
}

// sortOnOneRank sorts the whole text, which rank 0 has. The array goes out in pieces of so many entries for a rank.
func (r *rank) sortOnOneRank(text []byte, sa []uint64, piece int) error {
	r.report("sort on one rank", 0, int64(r.n))
	var (
		a      *array[uint8]
		pieces []uint32
		err    error
	)
	if r.comm.Rank() == 0 {
		began := time.Now()
		pieces = addressspace.Make[uint32](min(piece*r.comm.Size(), int(r.n)))
		a, err = r.sortIn(text, pieces)
		defer a.release()
		r.sorts(began)
		r.stats.Share = max(r.stats.Share, len(text))
	}
	if err := r.agreed(err); err != nil {
		return err
	}
	r.report("deliver", int64(r.n), int64(r.n))
	return r.handOut(a, pieces, piece, sa)
}

// sortIn sorts a text. Its buffer is in memory of the host, where the device has it there, and so is the array, if
// there are as many entries.
func (r *rank) sortIn(text []byte, entries []uint32) (*array[uint8], error) {
	p, err := planArray(r.session, len(text))
	if err != nil {
		return nil, err
	}
	p.text.In(text)
	if len(entries) == len(text) {
		p.sa.In(entries)
	}
	a, err := p.allocate(r.session)
	if err == nil {
		err = a.text.Upload(r.ctx, text, nil)
	}
	if err == nil {
		err = a.sort(r.ctx)
	}
	return a, err
}

// Entries of a rank that go out at once, where they are copied from the device.
const (
	leastPiece = 1 << 16
	mostPiece  = 1 << 20
)

// pieceOf is how many entries of a rank go out at once: all where the device has them in memory of the process. Else
// rank 0 never has the whole array on the host.
func (r *rank) pieceOf() int {
	_, largest := Bounds(r.n, r.comm.Size(), 0)
	if tuned.Quirks(r.session.Caps()).HostBuffers {
		return int(largest)
	}
	return int(min(max(largest/8, leastPiece), mostPiece))
}

// handOut gives each rank its block of the array of rank 0, which has memory for the pieces of all and keeps its own.
func (r *rank) handOut(a *array[uint8], pieces []uint32, piece int, sa []uint64) error {
	p := r.comm.Size()
	_, largest := Bounds(r.n, p, 0)
	out, in := make([]int, p), make([]int, p)
	var failed error
	for done := 0; done < int(largest); done += piece {
		at := 0
		for q := 0; q < p && a != nil; q++ {
			from, to := Bounds(r.n, p, q)
			from = min(from+uint64(done), to)
			part := pieces[at:][:min(piece, int(to-from))]
			if failed == nil && len(part) > 0 {
				failed = a.sa.View(int(from), len(part)).Download(r.ctx, part, nil)
			}
			out[q] = len(part)
			at += len(part)
		}
		to := sa[min(done, len(sa)):]
		to = to[:min(piece, len(to))]
		if a != nil {
			widen(to, pieces[:len(to)])
			out[0] = 0
			if err := exchange(r, pieces[len(to):at], out, nil, in); err != nil {
				return err
			}
			continue
		}
		in[0] = len(to)
		got := secondHalf(to)
		if err := exchange(r, nil, out, got, in); err != nil {
			return err
		}
		for i, v := range got {
			to[i] = uint64(v)
		}
	}
	return r.agreed(failed)
}

// secondHalf is the second half of memory for entries of 64 bits, for as many entries of 32 bits. One after the other
// can be widened to its place.
func secondHalf(wide []uint64) []uint32 { return halves(wide)[len(wide):] }
