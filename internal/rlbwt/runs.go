package rlbwt

import (
	"context"
	"runtime"
	"slices"

	"github.com/suffixcl/suffixcl/internal/fmd"
	"github.com/suffixcl/suffixcl/internal/intmath"
	"github.com/suffixcl/suffixcl/internal/parallel"
)

// readBlocks is how many blocks are downloaded at a time: 2 MiB, of about a million runs.
const readBlocks = 1 << 15

// Runs calls yield for each run, in order; no two that follow each other have the same letter. Errors: yield's, the
// context's, the device's.
func (x *Index) Runs(ctx context.Context, yield func(fmd.Run) error) error {
	var last fmd.Run
	err := x.RunParts(ctx, func(parts ...[]fmd.Run) error {
		for _, r := range slices.Concat(parts...) {
			if r.Letter == last.Letter {
				last.Len += r.Len
				continue
			}
			if last.Len > 0 {
				if err := yield(last); err != nil {
					return err
				}
			}
			last = r
		}
		return nil
	})
	if err != nil || last.Len == 0 {
		return err
	}
	return yield(last)
}

// leastBlocks are worth a processor.
const leastBlocks = 1 << 9

// RunParts calls yield for the runs, many at a time, in order; all processors read them from the blocks. No two that
// follow each other in a part have the same letter, but a part may begin with the letter that the one before ends with.
// Errors: yield's, the context's, the device's.
func (x *Index) RunParts(ctx context.Context, yield fmd.Yield) error {
	words := make([]uint32, min(x.nblocks, readBlocks)*blockWords)
	for from := 0; from < x.nblocks; from += readBlocks {
		n := min(x.nblocks-from, readBlocks)
		part := words[:n*blockWords]
		if err := x.blocks.View(from*blockWords, len(part)).Download(ctx, part, nil); err != nil {
			return err
		}
		parts := parallel.Collect(n, max(leastBlocks, intmath.CeilDiv(n, runtime.GOMAXPROCS(0))),
			func(lo, hi int) []fmd.Run { return runsOf(part[lo*blockWords : hi*blockWords]) })
		if err := yield(parts...); err != nil {
			return err
		}
	}
	return nil
}

// runsOf are the runs of blocks.
func runsOf(blocks []uint32) []fmd.Run {
	const usual = 40 // runs of a block
	runs := make([]fmd.Run, 0, len(blocks)/blockWords*usual)
	for ; len(blocks) > 0; blocks = blocks[blockWords:] {
		eachSlot(blocks[:blockWords], func(letter byte, n uint64) {
			if last := len(runs) - 1; last >= 0 && runs[last].Letter == letter {
				runs[last].Len += n
			} else {
				runs = append(runs, fmd.Run{Letter: letter, Len: n})
			}
		})
	}
	return runs
}

// eachSlot goes through the slots of a block, where a run may have several.
func eachSlot(block []uint32, yield func(letter byte, n uint64)) {
	pair := block[0] >> rowBits
	for _, word := range block[slotsFrom:blockWords] {
		width, letterLen := uint32(longWidth), uint32(wideLetter)
		switch {
		case word&wideWord == 0:
			width, letterLen = narrowWidths>>(4*pair)&15, narrowLetter
		case word&longWord == wideWord:
			width = wideWidths >> (4 * pair) & 15
		}
		at := width - letterLen
		for slots := word >> (32 - longWidth/width*width); slots > 0; slots >>= width {
			if n := slots & (1<<at - 1); n > 0 {
				yield(byte(slots>>at&(1<<letterLen-1)+1)&7, uint64(n))
			}
		}
	}
}
