package fmindex

import (
	"bufio"
	"encoding/binary"
	"errors"
	"fmt"
	"hash"
	"hash/crc32"
	"io"
	"math"
	"slices"
	"unsafe"

	"github.com/suffixcl/suffixcl/internal/bytesize"
	"github.com/suffixcl/suffixcl/internal/limits"
	"github.com/suffixcl/suffixcl/seqio"
)

// File is an index on the host, as it is stored; docs/formats.md describes the bytes.
type File struct {
	Header
	blocks, escapes, marks, samples []uint32
}

// Magic begins a file: like PNG's, so that a transfer as text is noticed.
const Magic = "\x89SXFM\r\n\x1a"

// The versions of the format: of texts of bytes, and of symbols.
const (
	versionBytes   = 1
	versionSymbols = 2
)

// ErrFormat is matched by errors that say why bytes are no index.
var ErrFormat = errors.New("not a usable index")

func wrong(format string, args ...any) error {
	return fmt.Errorf("%w: %s", ErrFormat, fmt.Sprintf(format, args...))
}

// Errors of an index that is none of both strands, and of one that is, where the other is wanted.
var (
	ErrOneStrand   = wrong("it has one strand of its text")
	ErrBothStrands = wrong(`it has both strands, for "smems": others take one that "index" makes without --both`)
)

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// maxName bounds the names of records, as seqio bounds headers.
const maxName = 1 << 20

// What a file has besides the index, in bytes: fixed fields and checksums; those of a record without its name, and of a
// coding without its symbols.
const (
	headBytes   = 8 + 4 + 4 + 8 + 8 + 4 + 4 + 256*8 + 8 + 8 + 3*4
	recordBytes = 8 + 8 + 4
	codingBytes = 4 + 8
)

// Write stores the index.
func (f *File) Write(w io.Writer) error {
	if _, err := f.shape(); err != nil {
		return fmt.Errorf("fmindex: %w", err)
	}
	b := bufio.NewWriterSize(w, 1<<20)
	b.WriteString(Magic)
	e := encoder{w: b, sum: crc32.New(castagnoli)}
	version := uint32(versionBytes)
	if f.Coding != nil {
		version = versionSymbols
	}
	e.u32(version)
	e.u32(uint32(f.Alphabet))
	e.u64(uint64(f.Length))
	e.u64(uint64(f.Primary))
	e.u32(uint32(f.Rate))
	e.u32(uint32(int32(f.Separator)))
	for _, n := range f.Counts {
		e.u64(n)
	}
	e.u64(uint64(f.Runs))
	e.u64(uint64(len(f.Records)))
	for _, r := range f.Records {
		if len(r.Name) > maxName {
			return fmt.Errorf("fmindex: a record has a name of %d bytes", len(r.Name))
		}
		e.u64(uint64(r.Offset))
		e.u64(uint64(r.Length))
		e.u32(uint32(len(r.Name)))
		e.bytes([]byte(r.Name))
	}
	if f.Coding != nil {
		e.u32(uint32(f.Coding.SymbolBytes))
		e.u64(uint64(len(f.Coding.Values)))
		e.words(f.Coding.Values)
	}
	e.seal()
	e.words(f.blocks)
	e.words(f.escapes)
	e.seal()
	e.words(f.marks)
	e.words(f.samples)
	e.seal()
	if e.err != nil {
		return e.err
	}
	return b.Flush()
}

type encoder struct {
	w   io.Writer
	sum hash.Hash32
	err error
	buf []byte
}

func (e *encoder) bytes(p []byte) {
	if e.err == nil {
		e.sum.Write(p)
		_, e.err = e.w.Write(p)
	}
}

func (e *encoder) u32(v uint32) {
	e.buf = binary.LittleEndian.AppendUint32(e.buf[:0], v)
	e.bytes(e.buf)
}

func (e *encoder) u64(v uint64) {
	e.buf = binary.LittleEndian.AppendUint64(e.buf[:0], v)
	e.bytes(e.buf)
}

