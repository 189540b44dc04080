package inranges

import (
	"errors"
	"fmt"
	"io"

	"github.com/suffixcl/suffixcl/internal/call"
	"github.com/suffixcl/suffixcl/internal/entries"
	"github.com/suffixcl/suffixcl/internal/ranges"
)

// packedBytes are those of a position in SuffixBlock.Packed.
const packedBytes = ranges.PackedBytes

// writtenAtOnce is how many entries are written at a time.
const writtenAtOnce = 1 << 21

// WriteBlocks is that of suffixcl.RangeOptions.
func (o Options) WriteBlocks(w io.Writer, width int) (yield func(Block) error, err error) {
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
		return nil, call.ErrNoFunction
	}
	if o.Transform {
		return func(b Block) error {
			_, err := w.Write(b.Transform)
			return err
		}, nil
	}
	var buffer []byte
	return func(b Block) error {
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
