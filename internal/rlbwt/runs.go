package rlbwt

import (
	"context"

	"github.com/suffixcl/suffixcl/internal/fmd"
)

// readBlocks is how many blocks are downloaded at a time.
const readBlocks = 1 << 18

// Runs calls yield for each run, in order; no two that follow each other have the same letter. Errors: yield's, the
// context's, the device's.
func (x *Index) Runs(ctx context.Context, yield func(fmd.Run) error) error {
	words := make([]uint32, min(x.nblocks, readBlocks)*blockWords)
	var last fmd.Run
	for from := 0; from < x.nblocks; from += readBlocks {
		part := words[:min(x.nblocks-from, readBlocks)*blockWords]
		if err := x.blocks.View(from*blockWords, len(part)).Download(ctx, part, nil); err != nil {
			return err
		}
		for ; len(part) > 0; part = part[blockWords:] {
			err := eachSlot(part[:blockWords], func(letter byte, n uint64) error {
				if letter == last.Letter {
					last.Len += n
					return nil
				}
				run := last
				last = fmd.Run{Letter: letter, Len: n}
				if run.Len == 0 {
					return nil
				}
				return yield(run)
			})
			if err != nil {
				return err
			}
		}
	}
	if last.Len == 0 {
		return nil
	}
	return yield(last)
}

// eachSlot goes through the slots of a block, where a run may have several.
func eachSlot(block []uint32, yield func(letter byte, n uint64) error) error {
	width := 4 + 2*(block[0]>>rowBits)
	var held, letter uint64
	var count, up uint32
	next := slotsFrom
	for range slotBits / width {
		if count < width {
			held |= uint64(block[next]) << count
			next++
			count += 32
		}
		slot := held & (1<<width - 1)
		held >>= width
		count -= width
		n := slot >> 3
		switch kind := slot & 7; kind {
		case padding:
			return nil
		case moreLetter:
			up += width - 3
			n <<= up
		default:
			letter, up = kind, 0
			n++
		}
		if err := yield(byte(letter), n); err != nil {
			return err
		}
	}
	return nil
}
