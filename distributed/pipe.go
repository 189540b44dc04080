package distributed

import (
	"unsafe"

	"github.com/suffixcl/suffixcl/device"
	"github.com/suffixcl/suffixcl/internal/parallel"
	"github.com/suffixcl/suffixcl/internal/tuned"
)

// pipeBytes is the memory through which the ranks of a node pass arrays: two slots. Short transfers from a GPU take
// time.
var pipeBytes = 1 << 28

// piped tells whether ranks that share a device pass arrays through memory of the node. Where the device has its
// buffers in memory of the process, messages take less time: shared memory is of small pages, and all of them are new.
var piped = func(s *device.Session) bool { return !tuned.Quirks(s.Caps()).UnifiedMemory }

// pipe passes arrays between rank 0 and the others, all of one node, in rounds: in each a rank has a piece of a slot.
// While one side fills a slot, the other empties the one before. So there is one fence a round.
type pipe[T any] struct {
	r     *rank
	all   []T
	piece int // entries
}

// openPipe allocates the memory of pipes. All ranks call it. It is freed at the end.
func (r *rank) openPipe() error {
	p := r.comm.Size()
	_, largest := Bounds(r.n, p, 0)
	var err error
	r.pipe, err = r.comm.Shared(r.ctx, max(min(pipeBytes, 2*8*p*int(largest)), 2*8*p))
	return r.agreed(err)
}

// newPipe passes entries of type T through the memory of the rank's pipe.
func newPipe[T any](r *rank) *pipe[T] {
	bytes := r.pipe.Bytes()
	all := unsafe.Slice((*T)(unsafe.Pointer(unsafe.SliceData(bytes))), len(bytes)/int(unsafe.Sizeof(*new(T))))
	return &pipe[T]{r, all, len(all) / 2 / r.comm.Size()}
}

// slot is the memory of a round for the piece of a rank, and the places [from, to) of the text that it is for.
func (p *pipe[T]) slot(round, rank int) (memory []T, from, to uint64) {
	first, end := Bounds(p.r.n, p.r.comm.Size(), rank)
	from = min(first+uint64(round*p.piece), end)
	to = min(from+uint64(p.piece), end)
	at := (round%2*p.r.comm.Size() + rank) * p.piece
	return p.all[at : at+int(to-from)], from, to
}

// rounds is their number.
func (p *pipe[T]) rounds() int {
	_, largest := Bounds(p.r.n, p.r.comm.Size(), 0)
	return (int(largest) + p.piece - 1) / p.piece
}

// up has rank 0 take the blocks of all ranks. fill copies entries of the block from a number on. An error of take is
// one of all ranks.
func (p *pipe[T]) up(fill func(lo int, to []T), take func(from uint64, piece []T) error) error {
	var failed error
	me := p.r.comm.Rank()
	for round := range p.rounds() {
		memory, from, _ := p.slot(round, me)
		parallel.Do(len(memory), 1<<16, func(lo, hi int) { fill(int(from-p.r.first)+lo, memory[lo:hi]) })
		if err := p.r.fence(p.r.pipe); err != nil {
			return err
		}
		for q := 0; q < p.r.comm.Size() && me == 0 && failed == nil; q++ {
			memory, from, _ := p.slot(round, q)
			failed = take(from, memory)
		}
	}
	return p.r.agreed(failed)
}

// down has rank 0 give the pieces of all ranks, which take them. An error of give is one of all ranks.
func (p *pipe[T]) down(give func(from uint64, piece []T) error, take func(from uint64, piece []T)) error {
	var failed error
	me := p.r.comm.Rank()
	for round := range p.rounds() {
		for q := 0; q < p.r.comm.Size() && me == 0 && failed == nil; q++ {
			memory, from, _ := p.slot(round, q)
			failed = give(from, memory)
		}
		if err := p.r.fence(p.r.pipe); err != nil {
			return err
		}
		memory, from, _ := p.slot(round, me)
		take(from, memory)
	}
	return p.r.agreed(failed)
}

// copyParallel is copy on several processors.
func copyParallel[T any](to, from []T) {
	parallel.Do(len(from), 1<<18, func(lo, hi int) { copy(to[lo:hi], from[lo:hi]) })
}
