package cli

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/pflag"

	"github.com/suffixcl/suffixcl/internal/bytesize"
)

// AddJSON declares the flag for results as JSON.
func AddJSON(flags *pflag.FlagSet, json *bool) {
	flags.BoolVar(json, "json", false, "write one JSON object instead of text for people")
}

// AddQuiet declares the flag of a verb whose standard error has progress alone.
func AddQuiet(flags *pflag.FlagSet, quiet *bool) {
	flags.BoolVarP(quiet, "quiet", "q", false, "no progress on standard error")
}

// FileName is a flag that takes the name of a file.
type FileName string

func (f *FileName) String() string     { return string(*f) }
func (f *FileName) Type() string       { return "file" }
func (f *FileName) Set(s string) error { return setGiven(f, s, "the name") }

// Directory is a flag that takes the name of a directory, which is no stream.
type Directory string

func (d *Directory) String() string { return string(*d) }
func (d *Directory) Type() string   { return "file" }
func (d *Directory) Set(s string) error {
	if s == "-" {
		return errors.New("it is a directory, not a stream; ./- is one of that name")
	}
	return setGiven(d, s, "the name")
}

// CheckList returns an error of a list, with commas between its members, in which one is missing, or all.
func CheckList(flags *pflag.FlagSet, name string, list []string) error {
	if flags.Changed(name) && (len(list) == 0 || slices.Contains(list, "")) {
		return Usage("--%s: a member of the list is empty", name)
	}
	return nil
}

// setGiven sets a flag that takes any string but the empty one.
func setGiven[S ~string](to *S, s, what string) error {
	if s == "" {
		return errors.New(what + " is empty")
	}
	*to = S(s)
	return nil
}

// Word is a flag that takes any string but the empty one, as of an unset variable of a shell.
type Word string

func (w *Word) String() string     { return string(*w) }
func (w *Word) Type() string       { return "string" }
func (w *Word) Set(s string) error { return setGiven(w, s, "it") }

// Choice is a flag that takes one of a few words.
type Choice struct {
	Value string // the default, or what was given
	Of    []string
	Given bool
}

func (c *Choice) String() string    { return c.Value }
func (c *Choice) Type() string      { return "choice" }
func (c *Choice) Choices() []string { return c.Of }
func (c *Choice) Set(s string) error {
	if !slices.Contains(c.Of, s) {
		return fmt.Errorf("must be one of %s", strings.Join(c.Of, ", "))
	}
	c.Value, c.Given = s, true
	return nil
}

// Size is a flag that takes a number of bytes.
type Size int64

func (s *Size) String() string { return strconv.FormatInt(int64(*s), 10) }
func (s *Size) Type() string   { return "size" }
func (s *Size) Set(text string) error {
	n, err := bytesize.Parse(text)
	*s = Size(n)
	return err
}
