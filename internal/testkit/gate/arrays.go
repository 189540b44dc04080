package gate

import (
	"bytes"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/suffixcl/suffixcl/internal/testkit/jobsuites"
)

// runArray compares a suffix array or an LCP array with the definition.
func runArray(t *trial, flags []string) error {
	if _, err := t.command(with(t.verb.name, "text", "-o", "out", "-q", flags)...); err != nil {
		return err
	}
	a := t.in.arrays()
	if t.verb.name == "lcp" {
		return t.file("out", encode(a.lcp, 4))
	}
	return t.file("out", encode(a.sa, 4))
}

func runTransform(t *trial, flags []string) error {
	if _, err := t.command(with("bwt", "text", "-o", "out", "-q", flags)...); err != nil {
		return err
	}
	if t.in.Name == kindSet {
		return t.file("out", newlines(setArrays(t.in).BWT))
	}
	a := t.in.arrays()
	return errors.Join(t.file("out", a.bwt), t.file("out.primary", fmt.Appendln(nil, a.primary)))
}

// runInverse inverts the transform of the definition.
func runInverse(t *trial, flags []string) error {
	a := t.in.arrays()
	if err := errors.Join(t.put("bwt", a.bwt), t.put("bwt.primary", fmt.Appendln(nil, a.primary))); err != nil {
		return err
	}
	if _, err := t.command(with("unbwt", "bwt", "-o", "out", "-q", flags)...); err != nil {
		return err
	}
	return t.file("out", t.in.file)
}

// runVerify shows the arrays of the definition, and a suffix array with two entries in each other's place.
func runVerify(t *trial, flags []string) error {
	a := t.in.arrays()
	swapped := slices.Clone(a.sa)
	swapped[1], swapped[2] = swapped[2], swapped[1]
	err := errors.Join(t.put("sa", encode(a.sa, 4)), t.put("lcp", encode(a.lcp, 4)), t.put("bwt", a.bwt),
		t.put("bwt.primary", fmt.Appendln(nil, a.primary)), t.put("bad", encode(swapped, 4)))
	if err != nil {
		return err
	}
	_, err = t.command(with("verify", "text", "bad", "-q", flags)...)
	if r, ok := err.(*refusal); !ok || r.code != exitVerify {
		return fmt.Errorf("of a wrong suffix array: %v", err)
	}
	out, err := t.command(with("verify", "text", "sa", "--lcp", "lcp", "--bwt", "bwt", "-q", flags)...)
	if err == nil && !strings.HasPrefix(out, "OK") {
		err = fmt.Errorf("%.200q", out)
	}
	return err
}

// runDiff makes a patch, and applies it.
func runDiff(t *trial, _ []string) error {
	file := t.in.file
	changed := bytes.Join([][]byte{file[len(file)/2:], []byte("new"), file[:len(file)/3]}, nil)
	if err := t.put("new", changed); err != nil {
		return err
	}
	if _, err := t.command("diff", "text", "new", "-o", "patch", "-q"); err != nil {
		return err
	}
	if _, err := t.command("apply", "text", "patch", "-o", "out", "-q"); err != nil {
		return err
	}
	return t.file("out", changed)
}

// setArrays are by definition those of the lines or records of an input.
func setArrays(in *input) jobsuites.SetArrays { return jobsuites.ReferenceSet(in.lines()) }

// newlines is a transform with newlines for terminators.
func newlines(transform []byte) []byte { return bytes.ReplaceAll(transform, []byte{0}, []byte{'\n'}) }

func runSet(t *trial, flags []string) error {
	_, err := t.command(with("gsa", "text", "-o", "out", "-q", "--sa", "--lcp", "--da", "--bwt", flags)...)
	if err != nil {
		return err
	}
	a := setArrays(t.in)
	if bytes.IndexByte(t.in.file, 0) >= 0 { // which is no terminator here
		a.BWT = nil
	}
	errs := []error{t.file("out.sa", encode(a.SA, 4)), t.file("out.lcp", encode(a.LCP, 4)),
		t.file("out.da", encode(a.Documents, 4))}
	if a.BWT != nil {
		errs = append(errs, t.file("out.bwt", newlines(a.BWT)))
	}
	return errors.Join(errs...)
}
