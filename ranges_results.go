package suffixcl

import (
	"context"
	"errors"
	"fmt"
	"io"
	"iter"
	"sync"

	"github.com/suffixcl/suffixcl/internal/entries"
	"github.com/suffixcl/suffixcl/ranges"
)

// errStopped ends a computation whose results nobody takes any more.
var errStopped = errors.New("suffixcl: the loop has ended")

// SuffixBlocks are the results of SuffixRanges for a loop, which gets each block, or in the end an error. A block is
// valid until the next one; meanwhile the next range is sorted. With Anywhere blocks come one by one, too, in any
// order. A loop that is left ends the computation, and waits for that. The body may not call the engines: see
// ErrInCallback. Saved is called by another goroutine, while the loop waits. Errors: those of SuffixRanges.
func (e *Engine) SuffixBlocks(ctx context.Context, text []byte, o RangeOptions) iter.Seq2[SuffixBlock, error] {
	return e.loopOver(o.Others, func(yield func(SuffixBlock) error) error {
		_, err := e.SuffixRanges(ctx, text, o, yield)
		return err
	})
}

// SuffixBlocksAt is SuffixBlocks for a text that is read piece by piece. Errors: those of SuffixRangesAt.
func (e *Engine) SuffixBlocksAt(ctx context.Context, text io.ReaderAt, n int, o RangeOptions,
) iter.Seq2[SuffixBlock, error] {
	return e.loopOver(o.Others, func(yield func(SuffixBlock) error) error {
		_, err := e.SuffixRangesAt(ctx, text, n, o, yield)
		return err
	})
}

// loopOver is a loop over what a computation of engines yields in goroutines of its own.
func (e *Engine) loopOver(others []*Engine, compute func(yield func(SuffixBlock) error) error,
) iter.Seq2[SuffixBlock, error] {
	return func(yield func(SuffixBlock, error) bool) {
		body := goroutine()
		blocks, taken, left := make(chan SuffixBlock), make(chan struct{}), make(chan struct{})
		var one sync.Mutex // block at a time
		var err error      // once blocks is closed
		go func() {
			defer close(blocks)
			err = compute(func(b SuffixBlock) error {
				one.Lock()
				defer one.Unlock()
				for _, engine := range append([]*Engine{e}, others...) {
					stream := &engine.callers.stream
					defer stream.Store(stream.Swap(body))
				}
				select {
				case blocks <- b:
				case <-left:
					return errStopped
				}
				select {
				case <-taken:
					return nil
				case <-left:
					return errStopped
				}
			})
		}()
		for b := range blocks {
			more := false
			func() {
				defer func() { // a body that panics is left, too
					if more {
						taken <- struct{}{}
						return
					}
					close(left)
					for range blocks {
					}
				}()
				more = yield(b, nil)
			}()
			if !more {
				return
			}
		}
		if err != nil {
			yield(SuffixBlock{}, err)
		}
	}
}

// packedBytes are those of a position in SuffixBlock.Packed.
const packedBytes = ranges.PackedBytes

// writtenAtOnce is how many entries are written at a time.
const writtenAtOnce = 1 << 21

// WriteBlocks is a function for SuffixRanges and SuffixRangesAt that writes their results to w: what options want, one
// thing alone. Positions and LCP arrays are little-endian integers of width bytes: 4, 5 or 8. The transform is as it
// is. What a job that goes on from a state writes follows what it has written before.
//
// Errors: options that want several results or none; another width. The function's: those of w; an entry that needs
// more bytes.
func (o RangeOptions) WriteBlocks(w io.Writer, width int) (yield func(SuffixBlock) error, err error) {
	wanted := 0
	for _, wants := range []bool{o.Transform, o.LCP, !o.NoPositions} {
		if wants {
			wanted++
		}
	}
	switch {
	case o.Anywhere:
		return nil, errors.New("suffixcl: blocks are written in their order")
	case wanted != 1:
		return nil, fmt.Errorf("suffixcl: one result is written, and options want %d", wanted)
	case !o.Transform && !o.LCP && o.Packed && width != packedBytes:
		return nil, fmt.Errorf("suffixcl: packed entries of %d bytes: %d", width, packedBytes)
	case !o.Transform && width != 4 && width != 5 && width != 8:
		return nil, fmt.Errorf("suffixcl: entries of %d bytes: 4, 5 or 8", width)
	case w == nil:
		return nil, ErrNoFunction
	}
	if o.Transform {
		return func(b SuffixBlock) error {
			_, err := w.Write(b.Transform)
			return err
		}, nil
	}
	var buffer []byte
	return func(b SuffixBlock) error {
		all := b.Positions
		if o.LCP {
			all = b.LCP
		}
		if b.Packed != nil && !o.LCP && width == packedBytes {
			_, err := w.Write(b.Packed)
			return err
		}
		for len(all) > 0 {
			part := all[:min(len(all), writtenAtOnce)]
			all = all[len(part):]
			if width == 4 {
				if err := within32(part); err != nil {
					return err
				}
			}
			if len(buffer) < len(part)*width {
				buffer = make([]byte, len(part)*width)
			}
			entries.Encode(buffer, width, part)
			if _, err := w.Write(buffer[:len(part)*width]); err != nil {
				return err
			}
		}
		return nil
	}, nil
}

// within32 returns an error for an entry of more than 32 bits.
func within32(part []uint64) error {
	all := uint64(0)
	for _, v := range part {
		all |= v
	}
	if all>>32 == 0 {
		return nil
	}
	for _, v := range part {
		if v>>32 != 0 {
			return fmt.Errorf("suffixcl: entry %d needs more than 4 bytes", v)
		}
	}
	return nil
}
