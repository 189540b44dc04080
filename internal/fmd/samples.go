package fmd

import (
	"encoding/binary"
	"fmt"
	"io"
	"math/bits"
)

// Samples are what an .fmd.ssa has: which whole string each $ of the transform is before, and the places of the
// suffixes of every 2^Rate-th row, from row m on, where m is the number of strings.
type Samples struct {
	Rate    int
	Strings []uint64 // [m]: the string whose whole text is the j-th smallest of all whole texts
	Places  []uint64 // offset in the string << Shift | string
}

// Shift is how many bits of a place a number of one of m strings takes, 1 or more.
func Shift(m uint64) int { return max(bits.Len64(max(m, 1)-1), 1) }

// MaxRate is the largest Samples.Rate.
const MaxRate = 48

// SampledBytes is how many bytes the file of samples has.
func SampledBytes(rate int, rows, strings uint64) int64 {
	return samplesHeader + 8*int64(strings) + 8*int64((rows-strings+1<<rate-1)>>rate)
}

const samplesHeader = 28

// WriteSampledStrings writes the beginning of a file of so many places: Samples.Rate and Strings. WritePlaces writes
// the places after it, in one call or in several. Errors: those of w.
func WriteSampledStrings(w io.Writer, rate int, strings []uint64, places uint64) error {
	head := append(make([]byte, 0, samplesHeader), "SSA\x01"...)
	m := uint64(len(strings))
	head = binary.LittleEndian.AppendUint32(head, uint32(rate))
	head = binary.LittleEndian.AppendUint32(head, uint32(Shift(m)))
	head = binary.LittleEndian.AppendUint64(head, m)
	head = binary.LittleEndian.AppendUint64(head, places)
	if _, err := w.Write(head); err != nil {
		return err
	}
	return WritePlaces(w, strings)
}

// WritePlaces writes places.
func WritePlaces(w io.Writer, places []uint64) error {
	return putWords(func(b []byte) error {
		_, err := w.Write(b)
		return err
	}, places)
}

// ReadSamples reads a file of so many bytes. Errors: an *Error, those of r.
func ReadSamples(r io.Reader, size int64) (*Samples, error) {
	head := make([]byte, samplesHeader)
	if n, err := io.ReadFull(r, head); err != nil {
		return nil, &Error{int64(n), "the file ends in its header"}
	}
	if string(head[:4]) != "SSA\x01" {
		return nil, &Error{0, "no samples of ropebwt3"}
	}
	rate, shift := binary.LittleEndian.Uint32(head[4:]), binary.LittleEndian.Uint32(head[8:])
	m, n := binary.LittleEndian.Uint64(head[12:]), binary.LittleEndian.Uint64(head[20:])
	left := uint64(max(size-samplesHeader, 0)) / 8
	switch {
	case rate > MaxRate:
		return nil, &Error{4, fmt.Sprintf("samples of every 2^%d rows", rate)}
	case m > left || n > left || m+n != left || size%8 != samplesHeader%8:
		return nil, &Error{12, fmt.Sprintf("%d strings and %d samples are not those of a file of %d bytes", m, n, size)}
	case int(shift) != Shift(m):
		return nil, &Error{8, fmt.Sprintf("numbers of %d strings in %d bits", m, shift)}
	}
	s := &Samples{Rate: int(rate), Strings: make([]uint64, m), Places: make([]uint64, n)}
	for _, list := range [][]uint64{s.Strings, s.Places} {
		if err := binary.Read(r, binary.LittleEndian, list); err != nil {
			return nil, err
		}
	}
	return s, nil
}
