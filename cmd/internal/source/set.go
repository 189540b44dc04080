package source

import (
	"bytes"
	"context"
	"fmt"

	"github.com/suffixcl/suffixcl"
	"github.com/suffixcl/suffixcl/cmd/internal/options"
	"github.com/suffixcl/suffixcl/internal/cli"
	"github.com/suffixcl/suffixcl/internal/parallel"
	"github.com/suffixcl/suffixcl/seqio"
)

// OpenDeviceAndSet opens device and set, and reads the set: the files of a directory, records, JSON objects, or lines.
// prepare makes the set that is worked on of it.
func (s *Source) OpenDeviceAndSet(ctx context.Context, name string, f *options.Set,
	prepare func(*suffixcl.Collection) (*suffixcl.Collection, error)) (c *suffixcl.Collection, err error) {
	if name != "-" && cli.IsDirectory(name) {
		if err := s.Session.OpenDevice(); err != nil {
			return nil, err
		}
		s.Report.File = name
		s.Report.OfKind("directory")
		err = cli.Timed(&s.Report.Seconds.Read, func() error {
			c, err = s.readFiles(ctx, name, f.Field)
			return err
		})
	} else {
		c, err = s.readSet(ctx, name, f)
	}
	if err != nil {
		return nil, err
	}
	if f.Upper {
		upper(c.Bytes())
	}
	if c, err = prepare(c); err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	s.Report.Bytes, s.Report.Records = c.Len(), c.Count()
	return c, nil
}

// upper makes A to Z of the letters a to z, in place. Other bytes stay: the terminators, and parts of characters.
func upper(text []byte) {
	parallel.Do(len(text), 1<<20, func(lo, hi int) {
		for i, c := range text[lo:hi] {
			if 'a' <= c && c <= 'z' {
				text[lo+i] = c - 'a' + 'A'
			}
		}
	})
}

// withoutReturns leaves out the carriage returns that end lines, in place: they are no letters. Else all texts of such
// a file would end alike, and ropebwt3 would take that for N.
func withoutReturns(text []byte) []byte {
	text = bytes.TrimSuffix(text, []byte{'\r'})
	kept, rest := 0, text
	for {
		at := bytes.Index(rest, []byte("\r\n"))
		if at < 0 {
			break
		}
		kept += copy(text[kept:], rest[:at])
		rest = rest[at+1:]
	}
	return text[:kept+copy(text[kept:], rest)]
}

func (s *Source) readSet(ctx context.Context, name string, f *options.Set) (*suffixcl.Collection, error) {
	o := f.Options()
	o.Hint, o.KeepRecords, o.Sequences.Separator = false, true, []byte{options.Terminator}
	if f.Field != "" {
		o.Sequences.Format = seqio.Plain
	}
	in, err := s.OpenDeviceReading(ctx, name, o)
	if err != nil {
		return nil, err
	}
	defer in.Close()
	var c *suffixcl.Collection
	err = cli.Timed(&s.Report.Seconds.Read, func() error {
		text, err := in.ReadAll(ctx, func(n int64) error {
			if f.Field != "" { // the texts are a part of it
				return nil
			}
			return notTooLong(in.Name, n)
		}, s.Session.Progress.Of("read"))
		switch {
		case err != nil:
			return err
		case in.Format != seqio.Plain:
			c, err = suffixcl.CollectRecords(text, in.Records)
		case f.Field == "":
			c, err = suffixcl.SplitText(withoutReturns(text), options.Terminator)
		default:
			var b *seqio.Batch
			b, err = seqio.ReadJSONLines(bytes.NewReader(text), f.Field,
				seqio.Options{Name: in.Name, Separator: []byte{options.Terminator}})
			if err == nil {
				c, err = suffixcl.CollectRecords(b.Text, b.Records)
			}
		}
		return err
	})
	return c, err
}

// notTooLong is an error of a file with which the texts of a set have more bytes than one may have.
func notTooLong(name string, n int64) error {
	if n > suffixcl.MaxLen {
		return fmt.Errorf("%s: with it the texts are more than %d bytes", name, suffixcl.MaxLen)
	}
	return nil
}

// readFiles reads the files below a directory, each of which is a text, or with a field has lines of JSON.
func (s *Source) readFiles(ctx context.Context, root, field string) (*suffixcl.Collection, error) {
	var texts [][]byte
	total := int64(0)
	files, err := cli.Files(root)
	if err != nil {
		return nil, err
	}
	o := cli.InputOptions{Raw: s.Flags.Raw, Sequences: seqio.Options{Format: seqio.Plain}}
	err = cli.EachText(ctx, files, o, func(file cli.File, in *cli.Input) error {
		text, err := in.ReadAll(ctx, func(n int64) error { return notTooLong(file.Path, total+n+1) }, nil)
		if err != nil {
			return err
		}
		if field == "" {
			total += int64(len(text)) + 1
			texts = append(texts, text)
			return nil
		}
		b, err := seqio.ReadJSONLines(bytes.NewReader(text), field, seqio.Options{Name: in.Name})
		if err != nil {
			return err
		}
		for _, r := range b.Records {
			total += int64(r.Length) + 1
			texts = append(texts, b.Text[r.Offset:][:r.Length])
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	return suffixcl.JoinTexts(options.Terminator, texts...)
}
