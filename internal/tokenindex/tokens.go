package tokenindex

import (
	"context"
	"encoding/binary"
	"fmt"
	"io"
	"sync/atomic"
	"unsafe"

	"github.com/suffixcl/suffixcl/internal/bytesize"
	"github.com/suffixcl/suffixcl/internal/parallel"
)

// Token is the type of tokens.
type Token interface{ uint8 | uint16 | uint32 }

// TokenFile is a file of tokens that are to be sorted.
type TokenFile struct {
	Name   string // for errors
	File   io.ReaderAt
	Size   int64 // in bytes
	Format Format
	// Vocabulary is the number of tokens that there are, if it is not 0: others, but separators, are an error.
	Vocabulary uint64
	// Progress, if not nil, is told the bytes that were read. It is called from several goroutines.
	Progress func(done, total int64)
}

// Check returns an *Error if the file does not hold whole tokens of so many bytes.
func (f *TokenFile) Check(width int) error {
	if err := f.Format.CheckWidth(width); err != nil {
		return &Error{f.Name, -1, err.Error()}
	}
	if f.Size < 0 {
		return &Error{f.Name, -1, fmt.Sprintf("a size of %d bytes", f.Size)}
	}
	if f.Size%int64(width) != 0 {
		return &Error{f.Name, f.Size / int64(width) * int64(width),
			fmt.Sprintf("the file ends within a token: %s, %d a token", bytesize.Count(f.Size, "byte"), width)}
	}
	return nil
}

// readChunk is how much is read between looks at the context.
const readChunk = 1 << 20

// ReadTokens reads a file as symbols that compare as numbers as the format compares tokens: those of InfiniGram have
// their bytes reversed. It reads on all processors, and takes 1 MiB for each in addition to the result. Errors: *Error;
// those of the file and the context.
func ReadTokens[T Token](ctx context.Context, f *TokenFile) ([]T, error) {
	width := int(unsafe.Sizeof(*new(T)))
	if err := f.Check(width); err != nil {
		return nil, err
	}
	if f.File == nil && f.Size > 0 {
		return nil, &Error{f.Name, -1, "TokenFile.File is nil"}
	}
	tokens := make([]T, f.Size/int64(width))
	var done atomic.Int64
	err := parallel.Try(len(tokens), readChunk, func(lo, hi int) error {
		data := make([]byte, min(readChunk, (hi-lo)*width))
		for at := lo; at < hi; at += len(data) / width {
			if ctx.Err() != nil {
				return context.Cause(ctx)
			}
			data = data[:min(len(data), (hi-at)*width)]
			if _, err := f.File.ReadAt(data, int64(at)*int64(width)); err != nil {
				return fmt.Errorf("reading %s: %w", f.Name, err)
			}
			if bad := decode(tokens[at:at+len(data)/width], data, f); bad >= 0 {
				token := value(binary.LittleEndian, data[bad*width:(bad+1)*width])
				return &Error{f.Name, int64(at+bad) * int64(width),
					fmt.Sprintf("token %d is not in the vocabulary of %d", token, f.Vocabulary)}
			}
			if f.Progress != nil {
				f.Progress(done.Add(int64(len(data))), f.Size)
			}
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	return tokens, nil
}

// decode returns the number of the first token that is not in the vocabulary, or -1.
func decode[T Token](to []T, data []byte, f *TokenFile) int {
	if f.Vocabulary != 0 {
		width := int(unsafe.Sizeof(*new(T)))
		separator := uint64(^T(0))
		for i := range to {
			v := value(binary.LittleEndian, data[i*width:(i+1)*width])
			if v >= f.Vocabulary && (v != separator || !f.Format.separators()) {
				return i
			}
		}
	}
	order := f.Format.order()
	switch to := any(to).(type) {
	case []uint8:
		copy(to, data)
	case []uint16:
		if order == binary.BigEndian {
			for i := range to {
				to[i] = binary.BigEndian.Uint16(data[2*i:])
			}
			break
		}
		for i := range to {
			to[i] = binary.LittleEndian.Uint16(data[2*i:])
		}
	case []uint32:
		if order == binary.BigEndian {
			for i := range to {
				to[i] = binary.BigEndian.Uint32(data[4*i:])
			}
			break
		}
		for i := range to {
			to[i] = binary.LittleEndian.Uint32(data[4*i:])
		}
	}
	return -1
}

// value of a token.
func value(order binary.ByteOrder, data []byte) uint64 {
	switch len(data) {
	case 1:
		return uint64(data[0])
	case 2:
		return uint64(order.Uint16(data))
	}
	return uint64(order.Uint32(data))
}

// CheckOffsets returns an *Error unless a file of offsets, of so many bytes, is that of tokens of InfiniGram, which
// have been read: 8 bytes for each document, ascending from 0, the places of all separators. It reads on all
// processors. Other errors: those of the file and the context.
func CheckOffsets[T Token](
	ctx context.Context, name string, file io.ReaderAt, size int64, tokensName string, tokens []T,
) error {
	if size%8 != 0 {
		return &Error{name, size / 8 * 8, fmt.Sprintf("the file ends within an offset: %s", bytesize.Count(size, "byte"))}
	}
	c := &offsetCheck[T]{name, tokensName, tokens, uint64(unsafe.Sizeof(*new(T)))}
	if size == 0 && len(tokens) > 0 {
		return &Error{name, -1, fmt.Sprintf("it is empty, and %s is not", tokensName)}
	}
	return parallel.Try(int(size/8), 1<<12, func(lo, hi int) error {
		for at := lo; at < hi; at += readChunk / 8 {
			if ctx.Err() != nil {
				return context.Cause(ctx)
			}
			data := make([]byte, 8*min(readChunk/8+1, int(size/8)-at)) // with the one after
			if _, err := file.ReadAt(data, 8*int64(at)); err != nil {
				return fmt.Errorf("reading %s: %w", name, err)
			}
			for i := 0; i < min(readChunk/8, hi-at); i++ {
				next := c.width * uint64(len(tokens))
				if 8*i+8 < len(data) {
					next = binary.LittleEndian.Uint64(data[8*i+8:])
				}
				if err := c.document(at+i, binary.LittleEndian.Uint64(data[8*i:]), next); err != nil {
					return err
				}
			}
		}
		return nil
	})
}

// offsetCheck compares offsets with tokens.
type offsetCheck[T Token] struct {
	name, tokensName string
	tokens           []T
	width            uint64
}

// document checks the offset of one, given that of the next or the end.
func (c *offsetCheck[T]) document(number int, offset, next uint64) error {
	wrong := func(format string, args ...any) error {
		return &Error{c.name, 8 * int64(number), fmt.Sprintf(format, args...)}
	}
	end := c.width * uint64(len(c.tokens))
	switch {
	case offset >= end:
		return wrong("offset %d is beyond %s, which has %d bytes", offset, c.tokensName, end)
	case offset%c.width != 0:
		return wrong("offset %d is no multiple of a token of %d bytes", offset, c.width)
	case number == 0 && offset != 0:
		return wrong("the first offset is %d", offset)
	case next <= offset:
		return wrong("offset %d is followed by %d", offset, next)
	}
	at := offset / c.width
	if c.tokens[at] != ^T(0) {
		return wrong("at byte %d of %s is no separator", offset, c.tokensName)
	}
	for i, token := range c.tokens[at+1 : min(next, end)/c.width] {
		if token == ^T(0) {
			return &Error{c.tokensName, int64((at + 1 + uint64(i)) * c.width),
				fmt.Sprintf("a separator within a document: %s does not have it", c.name)}
		}
	}
	return nil
}
