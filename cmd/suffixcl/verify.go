package main

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"strconv"
	"strings"

	"github.com/spf13/cobra"
	"github.com/suffixcl/suffixcl"
	"github.com/suffixcl/suffixcl/verify"
)

const verifyHelp = `Check that a file is the suffix array of a text, and with --bwt that another is its
Burrows-Wheeler transform. This takes linear time and does not build them again.

SA and the transform are taken as they are, as "sa" and "bwt" write them: they are
never decompressed. The primary index is read from F.primary, or given by
--primary.

If the files are right, a line that starts with OK is printed; if they are not,
the exit code is 5 and the error says what is wrong, and where.`

type verifyFlags struct {
	jobFlags
	width   choice
	bwt     string
	primary int
}

func verifyCommand() *cobra.Command {
	var flags verifyFlags
	c := &cobra.Command{
		Use:     "verify TEXT SA",
		Short:   "Check a suffix array, and a Burrows-Wheeler transform",
		Long:    verifyHelp,
		Example: "  suffixcl verify genome.txt.gz genome.sa --bwt genome.bwt",
		Args:    cobra.ExactArgs(2),
	}
	c.RunE = work(func(ctx context.Context, args []string) error {
		given := c.Flags().Changed("primary")
		switch {
		case given && flags.bwt == "":
			return usage("--primary needs --bwt")
		case given && flags.primary < 0:
			return usage("--primary %d: a primary index is not negative", flags.primary)
		case c.Flags().Changed("bwt") && flags.bwt == "":
			return usage("the name of the transform is empty")
		case flags.bwt == "-" && !given:
			return usage("a transform from standard input needs --primary")
		}
		standard := 0
		for _, name := range []string{args[0], args[1], flags.bwt} {
			if name == "-" {
				standard++
			}
		}
		if standard > 1 {
			return usage("only one of the files can be standard input")
		}
		if !given {
			flags.primary = -1
		}
		return runVerify(ctx, &flags, args[0], args[1])
	})
	flags.add(c.Flags(), false)
	addWidth(c.Flags(), &flags.width)
	c.Flags().StringVar(&flags.bwt, "bwt", "", "also check this Burrows-Wheeler transform")
	c.Flags().IntVar(&flags.primary, "primary", 0, "its primary index, instead of F.primary")
	return c
}

func runVerify(ctx context.Context, flags *verifyFlags, textName, saName string) error {
	op := suffixcl.OpVerify
	if flags.bwt != "" {
		op = suffixcl.OpVerifyBWT
	}
	j := newJob(&flags.jobFlags, "verify", op)
	defer j.Close()
	primary := flags.primary
	if flags.bwt != "" && primary < 0 {
		var err error
		if primary, err = readPrimary(flags.bwt); err != nil {
			return err
		}
	}
	text, err := j.text(ctx, textName)
	if err != nil {
		return err
	}
	j.report.Width = flags.width.int()
	err = j.verify(ctx, text, saName, flags.bwt, primary)
	if err != nil && (ctx.Err() != nil || !wrongResult(err)) {
		return err
	}
	j.progress.stop()
	ok := err == nil
	if j.report.OK = &ok; !ok {
		j.report.Reason = err.Error()
	} else if !flags.json {
		files := saName + " is the suffix array"
		if flags.bwt != "" {
			files += " and " + flags.bwt + " the Burrows-Wheeler transform"
		}
		if err := printResult("OK: %s of %s (%s)", files, j.report.File, plural(len(text), "byte")); err != nil {
			return err
		}
	}
	return errors.Join(err, j.finish(nil))
}

// verify reads the files that are to be checked, and checks them.
func (j *job) verify(ctx context.Context, text []byte, saName, bwtName string, primary int) error {
	var (
		sa        []uint32
		transform []byte
	)
	err := timed(&j.report.Seconds.Read, func() (err error) {
		if sa, err = readArray(ctx, saName, j.report.Width, len(text), j.progress.of("read")); err == nil && bwtName != "" {
			transform, err = readTransform(ctx, bwtName, len(text), j.progress.of("read"))
		}
		return err
	})
	if err != nil {
		return err
	}
	if bwtName == "" {
		return j.engine.Verify(ctx, text, sa)
	}
	return j.engine.VerifyBWT(ctx, text, sa, transform, primary)
}

// readArray reads n entries of width bytes. A file of another size, or an entry
// that no position can have, is a verification failure.
func readArray(ctx context.Context, name string, width, n int, progress func(done, total int64)) ([]uint32, error) {
	in, err := openRaw(ctx, name)
	if err != nil {
		return nil, err
	}
	defer in.Close()
	want := int64(n) * int64(width)
	wrong := func(size int64) error {
		return &mismatch{fmt.Sprintf("%s: not the suffix array of the text: it has %s, and %s of width %d are %d",
			in.name, plural(int(size), "byte"), plural(n, "entry"), width, want)}
	}
	if in.size >= 0 && in.size != want {
		return nil, wrong(in.size)
	}
	sa := make([]uint32, 0, n)
	chunk := make([]byte, readChunk/width*width+8) // entries are loaded with 8 bytes, and cut
	mask := uint64(math.MaxUint64) >> (64 - 8*width)
	for {
		got, err := in.read(ctx, chunk[:len(chunk)-8])
		if err != nil && err != io.EOF {
			return nil, in.explain(err, 0)
		}
		for at := 0; at+width <= got && len(sa) < n; at += width {
			v := binary.LittleEndian.Uint64(chunk[at:]) & mask
			if v > math.MaxUint32 {
				return nil, &verify.Error{Slot: len(sa), Why: fmt.Sprintf("holds %d, which is not a position of the text", v)}
			}
			sa = append(sa, uint32(v))
		}
		progress(min(in.offset(), want), want)
		if err == io.EOF {
			if in.offset() != want {
				return nil, wrong(in.offset())
			}
			return sa, nil
		}
	}
}

// readTransform reads n bytes.
func readTransform(ctx context.Context, name string, n int, progress func(done, total int64)) ([]byte, error) {
	in, err := openRaw(ctx, name)
	if err != nil {
		return nil, err
	}
	defer in.Close()
	// What is longer need not be read to the end.
	long := func(size int64) error {
		if size <= int64(n)+readChunk {
			return nil
		}
		return wrongTransform(in, size, n)
	}
	transform, err := in.readAll(ctx, long, progress)
	if err == nil && len(transform) != n {
		err = wrongTransform(in, int64(len(transform)), n)
	}
	return transform, err
}

func wrongTransform(in *input, size int64, n int) error {
	return &mismatch{fmt.Sprintf("%s: not the Burrows-Wheeler transform of the text: it has %s, the text %d", in.name, plural(int(size), "byte"), n)}
}

// readPrimary reads the file beside a transform.
func readPrimary(bwt string) (int, error) {
	name := primaryFile(bwt)
	data, err := os.ReadFile(name)
	if err != nil {
		return 0, fmt.Errorf("primary index: %w; --primary can give it", err)
	}
	n, err := strconv.Atoi(strings.TrimSpace(string(data)))
	if err != nil || n < 0 {
		return 0, fmt.Errorf("%s does not hold a primary index, which is a number", name)
	}
	return n, nil
}