func (e *encoder) words(p []uint32) {
	for part := range slices.Chunk(p, 1<<14) {
		e.buf = e.buf[:0]
		for _, v := range part {
			e.buf = binary.LittleEndian.AppendUint32(e.buf, v)
		}
		e.bytes(e.buf)
	}
}

// seal writes the checksum of what was written after the last one.
func (e *encoder) seal() {
	sum := e.sum.Sum32()
	e.u32(sum)
	e.sum.Reset()
}

// Read reads an index that Write has stored, to the end of the input. Memory is taken as
// the bytes come, not as they promise.
//
// Errors: ErrFormat for what is no index, of another version, cut off, changed or
// followed by something; ErrBothStrands; those of the input.
func Read(r io.Reader) (*File, error) {
	f, err := read(r)
	if err == nil && f.Alphabet == BothStrands {
		return nil, ErrBothStrands
	}
	return f, err
}

func read(r io.Reader) (*File, error) {
	d := newDecoder(r)
	f, err := d.file()
	if err = d.failure(err); err != nil {
		return nil, err
	}
	if _, err := d.r.ReadByte(); err == nil {
		return nil, wrong("there is something after its end")
	} else if err != io.EOF {
		return nil, err
	}
	return f, nil
}

type decoder struct {
	r   *bufio.Reader
	sum hash.Hash32
	err error
}

// ReadHeader is Read of the header alone: what follows is neither read nor checked.
func ReadHeader(r io.Reader) (*Header, error) {
	d := newDecoder(r)
	h, err := d.header()
	if err = d.failure(err); err != nil {
		return nil, err
	}
	if h.Alphabet == BothStrands {
		return nil, ErrBothStrands
	}
	return h, nil
}

func newDecoder(r io.Reader) *decoder {
	return &decoder{r: bufio.NewReaderSize(r, 1<<20), sum: crc32.New(castagnoli)}
}

// failure is the error to report where decoding ended with err.
func (d *decoder) failure(err error) error {
	switch {
	case d.err == io.EOF || d.err == io.ErrUnexpectedEOF:
		return wrong("it is cut off")
	case d.err != nil:
		return d.err
	}
	return err
}

func (d *decoder) header() (*Header, error) {
	magic := make([]byte, len(Magic))
	if _,
		d.err = io.ReadFull(d.r, magic); d.err != nil && !errors.Is(d.err, io.EOF) && !errors.Is(d.err,
		io.ErrUnexpectedEOF) {
		return nil, d.err
	}
	if string(magic) != Magic {
		d.err = nil
		return nil, wrong("it does not begin like one")
	}
	version := d.u32()
	if d.err == nil && version != versionBytes && version != versionSymbols {
		return nil, wrong("version %d of the format, this program knows versions %d and %d", version, versionBytes,
			versionSymbols)
	}
	f := &Header{}
	f.Alphabet = Alphabet(d.u32())
	length, primary := d.u64(), d.u64()
	f.Rate = int(d.u32())
	f.Separator = int(int32(d.u32()))
	for c := range f.Counts {
		f.Counts[c] = d.u64()
	}
	runs, records := d.u64(), d.u64()
	if d.err != nil {
		return nil, d.err
	}
	if length > limits.MaxLen || primary > limits.MaxLen {
		return nil, wrong("a text of %s with primary index %d", bytesize.Count(length, "byte"), primary)
	}
	f.Length, f.Primary, f.Runs = int(length), int(primary), int(min(runs, length+1))
	for i := uint64(0); i < records; i++ {
		offset, size := d.u64(), d.u64()
		name := d.name(d.u32())
		if d.err != nil {
			return nil, d.err
		}
		if offset > length || size > length {
			return nil, wrong("record %d is outside of the text", i)
		}
		f.Records = append(f.Records, seqio.Record{Name: name, Offset: int(offset), Length: int(size)})
	}
	if version == versionSymbols {
		f.Coding = &Coding{SymbolBytes: int(d.u32())}
		values := d.u64()
		if d.err == nil && values > length {
			return nil, wrong("%s in a text of %s", bytesize.Count(values, "distinct symbol"),
				bytesize.Count(length, "byte"))
		}
		f.Coding.Values = d.words(int(values))
	}
	if err := d.seal("header"); err != nil {
		return nil, err
	}
	if _, err := f.shape(); err != nil {
		return nil, wrong("%v", err)
	}
	return f, nil
}

