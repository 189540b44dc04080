package cli

import (
	"context"
	"runtime"

	"github.com/suffixcl/suffixcl/internal/decompress"
	"github.com/suffixcl/suffixcl/internal/parallel"
	"github.com/suffixcl/suffixcl/internal/regular"
	"github.com/suffixcl/suffixcl/seqio"
)

// aheadOfTurn is how much of a file is read before its turn, and how much files have that are read together, of which
// there are at most filesTogether: files may be many, and short.
const aheadOfTurn, filesTogether = 1 << 20, 64

// EachText opens the texts of files, some on each processor before their turn, and gives them to use in order; it
// closes them. Errors: the first of a file or of use.
func EachText(ctx context.Context, files []File, o InputOptions, use func(file File, in *Input) error) error {
	type opened struct {
		in  *Input
		err error
	}
	groups := together(files)
	open := func(i int) []opened {
		list := make([]opened, len(groups[i]))
		for k, file := range groups[i] {
			if list[k].in, list[k].err = openAhead(ctx, file, o); list[k].err != nil {
				return list[:k+1]
			}
		}
		return list
	}
	closeAll := func(list []opened) {
		for _, t := range list {
			if t.err == nil {
				t.in.Close()
			}
		}
	}
	return parallel.InOrder(len(groups), 2*runtime.GOMAXPROCS(0), open, func(i int, list []opened) error {
		defer closeAll(list)
		for k, t := range list {
			if t.err == nil {
				t.err = use(groups[i][k], t.in)
			}
			if t.err != nil {
				return t.err
			}
		}
		return nil
	}, closeAll)
}

// together divides files into those that one processor reads: short ones of known sizes, or one.
func together(files []File) (groups [][]File) {
	for len(files) > 0 {
		n, bytes := 0, int64(0)
		for n < min(len(files), filesTogether) && files[n].Size > 0 && bytes+files[n].Size <= aheadOfTurn {
			bytes += files[n].Size
			n++
		}
		n = max(n, 1)
		groups, files = append(groups, files[:n]), files[n:]
	}
	return groups
}

// openAhead opens a text, and reads some of it. Plain files that were listed with their sizes, and are short, are read
// whole, and closed: a process may have few files open.
func openAhead(ctx context.Context, file File, o InputOptions) (*Input, error) {
	if file.Size > 0 && o.Sequences.Format == seqio.Plain && !o.Hint && o.Copy == nil {
		text := regular.ReadShort(file.Path, aheadOfTurn)
		if text != nil && (o.Raw || decompress.IsPlain(text)) {
			size := int64(len(text))
			return &Input{Name: file.Path, Size: size, Length: size, Format: seqio.Plain, options: o,
				r: &wholeText{text: text}}, nil
		}
	}
	in, err := OpenText(ctx, file.Path, o)
	if err == nil {
		in.ReadAhead(aheadOfTurn)
	}
	return in, err
}
