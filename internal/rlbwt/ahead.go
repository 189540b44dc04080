package rlbwt

import (
	"context"
	"errors"

	"github.com/suffixcl/suffixcl/device"
	"github.com/suffixcl/suffixcl/internal/async"
)

// AppendAll appends batches, one after the other. While one walks the index, the codes of the next are copied to the
// device, where they take a byte a letter, unless memory is short. Then, if not nil, is asked for what comes after the
// last one, while that walks: the first batch of the next call, or nil if it is not known. After an error x has the
// batches before. Errors as Append.
func (x *Index) AppendAll(ctx context.Context, batches [][]byte, then func() []byte) error {
	for i, batch := range batches {
		x.next = then
		if i+1 < len(batches) {
			x.announce(batches[i+1])
		}
		if err := x.Append(ctx, batch); err != nil {
			return err
		}
	}
	return nil
}

// announce says what is appended after the next Append. The codes must not change until they are.
func (x *Index) announce(codes []byte) { x.next = func() []byte { return codes } }

// uploadNext copies the batch that was announced, while the device works.
func (x *Index) uploadNext(ctx context.Context) error {
	if x.next == nil {
		return nil
	}
	codes := x.next()
	x.next = nil
	if len(codes) == 0 || len(codes) > maxBatch {
		return nil
	}
	text, err := device.Alloc[uint8](x.s, len(codes))
	if memory := (*device.MemoryError)(nil); errors.As(err, &memory) {
		return nil // it is uploaded when there is room
	}
	if err != nil {
		return err
	}
	if err := async.Upload(ctx, text, codes, nil); err != nil {
		text.Release()
		return err
	}
	x.ahead = &ahead{codes, text}
	return nil
}

// upload has codes on the device.
func (x *Index) upload(ctx context.Context, codes []byte) (*device.Buffer[uint8], error) {
	there := x.ahead
	x.ahead = nil
	if there.is(codes) {
		return there.text, nil
	}
	there.release()
	text, err := device.Alloc[uint8](x.s, len(codes))
	if err != nil {
		return nil, err
	}
	if err := text.Upload(ctx, codes, nil); err != nil {
		text.Release()
		return nil, err
	}
	return text, nil
}
