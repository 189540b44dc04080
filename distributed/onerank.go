package distributed

import (
	"time"

	"github.com/suffixcl/suffixcl/cl"
	"github.com/suffixcl/suffixcl/device"
	"github.com/suffixcl/suffixcl/internal/limits"
	"github.com/suffixcl/suffixcl/internal/tuned"
)

// identity is what tells the device of a rank from those of others. Two ranks that are equal in it share one.
type identity struct {
	Leader     uint64     // the least rank of its node
	Device     [16]byte   // a GPU's UUID
	Processors [16]uint64 // those that a CPU device may run on
	Known      bool
}

// identify is set by tests.
var identify = func(s *device.Session) (id identity) {
	d := tuned.CLDevice(s)
	if d.Type()&cl.DeviceTypeCPU != 0 {
		id.Processors, id.Known = processors()
	} else {
		id.Device, id.Known = d.UUID()
	}
	return id
}

// onOneDevice tells whether all ranks share one device, and it takes the whole text: to divide the text would only copy
// it. Ranks that are bound to different processors share none.
func (r *rank) onOneDevice() (bool, error) {
	if r.options.Distributed || only != "" {
		return false, nil
	}
	if r.comm.Size() == 1 {
		return r.planOneRank() == nil, nil
	}
	if err := r.openPipe(); err != nil {
		return false, err
	}
	type offer struct {
		identity
		Fits bool
	}
	mine := offer{identify(r.session), r.comm.Rank() > 0 || r.planOneRank() == nil}
	mine.Leader = uint64(r.pipe.Leader())
	all, err := gathered(r, mine)
	if err != nil {
		return false, err
	}
	for _, e := range all {
		if !e.Known || e.identity != all[0].identity {
			return false, nil
		}
	}
	return all[0].Fits, nil
}

// planOneRank is nil if the device of this rank sorts the whole text.
func (r *rank) planOneRank() error {
	if err := limits.CheckLen("text", int(min(r.n, limits.MaxLen+1)), limits.MaxLen); err != nil {
		return err
	}
	p, err := planArray(r.session, int(r.n))
	if err != nil {
		return err
	}
	return device.MemoryPlan{p.memory()}.Fits(r.session)
}

// sortOnOneDevice sorts the whole text on the device of rank 0. Only memory of the node goes between the ranks.
func (r *rank) sortOnOneDevice(block []byte, sa []uint64) error {
	r.report("gather", 0, int64(r.n))
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
	fits, err := r.fitsOneRank()
	if err != nil || !fits {
		return false, err
	}
	return true, r.sortOnOneRank(text, sa)
}

// gatheredText is onOneRank where rank 0 has its block only.
func (r *rank) gatheredText(block []byte, sa []uint64) (bool, error) {
	fits, err := r.fitsOneRank()
	if err != nil || !fits {
		return false, err
	}
	r.report("gather", 0, int64(r.n))
	counts := make([]int, r.comm.Size())
	counts[0] = len(block)
	text, _, err := exchanged(r, block, counts)
	if err != nil {
		return false, err
	}
	return true, r.sortOnOneRank(text, sa)
}

// fitsOneRank tells all ranks whether rank 0 may sort the whole text.
func (r *rank) fitsOneRank() (bool, error) {
	if r.options.Distributed {
		return false, nil
	}
	var fits uint64
	if r.comm.Rank() == 0 && r.n <= limits.MaxLen {
		if p, err := planArray(r.session, int(r.n)); err == nil && r.affords(p.memory(), r.n/2) {
			fits = 1
		}
	}
	all, err := gathered(r, fits)
	return err == nil && all[0] == 1, err
}

// blockBytes is what a rank may take for each character of its block to work for others: device and host, without the
// text of the node. heldBytes of these are the block and that of the result.
const (
	blockBytes = 30
	heldBytes  = 9
)

// smallBlock is what nobody counts.
const smallBlock = 1 << 20

// affords tells whether this rank may take device memory and as many bytes of the host, besides those of its blocks.
func (r *rank) affords(m device.PhaseMemory, host uint64) bool {
	from, to := Bounds(r.n, r.comm.Size(), r.comm.Rank())
	return uint64(m.Device())+host <= (blockBytes-heldBytes)*(to-from)+smallBlock &&
		device.MemoryPlan{m}.Fits(r.session) == nil
}

func (r *rank) sortOnOneRank(text []byte, sa []uint64) error {
	r.report("sort on one rank", 0, int64(r.n))
	var (
		a   *array[uint8]
		err error
	)
	if r.comm.Rank() == 0 {
		began := time.Now()
		if a, err = newArray(r.session, len(text)); err == nil {
			err = a.text.Upload(r.ctx, text, nil)
		}
		if err == nil {
			err = a.sort(r.ctx)
		}
		defer a.release()
		r.sorts(began)
		r.stats.Share = max(r.stats.Share, len(text))
	}
	if err := r.agreed(err); err != nil {
		return err
	}
	r.report("deliver", int64(r.n), int64(r.n))
	return r.handOut(a, sa)
}

// Entries of a rank that go out at once.
const (
	leastPiece = 1 << 16
	mostPiece  = 1 << 20
)

// handOut gives each rank its block of the array of rank 0. It goes out in pieces: rank 0 never has all of it on the
// host.
func (r *rank) handOut(a *array[uint8], sa []uint64) error {
	p := r.comm.Size()
	_, largest := Bounds(r.n, p, 0)
	size := min(max(largest/8, leastPiece), mostPiece)
	var pieces []uint32
	if a != nil {
		pieces = make([]uint32, min(size*uint64(p), r.n))
	}
	var failed error
	for done := uint64(0); done < largest; done += size {
		counts, at := make([]int, p), 0
		for q := 0; q < p && a != nil; q++ {
			from, to := Bounds(r.n, p, q)
			from = min(from+done, to)
			part := pieces[at:][:min(size, to-from)]
			if failed == nil && len(part) > 0 {
				failed = a.sa.View(int(from), len(part)).Download(r.ctx, part, nil)
			}
			counts[q] = len(part)
			at += len(part)
		}
		got, _, err := exchanged(r, pieces[:at], counts)
		if err != nil {
			return err
		}
		widen(sa[min(int(done), len(sa)):][:len(got)], got)
	}
	return r.agreed(failed)
}