func (d *decoder) file() (*File, error) {
	h, err := d.header()
	if err != nil {
		return nil, err
	}
	f := &File{Header: *h}
	s, err := f.shape()
	if err != nil {
		return nil, err
	}
	f.blocks = d.words(4 * s.blocks)
	f.escapes = d.words(runWords * f.Runs)
	if err := d.seal("transform"); err != nil {
		return nil, err
	}
	f.marks = d.words(4 * s.markers)
	f.samples = d.words(s.samples)
	if err := d.seal("samples"); err != nil {
		return nil, err
	}
	if !f.checkRuns(s.escapes) {
		return nil, wrong("its runs of escapes do not follow each other")
	}
	return f, nil
}

// checkRuns tells whether the runs are in order and hold that many escapes.
func (f *File) checkRuns(escapes int) bool {
	next, done := 0, 0 // places and escapes
	for i := 0; i < len(f.escapes); i += runWords {
		place, row, before, after := int(f.escapes[i]), int(f.escapes[i+1]), int(f.escapes[i+2]), escapes
		if i+runWords < len(f.escapes) {
			after = int(f.escapes[i+runWords+2])
		}
		length := after - before
		if place < next || before != done || length < 1 || length > f.Length-place || row > f.Length+1-length {
			return false
		}
		next, done = place+length, after
	}
	return done == escapes
}

func (d *decoder) bytes(p []byte) {
	if d.err == nil {
		_, d.err = io.ReadFull(d.r, p)
		d.sum.Write(p)
	}
}

func (d *decoder) u32() uint32 {
	var p [4]byte
	d.bytes(p[:])
	return binary.LittleEndian.Uint32(p[:])
}

func (d *decoder) u64() uint64 {
	var p [8]byte
	d.bytes(p[:])
	return binary.LittleEndian.Uint64(p[:])
}

func (d *decoder) name(n uint32) string {
	if d.err == nil && n > maxName {
		d.err = wrong("a record with a name of %d bytes", n)
	}
	if d.err != nil {
		return ""
	}
	p := make([]byte, n)
	d.bytes(p)
	return string(p)
}

// Words that are read at a time, and those that there is memory for before any is read: a header may tell of more than
// there are.
const (
	wordsAtOnce = 1 << 18
	trusted     = 1 << 26
)

// words reads n words. Memory grows as they come.
func (d *decoder) words(n int) []uint32 {
	if n < 0 || n > math.MaxInt/8 {
		d.err = wrong("%d words", n)
		return nil
	}
	all := make([]uint32, 0, min(n, trusted)) // not nil, as Download has it
	for len(all) < n && d.err == nil {
		if len(all) == cap(all) { // doubles, and ends at n
			all = append(make([]uint32, 0, min(n, 2*cap(all))), all...)
		}
		next := all[len(all):min(len(all)+wordsAtOnce, cap(all))]
		p := unsafe.Slice((*byte)(unsafe.Pointer(unsafe.SliceData(next))), 4*len(next))
		if d.bytes(p); d.err != nil {
			return nil
		}
		if !littleEndian {
			for i := range next {
				next[i] = binary.LittleEndian.Uint32(p[4*i:])
			}
		}
		all = all[:len(all)+len(next)]
	}
	return all
}

// littleEndian tells that words of a file are as in memory.
var littleEndian = binary.NativeEndian.Uint16([]byte{1, 0}) == 1

// seal compares the checksum of what was read after the last one.
func (d *decoder) seal(part string) error {
	want := d.sum.Sum32()
	got := d.u32()
	d.sum.Reset()
	if d.err != nil {
		return d.err
	}
	if got != want {
		return wrong("the checksum of its %s is wrong", part)
	}
	return nil
}
