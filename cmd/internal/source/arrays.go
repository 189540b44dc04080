package source

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math"

	"github.com/suffixcl/suffixcl"
	"github.com/suffixcl/suffixcl/internal/bytesize"
	"github.com/suffixcl/suffixcl/internal/cli"
	"github.com/suffixcl/suffixcl/internal/parallel"
)

// ArrayKind is a kind of file: its name, and what an entry is that is too large for it.
type ArrayKind struct{ what, large string }

var (
	SuffixArrayFile = ArrayKind{"suffix array", "not a position of the text"}
	LcpFile         = ArrayKind{"LCP array", "longer than any text"}
)

// tooLarge is the error of an entry that needs more than 32 bits.
func (k ArrayKind) tooLarge(slot int, v uint64) error {
	return &suffixcl.MismatchError{What: k.what, At: slot, Why: fmt.Sprintf("holds %d, which is %s", v, k.large)}
}

// ArrayNames are the files of arrays. Those that there are not have no names.
type ArrayNames struct{ SA, LCP, BWT string }

// WrongArray names the file of an array, and that of the text, in an error that says what is wrong with the array.
func (s *Source) WrongArray(err error, files ArrayNames) error {
	var m *suffixcl.MismatchError
	if !errors.As(err, &m) {
		return err
	}
	name := files.BWT
	switch m.What {
	case SuffixArrayFile.what:
		name = files.SA
	case LcpFile.what:
		name = files.LCP
	}
	if name == "-" {
		name = cli.StandardInput
	}
	if m.At < 0 {
		return cli.Mismatch("%s: the %s of %s %s", name, m.What, s.Report.File, m.Why)
	}
	return cli.Mismatch("%s: not the %s of %s: slot %d %s", name, m.What, s.Report.File, m.At, m.Why)
}

// Array reads an array for a text of n bytes.
func (s *Source) Array(ctx context.Context, kind ArrayKind, name string, n int) (array []uint32, err error) {
	err = cli.Timed(&s.Report.Seconds.Read, func() error {
		array, err = ReadArray(ctx, kind, name, s.Report.Width, n, s.Session.Progress.Of("read"))
		return err
	})
	return array, err
}

// ReadArray reads n entries of width bytes. A file of another size, or an entry
// that needs more than 32 bits, is a verification failure.
func ReadArray(ctx context.Context, kind ArrayKind, name string, width, n int,
	progress func(done, total int64)) ([]uint32, error) {
	in, err := cli.OpenRaw(ctx, name)
	if err != nil {
		return nil, err
	}
	defer in.Close()
	want := int64(n) * int64(width)
	wrong := func(size int64) error {
		return cli.Mismatch("%s: not the %s of the text: it has %s, and %s of width %d are %d",
			in.Name, kind.what, bytesize.Count(size, "byte"), bytesize.Count(n, "entry"), width, want)
	}
	if in.Size >= 0 && in.Size != want {
		return nil, wrong(in.Size)
	}
	array := make([]uint32, n)
	chunk := make([]byte, cli.ReadChunk/width*width+8) // entries are loaded with 8 bytes, and cut
	mask := uint64(math.MaxUint64) >> (64 - 8*width)
	for done := 0; ; {
		got, err := in.Read(ctx, chunk[:len(chunk)-8])
		if err != nil && err != io.EOF {
			return nil, in.Explain(err)
		}
		some := array[done:min(n, done+got/width)]
		tooLarge := parallel.Try(len(some), leastUnpacked, func(lo, hi int) error {
			for i := lo; i < hi; i++ {
				v := binary.LittleEndian.Uint64(chunk[i*width:]) & mask
				if v > math.MaxUint32 {
					return kind.tooLarge(done+i, v)
				}
				some[i] = uint32(v)
			}
			return nil
		})
		if tooLarge != nil {
			return nil, tooLarge
		}
		done += len(some)
		progress(min(in.Offset(), want), want)
		if err == io.EOF {
			if in.Offset() != want {
				return nil, wrong(in.Offset())
			}
			return array, nil
		}
	}
}

// leastUnpacked are the entries that are worth a processor.
const leastUnpacked = 1 << 15
