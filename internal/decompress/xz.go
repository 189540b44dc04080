package decompress

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"fmt"
	"hash"
	"hash/crc32"
	"hash/crc64"
	"io"
	"slices"
	"strings"

	"github.com/ulikunitz/xz/lzma"
)

// maxDictionary is eight times what xz -9 takes. A few bytes can ask for 4 GiB, in .xz those of each block again.
const maxDictionary = 1 << 29

// Errors of files of xz that are not read, or damaged.
var (
	errFilters = errors.New("it has filters (BCJ or delta) before LZMA2, which are not read: xz -dc does")
	errStream  = errors.New("the header of a stream is damaged")
	errHeader  = errors.New("the header of a block is damaged")
	errBlock   = errors.New("a block is damaged: it has another check or size")
	errIndex   = errors.New("the index is not that of the blocks")
)

const xzMagic = "\xfd7zXZ\x00"

// xzReader reads the streams of a file block by block. Package xz would allocate the dictionary that a block asks for,
// whatever its size.
type xzReader struct {
	in    *input
	flags [2]byte   // of the stream
	check hash.Hash // of the text of a block; nil: none
	index []byte    // records of the blocks of the stream
	count uint64    // of these
	block *xzBlock  // nil between blocks
}

// xzBlock is the block that is read.
type xzBlock struct {
	text                 io.Reader
	chunks               counter // what text is made from
	read                 uint64  // bytes of text
	header               int64   // bytes
	hasChunks, hasText   bool    // whether the header has their sizes
	chunkBytes, textSize uint64
}

func openXZ(in *input) (io.Reader, error) {
	x := &xzReader{in: in}
	if err := x.beginStream(); err != nil {
		return nil, unexpected(err)
	}
	if size, _ := in.Peek(1); len(size) == 0 || size[0] == 0 { // no block
		return x, nil
	}
	return x, x.next() // what is not read is refused at once
}

func (x *xzReader) Read(p []byte) (int, error) {
	for {
		for x.block == nil {
			if err := x.next(); err != nil {
				return 0, err
			}
		}
		n, err := x.block.text.Read(p)
		x.block.read += uint64(n)
		if x.check != nil {
			x.check.Write(p[:n])
		}
		if err == io.EOF {
			err = x.endBlock()
		}
		if n > 0 || err != nil || len(p) == 0 {
			return n, err
		}
	}
}

// next begins a block, or ends a stream and begins the one after it. It returns io.EOF at the end of the file.
func (x *xzReader) next() error {
	size, err := x.in.ReadByte()
	switch {
	case err != nil:
		return unexpected(err)
	case size > 0:
		return x.beginBlock(size)
	}
	if err := x.endStream(); err != nil {
		return err
	}
	return x.beginStream()
}

// beginStream reads the header of a stream, after padding: four zeros and four again. It returns io.EOF at the end of
// the file.
func (x *xzReader) beginStream() error {
	var h [12]byte
	for h[0] == 0 {
		n, err := io.ReadFull(x.in, h[:4])
		zeros := strings.Trim(string(h[:n]), "\x00") == ""
		switch {
		case !zeros && !strings.HasPrefix(xzMagic, string(h[:n])):
			return ErrGarbage
		case err != nil:
			return err
		}
	}
	if err := x.whole(h[4:]); err != nil {
		return err
	}
	switch {
	case string(h[:6]) != xzMagic:
		return ErrGarbage
	case !xzHeader(h[:]) || h[6] != 0 || h[7] > 15:
		return errStream
	}
	x.flags, x.index, x.count = [2]byte(h[6:]), nil, 0
	switch kind := h[7]; kind {
	case 0:
		x.check = nil
	case 1:
		x.check = crc32.NewIEEE()
	case 4:
		x.check = crc64.New(crc64.MakeTable(crc64.ECMA))
	case 10:
		x.check = sha256.New()
	default:
		return fmt.Errorf("its check, number %d, is not known", kind)
	}
	return nil
}

// whole fills b.
func (x *xzReader) whole(b []byte) error {
	_, err := io.ReadFull(x.in, b)
	return unexpected(err)
}

