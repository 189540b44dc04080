package main

import (
	"bytes"
	"context"
	"fmt"

	"github.com/spf13/pflag"
	"github.com/suffixcl/suffixcl"
	"github.com/suffixcl/suffixcl/device"
	"github.com/suffixcl/suffixcl/internal/cli"
	"github.com/suffixcl/suffixcl/internal/parallel"
	"github.com/suffixcl/suffixcl/seqio"
)

// terminator ends each text of a set in memory.
const terminator = '\n'

// setFlags say how a set of texts is read.
type setFlags struct {
	*jobFlags
	field string
	upper bool
}

// add declares the flags that sets have besides those of a text.
func (f *setFlags) add(flags *pflag.FlagSet) {
	flags.Var((*cli.Word)(&f.field), "field", "texts are the strings of this field of JSON objects, one a line")
	flags.BoolVar(&f.upper, "upper", false, "letters a to z become A to Z")
}

// wrong tells of flags that do not go together.
func (f *setFlags) wrong() error {
	if input := f.Input.Value; f.field != "" && f.Input.Given && input != seqio.Plain.String() {
		return cli.Usage("--field does not go with --input %s", input)
	}
	return nil
}

// openDeviceAndSet opens device and set, and reads the set: the files of a directory, records, JSON objects, or lines.
// prepare makes the set that is worked on of it.
func (j *job) openDeviceAndSet(ctx context.Context, name string, f *setFlags,
	prepare func(*suffixcl.Collection) (*suffixcl.Collection, error)) (c *suffixcl.Collection, err error) {
	if name != "-" && cli.IsDirectory(name) {
		if err := timed(&j.report.Seconds.Open, j.openDevice); err != nil {
			return nil, err
		}
		j.report.File, j.report.kind = name, "directory"
		err = timed(&j.report.Seconds.Read, func() error {
			c, err = j.readFiles(ctx, name, f.field)
			return err
		})
	} else {
		c, err = j.readSet(ctx, name, f)
	}
	if err != nil {
		return nil, err
	}
	if f.upper {
		upper(c.Bytes())
	}
	if c, err = prepare(c); err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	j.report.Bytes, j.report.Records = c.Len(), c.Count()
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

func (j *job) readSet(ctx context.Context, name string, f *setFlags) (*suffixcl.Collection, error) {
	o := f.Options()
	o.Hint, o.KeepRecords, o.Sequences.Separator = false, true, []byte{terminator}
	if f.field != "" {
		o.Sequences.Format = seqio.Plain
	}
	in, err := j.openDeviceReading(ctx, name, o)
	if err != nil {
		return nil, err
	}
	defer in.Close()
	var c *suffixcl.Collection
	err = timed(&j.report.Seconds.Read, func() error {
		text, err := in.ReadAll(ctx, func(n int64) error {
			if f.field != "" { // the texts are a part of it
				return nil
			}
			return notTooLong(in.Name, n)
		}, j.progress.Of("read"))
		switch {
		case err != nil:
			return err
		case in.Format != seqio.Plain:
			c, err = suffixcl.CollectRecords(text, in.Records)
		case f.field == "":
			c, err = suffixcl.SplitText(withoutReturns(text), terminator)
		default:
			var b *seqio.Batch
			b, err = seqio.ReadJSONLines(bytes.NewReader(text), f.field,
				seqio.Options{Name: in.Name, Separator: []byte{terminator}})
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
func (j *job) readFiles(ctx context.Context, root, field string) (*suffixcl.Collection, error) {
	var texts [][]byte
	total := int64(0)
	files, err := cli.Files(root)
	if err != nil {
		return nil, err
	}
	o := cli.InputOptions{Raw: j.flags.Raw, Sequences: seqio.Options{Format: seqio.Plain}}
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
	return suffixcl.JoinTexts(terminator, texts...)
}

// planSet is the plan of a verb for a set: it reads the set.
func planSet(f *setFlags, prepare func(*suffixcl.Collection) (*suffixcl.Collection, error),
	want func() suffixcl.Want) func(context.Context, *job, string) (device.MemoryPlan, error) {
	return func(ctx context.Context, j *job, name string) (device.MemoryPlan, error) {
		c, err := j.openDeviceAndSet(ctx, name, f, prepare)
		if err != nil {
			return nil, err
		}
		return j.engine.Arrays(suffixcl.Set(c), want()).Plan(ctx)
	}
}
