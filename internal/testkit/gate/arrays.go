package gate

import (
	"bytes"
	"errors"

	"github.com/suffixcl/suffixcl/internal/testkit/jobsuites"
)

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
