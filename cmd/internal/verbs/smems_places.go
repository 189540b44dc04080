package verbs

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"strconv"

	"github.com/suffixcl/suffixcl"
	"github.com/suffixcl/suffixcl/cmd/internal/formats/tsv"
	"github.com/suffixcl/suffixcl/internal/cli"
	"github.com/suffixcl/suffixcl/internal/fmd"
	"github.com/suffixcl/suffixcl/internal/regular"
	"github.com/suffixcl/suffixcl/internal/rope"
)

// smemPlaces tell positions of matches in a pangenome. Any number of goroutines may use them.
type smemPlaces struct {
	ctx       context.Context
	name      string // of the index
	index     *rope.Index
	samples   *fmd.Samples
	sequences []fmd.Sequence
	most      int
}

// readBeside reads a file beside an index, which a verb of pangenome makes.
func readBeside(index, suffix, verb string, read func(r io.Reader, size int64) error) error {
	name := index + suffix
	file, err := regular.Open(name)
	if errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("cannot read %s: %w; \"suffixcl pangenome %s\" makes it", name, cli.WithoutPath(err), verb)
	}
	if err != nil {
		return fmt.Errorf("cannot read %s: %w", name, cli.WithoutPath(err))
	}
	defer file.Close()
	info, err := file.Stat()
	if err == nil {
		err = read(file, info.Size())
	}
	if err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	return nil
}

// openPlaces reads what tells up to so many positions of a match, which are wanted.
func openPlaces(ctx context.Context, index *fmdFiles, most int) (*smemPlaces, error) {
	if index == nil {
		return nil, cli.Usage("--positions is for a pangenome; an index of bwa has them by --max-located")
	}
	name, file := index.names[0], index.sections[0]
	p := &smemPlaces{ctx: ctx, name: name, most: most}
	err := readBeside(name, samplesSuffix, "samples", func(r io.Reader, size int64) (err error) {
		p.samples, err = fmd.ReadSamples(r, size)
		return err
	})
	if err != nil {
		return nil, err
	}
	err = readBeside(name, lengthsSuffix, "build", func(r io.Reader, _ int64) (err error) {
		p.sequences, err = fmd.ReadLengths(r)
		return err
	})
	if err != nil {
		return nil, err
	}
	p.index, err = rope.Load(func(yield func(fmd.Run) error) error {
		_, err := fmd.DecodeParts(io.NewSectionReader(file, 0, file.Size()), file.Size(), func(parts ...[]fmd.Run) error {
			for _, part := range parts {
				for _, run := range part {
					if err := yield(run); err != nil {
						return err
					}
				}
			}
			return context.Cause(ctx)
		})
		return err
	})
	switch {
	case ctx.Err() != nil:
		return nil, context.Cause(ctx)
	case err != nil:
		return nil, fmt.Errorf("%s: %w", name, err)
	case p.index.CheckSamples(p.samples) != nil:
		return nil, fmt.Errorf("%s: %w", name+samplesSuffix, rope.ErrSamples)
	case p.index.Strings() != 2*uint64(len(p.sequences)):
		return nil, fmt.Errorf("%s: it has %s, and %s has %s", name+lengthsSuffix,
			cli.Quantity(int64(len(p.sequences)), "sequence"), name, cli.Quantity(int64(p.index.Strings()), "string"))
	}
	return p, nil
}

// of calls f with positions of a match: the name of a sequence, the strand, and where it is on the first one.
func (p *smemPlaces) of(m suffixcl.SMEM, f func(name string, strand byte, at uint64)) error {
	places, err := p.index.Places(p.ctx, p.samples, m.Row, m.Row+m.Hits, p.most, nil)
	if err != nil {
		if p.ctx.Err() == nil {
			err = fmt.Errorf("%s: %w", p.name+samplesSuffix, err)
		}
		return err
	}
	letters := uint64(m.End - m.Start)
	for _, place := range places {
		sequence, at, strand := p.sequences[place.String/2], place.Offset, byte('+')
		if at+letters > uint64(sequence.Length) {
			return fmt.Errorf("%s: %w", p.name+samplesSuffix, rope.ErrSamples)
		}
		if place.String%2 == 1 {
			at, strand = uint64(sequence.Length)-at-letters, '-'
		}
		f(sequence.Name, strand, at)
	}
	return nil
}

// cells appends cells to the line that has ended: how many positions there are, and NAME:STRAND:PLACE of each. nil has
// none.
func (p *smemPlaces) cells(rows *tsv.Writer, m suffixcl.SMEM) error {
	if p == nil {
		return nil
	}
	line := append(rows.Line[:len(rows.Line)-1], '\t')
	line = strconv.AppendUint(line, min(uint64(p.most), m.Hits), 10)
	err := p.of(m, func(name string, strand byte, at uint64) {
		line = append(append(append(append(line, '\t'), name...), ':', strand), ':')
		line = strconv.AppendUint(line, at, 10)
	})
	rows.Line = append(line, '\n')
	return err
}

// positions are NAME:+PLACE, as they are of an index of bwa.
func (p *smemPlaces) positions(m suffixcl.SMEM) (all []string, err error) {
	err = p.of(m, func(name string, strand byte, at uint64) {
		all = append(all, fmt.Sprintf("%s:%c%d", name, strand, at))
	})
	return all, err
}
