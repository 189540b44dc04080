package main

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
	"github.com/suffixcl/suffixcl"
	"github.com/suffixcl/suffixcl/device"
	"github.com/suffixcl/suffixcl/seqio"
)

// jobFlags are the flags of the verbs that compute on a text.
type jobFlags struct {
	device    string
	algorithm choice
	maxMem    size
	profile   bool
	phases    bool
	raw       bool
	input     choice
	quiet     bool
	json      bool
}

// add declares the flags; sorts says whether the verb sorts suffixes.
func (f *jobFlags) add(flags *pflag.FlagSet, sorts bool) {
	f.addCommon(flags)
	f.addInput(flags)
	if sorts {
		f.addAlgorithm(flags)
	}
}

// addAlgorithm declares the flag for the sorter.
func (f *jobFlags) addAlgorithm(flags *pflag.FlagSet) {
	f.algorithm = choice{suffixcl.Auto, suffixcl.Algorithms()}
	flags.Var(&f.algorithm, "algorithm", "suffix sorter: "+strings.Join(f.algorithm.of, ", "))
}

// addCommon declares the flags of every job, whatever its input is.
func (f *jobFlags) addCommon(flags *pflag.FlagSet) {
	f.addDevice(flags)
	f.addJSON(flags)
	flags.BoolVar(&f.profile, "profile", false, "print the device time of every kernel on standard error")
	flags.BoolVar(&f.phases, "phases", false, "print the device time of every phase on standard error")
	flags.BoolVarP(&f.quiet, "quiet", "q", false, "no progress, notes or summary on standard error")
}

// addDevice declares the flags that choose a device and its memory.
func (f *jobFlags) addDevice(flags *pflag.FlagSet) {
	flags.StringVar(&f.device, "device", "", `device: index, words of its name, "gpu", "cpu" or "auto" (default $SUFFIXCL_DEVICE, else auto)`)
	flags.Var(&f.maxMem, "max-mem", "most device memory to use, such as 512M or 2GiB; 0: what the device has")
}

// addInput declares the flags of texts.
func (f *jobFlags) addInput(flags *pflag.FlagSet) {
	f.addRaw(flags)
	f.input = choice{seqio.Plain.String(), seqio.Formats()}
	flags.Var(&f.input, "input", "what the text is: plain bytes, or the sequences of fasta, fastq, or auto")
}

func (f *jobFlags) addRaw(flags *pflag.FlagSet) {
	flags.BoolVar(&f.raw, "raw", false, "do not recognise gzip and xz")
}

func (f *jobFlags) addJSON(flags *pflag.FlagSet) {
	flags.BoolVar(&f.json, "json", false, "write one JSON object instead of text for people")
}

// addQuiet declares the flag of a verb whose standard error has progress alone.
func addQuiet(flags *pflag.FlagSet, quiet *bool) {
	flags.BoolVarP(quiet, "quiet", "q", false, "no progress on standard error")
}

// addOutput declares the flag for the result file.
func addOutput(flags *pflag.FlagSet, out *string) {
	flags.VarP((*fileName)(out), "output", "o", `result file; "-" is standard output (required)`)
}

// addWidth declares the flag for the layout of suffix and LCP array files.
func addWidth(flags *pflag.FlagSet, w *choice) {
	*w = choice{"4", []string{"4", "5", "8"}}
	flags.Var(w, "width", "bytes of an array entry: 4, 5 or 8, little-endian")
}

// addSA declares the flag for a suffix array that is there already.
func addSA(c *cobra.Command, name *string, of string) {
	c.Flags().Var((*fileName)(name), "sa", "the suffix array of the "+of+", instead of sorting")
	c.MarkFlagsMutuallyExclusive("sa", "algorithm")
}

// addPrimary declares the flag for a primary index, which is -1 where it is not given.
func addPrimary(flags *pflag.FlagSet, primary *int, help string) {
	*primary = -1
	flags.Var((*primaryIndex)(primary), "primary", help)
}

// oneStandardInput checks the names of files that a verb reads.
func oneStandardInput(names ...string) error {
	if i := slices.Index(names, "-"); i >= 0 && slices.Contains(names[i+1:], "-") {
		return usage("only one of the files can be standard input")
	}
	return nil
}

// fileName is a flag that takes the name of a file.
type fileName string

func (f *fileName) String() string { return string(*f) }
func (f *fileName) Type() string   { return "file" }
func (f *fileName) Set(s string) error {
	if s == "" {
		return errors.New("the name is empty")
	}
	*f = fileName(s)
	return nil
}

// primaryIndex is a flag that takes a number from 0 on; -1 is none.
type primaryIndex int

func (p *primaryIndex) String() string {
	if *p < 0 {
		return ""
	}
	return strconv.Itoa(int(*p))
}
func (p *primaryIndex) Type() string { return "int" }
func (p *primaryIndex) Set(s string) error {
	n, err := strconv.Atoi(s)
	if err != nil || n < 0 {
		return errors.New("a primary index is a number from 0 on")
	}
	*p = primaryIndex(n)
	return nil
}

// choice is a flag that takes one of a few words.
type choice struct {
	value string
	of    []string
}

func (c *choice) String() string { return c.value }
func (c *choice) Type() string   { return "choice" }
func (c *choice) Set(s string) error {
	if !slices.Contains(c.of, s) {
		return fmt.Errorf("must be one of %s", strings.Join(c.of, ", "))
	}
	c.value = s
	return nil
}

// format is that of a text; of what is no text, plain.
func (f *jobFlags) format() seqio.Format {
	format, err := seqio.ParseFormat(f.input.value)
	if err != nil {
		return seqio.Plain
	}
	return format
}

func (c *choice) int() int {
	n, _ := strconv.Atoi(c.value) // the choices are numbers where this is called
	return n
}

// size is a flag that takes a number of bytes.
type size int64

func (s *size) String() string { return strconv.FormatInt(int64(*s), 10) }
func (s *size) Type() string   { return "size" }
func (s *size) Set(text string) error {
	n, err := device.ParseBytes(text)
	*s = size(n)
	return err
}
