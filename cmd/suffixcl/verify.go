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

const verifyHelp = `Check that a file is the suffix array of a text, with --bwt that another is its
Burrows-Wheeler transform, and with --lcp its LCP array. This takes linear time and
sorts nothing.

The files are taken as they are, as "sa", "bwt" and "lcp" write them: they are never
decompressed. Both arrays have the same --width. The primary index is read from
F.primary for a transform F, or given by --primary.

If the files are right, a line that starts with OK is printed; if they are not,
the exit code is 5 and the error says what is wrong, and where.`

type verifyFlags struct {
	jobFlags
	width   choice
	bwt     string
	lcp     string
	primary int
}

func verifyCommand() *cobra.Command {
	var flags verifyFlags
	c := &cobra.Command{
		Use:     "verify TEXT SA",
		Short:   "Check a suffix array, transform or LCP array",
		Long:    verifyHelp,
		Example: "  suffixcl verify genome.txt.gz genome.sa --bwt genome.bwt",
		Args:    cobra.ExactArgs(2),
	}
	c.RunE = work(func(ctx context.Context, args []string) error {
		switch {
		case flags.primary >= 0 && flags.bwt == "":
			return usage("--primary needs --bwt")
		case flags.bwt == "-" && flags.primary < 0:
			return usage("a transform from standard input needs --primary")
		}
		if err := oneStandardInput(args[0], args[1], flags.bwt, flags.lcp); err != nil {
			return err
		}
		return runVerify(ctx, &flags, args[0], args[1])
	})
	flags.add(c.Flags(), false)
	addWidth(c.Flags(), &flags.width)
	c.Flags().Var((*fileName)(&flags.bwt), "bwt", "also check this Burrows-Wheeler transform")
	c.Flags().Var((*fileName)(&flags.lcp), "lcp", "also check this LCP array")
	addPrimary(c.Flags(), &flags.primary, "primary index of the transform F, instead of that in F.primary")
	return c
}

func runVerify(ctx context.Context, flags *verifyFlags, textName, saName string) error {
	op := suffixcl.OpVerify
	switch {
	case flags.lcp != "": // which needs all that --bwt does
		op = suffixcl.OpVerifyLCP
	case flags.bwt != "":
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
	err = j.verify(ctx, text, saName, flags, primary)
	if err != nil && (ctx.Err() != nil || !wrongResult(err)) {
		return err
	}
	j.progress.stop()
	ok := err == nil
	if j.report.OK = &ok; !ok {
		j.report.Reason = err.Error()
	} else if !flags.json {
		files := []string{saName + " is the suffix array"}
		if flags.bwt != "" {
			files = append(files, flags.bwt+" the Burrows-Wheeler transform")
		}
		if flags.lcp != "" {
			files = append(files, flags.lcp+" the LCP array")
		}
		last := len(files) - 1
		list := strings.TrimPrefix(strings.Join(files[:last], ", ")+" and "+files[last], " and ")
		if err := printResult("OK: %s of %s (%s)", list, j.report.File, plural(len(text), "byte")); err != nil {
			return err
		}
	}
	return errors.Join(err, j.finish(nil))
}

// verify reads the files that are to be checked, and checks them.
func (j *job) verify(ctx context.Context, text []byte, saName string, flags *verifyFlags, primary int) error {
	sa, err := j.array(ctx, suffixArrayFile, saName, len(text))
	if err != nil {
		return err
	}
	var transform []byte
	if flags.bwt != "" {
		err := timed(&j.report.Seconds.Read, func() (err error) {
			transform, err = readTransform(ctx, flags.bwt, len(text), j.progress.of("read"))
			return err
		})
		if err != nil {
			return err
		}
	}
	var lengths []uint32
	if flags.lcp != "" {
		if lengths, err = j.array(ctx, lcpFile, flags.lcp, len(text)); err != nil {
			return err
		}
	}
	if flags.bwt == "" && flags.lcp == "" {
		return j.engine.Verify(ctx, text, sa)
	}
	if flags.bwt != "" {
		if err := j.engine.VerifyBWT(ctx, text, sa, transform, primary); err != nil {
			return err
		}
	}
	if flags.lcp != "" {
		return j.engine.VerifyLCP(ctx, text, sa, lengths)
	}
	return nil
}

// arrayFile is a kind of file: what it is, and the error of an entry too large to be of
// its kind.
type arrayFile struct {
	what  string
	large func(slot int, v uint64) error
}

var (
	suffixArrayFile = arrayFile{"suffix array", func(slot int, v uint64) error {
		return &verify.Error{Slot: slot, Why: fmt.Sprintf("holds %d, which is not a position of the text", v)}
	}}
	lcpFile = arrayFile{"LCP array", func(slot int, v uint64) error {
		return &suffixcl.LCPError{Slot: slot, Why: fmt.Sprintf("holds %d, which is longer than any text", v)}
	}}
)

// array reads an array for a text of n bytes.
func (j *job) array(ctx context.Context, kind arrayFile, name string, n int) (array []uint32, err error) {
	err = timed(&j.report.Seconds.Read, func() error {
		array, err = readArray(ctx, kind, name, j.report.Width, n, j.progress.of("read"))
		return err
	})
	return array, err
}

// readArray reads n entries of width bytes. A file of another size, or an entry
// that needs more than 32 bits, is a verification failure.
func readArray(ctx context.Context, kind arrayFile, name string, width, n int, progress func(done, total int64)) ([]uint32, error) {
	in, err := openRaw(ctx, name)
	if err != nil {
		return nil, err
	}
	defer in.Close()
	want := int64(n) * int64(width)
	wrong := func(size int64) error {
		return &mismatch{fmt.Sprintf("%s: not the %s of the text: it has %s, and %s of width %d are %d",
			in.name, kind.what, plural(int(size), "byte"), plural(n, "entry"), width, want)}
	}
	if in.size >= 0 && in.size != want {
		return nil, wrong(in.size)
	}
	array := make([]uint32, 0, n)
	chunk := make([]byte, readChunk/width*width+8) // entries are loaded with 8 bytes, and cut
	mask := uint64(math.MaxUint64) >> (64 - 8*width)
	for {
		got, err := in.read(ctx, chunk[:len(chunk)-8])
		if err != nil && err != io.EOF {
			return nil, in.explain(err, 0)
		}
		for at := 0; at+width <= got && len(array) < n; at += width {
			v := binary.LittleEndian.Uint64(chunk[at:]) & mask
			if v > math.MaxUint32 {
				return nil, kind.large(len(array), v)
			}
			array = append(array, uint32(v))
		}
		progress(min(in.offset(), want), want)
		if err == io.EOF {
			if in.offset() != want {
				return nil, wrong(in.offset())
			}
			return array, nil
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