// beginBlock reads the header of a block, whose first byte tells its size.
func (x *xzReader) beginBlock(size byte) error {
	h := make([]byte, 4*(int(size)+1))
	h[0] = size
	if err := x.whole(h[1:]); err != nil {
		return err
	}
	fields, sum := h[2:len(h)-4], binary.LittleEndian.Uint32(h[len(h)-4:])
	flags := h[1]
	switch {
	case sum != crc32.ChecksumIEEE(h[:len(h)-4]) || flags&0x3c != 0:
		return errHeader
	case flags&3 != 0:
		return errFilters
	}
	b := &xzBlock{header: int64(len(h)), hasChunks: flags&0x40 != 0, hasText: flags&0x80 != 0}
	r := bytes.NewReader(fields)
	var err error
	if b.hasChunks {
		b.chunkBytes, err = binary.ReadUvarint(r)
	}
	if b.hasText && err == nil {
		b.textSize, err = binary.ReadUvarint(r)
	}
	var filter [3]byte // LZMA2, and one byte of properties
	if n, _ := r.Read(filter[:]); err != nil || n < 3 || filter[0] != 0x21 || filter[1] != 1 {
		return errHeader
	}
	dictionary, err := lzma.DecodeDictCap(filter[2])
	switch {
	case err != nil || strings.Trim(string(fields[len(fields)-r.Len():]), "\x00") != "":
		return errHeader
	case dictionary > maxDictionary:
		return fmt.Errorf("a block asks for a dictionary of %d MiB, which is not read: %d MiB are possible",
			dictionary>>20, maxDictionary>>20)
	}
	b.chunks.r = x.in
	b.text, err = lzma.Reader2Config{DictCap: int(dictionary)}.NewReader2(&b.chunks)
	if x.check != nil {
		x.check.Reset()
	}
	x.block = b
	return err
}

// endBlock reads padding and check of a block.
func (x *xzReader) endBlock() error {
	b := x.block
	var end []byte
	if x.check != nil {
		end = x.check.Sum(nil)
		if len(end) <= 8 { // a number, whose last byte comes first
			slices.Reverse(end)
		}
	}
	unpadded := uint64(b.header + b.chunks.n + int64(len(end)))
	end = append(make([]byte, -b.chunks.n&3), end...)
	got := make([]byte, len(end))
	if err := x.whole(got); err != nil {
		return err
	}
	if !bytes.Equal(got, end) || b.hasChunks && b.chunkBytes != uint64(b.chunks.n) ||
		b.hasText && b.textSize != b.read {
		return errBlock
	}
	x.index = binary.AppendUvarint(binary.AppendUvarint(x.index, unpadded), b.read)
	x.count++
	x.block = nil
	return nil
}

// endStream reads index and footer, after the first byte, all of which the blocks determine.
func (x *xzReader) endStream() error {
	want := append(binary.AppendUvarint([]byte{0}, x.count), x.index...)
	want = append(want, make([]byte, -len(want)&3)...)
	want = binary.LittleEndian.AppendUint32(want, crc32.ChecksumIEEE(want))
	footer := binary.LittleEndian.AppendUint32(nil, uint32(len(want)/4-1))
	footer = append(footer, x.flags[:]...)
	want = binary.LittleEndian.AppendUint32(want, crc32.ChecksumIEEE(footer))
	want = append(append(want, footer...), "YZ"...)
	got := make([]byte, len(want)-1)
	if err := x.whole(got); err != nil {
		return err
	}
	if !bytes.Equal(got, want[1:]) {
		return errIndex
	}
	return nil
}

// lzmaReader refuses what follows the text.
type lzmaReader struct {
	in   *input
	text io.Reader
}

func openLZMA(in *input) (io.Reader, error) {
	text, err := lzma.ReaderConfig{DictCap: maxDictionary}.NewReader(in.Reader)
	return &lzmaReader{in, text}, unexpected(err)
}

func (l *lzmaReader) Read(p []byte) (int, error) {
	n, err := l.text.Read(p)
	if err == io.EOF {
		if garbage := l.in.atEnd(); garbage != nil {
			err = garbage
		}
	}
	return n, err
}
