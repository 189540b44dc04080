package ranges

import (
	"cmp"
	"context"

	"golang.org/x/sync/errgroup"

	"github.com/suffixcl/suffixcl/device"
	"github.com/suffixcl/suffixcl/internal/async"
	"github.com/suffixcl/suffixcl/internal/intmath"
)

// pieceOf is how many of n characters are copied to the device at a time: their codes are whole words.
func pieceOf(n int) int { return min(intmath.RoundUp(intmath.CeilDiv(n, 32), 64), 16<<20) }

// piecesAtOnce is how many pieces of the text are in page-locked memory.
const piecesAtOnce = 3

// packedWords is the number of words of n characters, with the zeros after them.
func packedWords(n, width int) int { return intmath.CeilDiv(n*width, 64) + 2 }

// load packs the text on the device. Where a guessed code turns out to lack characters, the whole text tells, and is
// packed once more.
func (r *run[P]) load(ctx context.Context) error {
	m, s := r.memory, r.session
	if err := m.cover.Buffer(s).Write(r.cover.table()); err != nil {
		return err
	}
	for {
		code, guessed := r.text.coded()
		if err := m.table.Buffer(s).Write(code.table[:]); err != nil {
			return err
		}
		if err := m.letters.Buffer(s).Write(code.letters[:]); err != nil {
			return err
		}
		strange := r.counter()
		if err := r.pack(ctx, strange); err != nil {
			return err
		}
		switch found, err := r.count(strange); {
		case err != nil || found == 0:
			return err
		case !guessed:
			return ErrTextChanged
		}
		r.text.know()
		if code, _ := r.text.coded(); code.width > r.shape.width {
			return ErrGuess
		}
	}
}

// pack packs the text piece by piece. While one is packed, the next is copied to the device, and those after it to
// page-locked memory. The counter tells of characters that have no code.
func (r *run[P]) pack(ctx context.Context, strange int) error {
	words, length := packedWords(r.n, r.shape.width), pieceOf(r.n)
	free, filled := make(chan []byte, piecesAtOnce), make(chan []byte)
	for range piecesAtOnce {
		pinned, err := device.AllocPinned[byte](r.session, min(length, r.n))
		if err != nil {
			return err
		}
		defer pinned.Release() // when the goroutine has ended
		free <- pinned.Slice()
	}
	reading, stop := context.WithCancel(ctx)
	var group errgroup.Group
	group.Go(func() error {
		defer close(filled)
		return r.text.pieces(reading, free, filled)
	})
	err := r.packPieces(ctx, words, length, strange, free, filled)
	stop()
	if failed := group.Wait(); err == nil {
		err = failed
	}
	return err
}

// packPieces copies pieces to the device and packs them.
func (r *run[P]) packPieces(ctx context.Context, words, length, strange int, free chan<- []byte, filled <-chan []byte,
) error {
	s, k, m := r.session, &r.kernels, r.memory
	// flight is a piece on its way to the device.
	type flight struct {
		host []byte
		copy async.Transfer
	}
	var flights [2]flight
	defer func() { // before memory is released
		for _, f := range flights {
			if f.copy != nil {
				f.copy.Wait()
			}
		}
	}()
	at, from := 0, 0 // word, and character
	arrive := func(turn int) error {
		f := flights[turn]
		if f.copy == nil {
			return nil
		}
		flights[turn].copy = nil
		if err := f.copy.Wait(); err != nil {
			return err
		}
		end := words
		if from += len(f.host); from < r.n {
			end = at + length/64*r.shape.width
		}
		k.pack.Launch(k.tiles(end-at), int64(len(f.host))+8*int64(end-at), m.pieces[turn].Buffer(s), uint64(len(f.host)),
			m.table.Buffer(s), uint32(r.shape.width), uint64(at), uint64(end-at), m.packed.Buffer(s),
			m.counts.Buffer(s),
			uint32(strange))
		at = end
		free <- f.host[:cap(f.host)]
		return nil
	}
	turn := 0
	for host := range filled {
		if err := cmp.Or(s.Check(ctx), s.Finish()); err != nil { // what was in this piece's place is packed
			return err
		}
		flights[turn] = flight{host, async.StartUpload(m.pieces[turn].Buffer(s), host)}
		turn = 1 - turn
		if err := arrive(turn); err != nil {
			return err
		}
	}
	if err := arrive(1 - turn); err != nil {
		return err
	}
	return cmp.Or(s.Finish(), s.Check(ctx))
}
