package main

import (
	"errors"
	"os"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
	"github.com/suffixcl/suffixcl"
	"github.com/suffixcl/suffixcl/distributed"
	"github.com/suffixcl/suffixcl/internal/cli"
	"github.com/suffixcl/suffixcl/seqio"
)

// jobFlags are the flags of the verbs that compute on a text.
type jobFlags struct {
	cli.DeviceFlags
	cli.TextFlags
	algorithm cli.Choice
	symbols   cli.Choice // of the verbs that take them
	profile   bool
	phases    bool
	mpi       bool
	several   bool   // devices, if --device names them
	resume    string // directory
	quiet     bool
	json      bool
}

// add declares the flags of a verb for plain texts; sorts says whether it sorts suffixes.
func (f *jobFlags) add(flags *pflag.FlagSet, sorts bool) {
	f.addCommon(flags)
	f.TextFlags.Add(flags, seqio.Plain)
	if sorts {
		f.addAlgorithm(flags)
	}
}

// addSequences declares the flags of a verb that tells records apart: it recognises them.
func (f *jobFlags) addSequences(flags *pflag.FlagSet) {
	f.addCommon(flags)
	f.TextFlags.Add(flags, seqio.Auto)
	f.addAlgorithm(flags)
}

// addAlgorithm declares the flag for the sorter.
func (f *jobFlags) addAlgorithm(flags *pflag.FlagSet) {
	f.algorithm = cli.Choice{Value: string(suffixcl.AlgorithmAuto), Of: cli.Algorithms()}
	flags.Var(&f.algorithm, "algorithm", sortersUsage(f.algorithm.Of))
}

// addMPI declares the flag for ranks, and the sorters that they have, if the verb sorts.
func (f *jobFlags) addMPI(flags *pflag.FlagSet) {
	flags.BoolVar(&f.mpi, "mpi", false, "this is a rank under mpirun: each has a part of the text, which is a plain file")
	if len(f.algorithm.Of) > 0 {
		for _, a := range distributed.Algorithms() {
			f.addSorters(flags, suffixcl.Algorithm(a))
		}
	}
}

// addSorters declares sorters that only some verbs have.
func (f *jobFlags) addSorters(flags *pflag.FlagSet, more ...suffixcl.Algorithm) {
	for _, a := range more {
		f.algorithm.Of = append(f.algorithm.Of, string(a))
	}
	flags.Lookup("algorithm").Usage = sortersUsage(f.algorithm.Of)
}

func sortersUsage(names []string) string { return "suffix sorter: " + strings.Join(names, ", ") }

// sorter is the algorithm of the engine, which does not sort where ranks do.
func (f *jobFlags) sorter() suffixcl.Algorithm {
	if f.mpi {
		return suffixcl.AlgorithmAuto
	}
	return suffixcl.Algorithm(f.algorithm.Value)
}

// checkMPI returns an error of flags that do not go together.
func (f *jobFlags) checkMPI(names ...string) error {
	of := distributed.Algorithm(f.algorithm.Value)
	distributes := slices.Contains(distributed.Algorithms(), of)
	switch {
	case !f.mpi && distributes:
		return cli.Usage("--algorithm %s needs --mpi", of)
	case f.mpi && !distributes && !f.ranksInRanges() && of != "" && of != distributed.Algorithm(suffixcl.AlgorithmAuto):
		return cli.Usage("--algorithm %s sorts on one device; with --mpi there are %v and %s", of,
			distributed.Algorithms(), suffixcl.AlgorithmRanges)
	case f.mpi && slices.Contains(names, "-"):
		return cli.Usage("with --mpi texts and results are files")
	case f.mpi && f.Input.Value != seqio.Plain.String():
		return cli.Usage("with --mpi a text is bytes: --input does not go with it")
	case f.mpi && f.symbolBytes() > 1:
		return cli.Usage("with --mpi a text is bytes: --symbols does not go with it")
	}
	return nil
}

// addCommon declares the flags of every job, whatever its input is.
func (f *jobFlags) addCommon(flags *pflag.FlagSet) {
	f.DeviceFlags.Add(flags)
	cli.AddJSON(flags, &f.json)
	flags.BoolVar(&f.profile, "profile", false, "print the device time of every kernel on standard error")
	flags.BoolVar(&f.phases, "phases", false,
		"print the share of every stage and the device time of every phase on standard error")
	flags.BoolVarP(&f.quiet, "quiet", "q", false, "no progress, notes or summary on standard error")
}

// addOutput declares the flag for the result file.
func addOutput(c *cobra.Command, out *string) {
	c.Flags().VarP((*cli.FileName)(out), "output", "o", `result file; "-" is standard output (required)`)
}

// addTextOutput declares the flag for a result that goes to standard output without it.
func addTextOutput(c *cobra.Command, out *string) {
	*out = "-"
	c.Flags().VarP((*cli.FileName)(out), "output", "o", `result file; "-" is standard output`)
}

// addWidth declares the flag for the layout of suffix and LCP array files.
func addWidth(flags *pflag.FlagSet, w *entryWidth) {
	*w = 4
	flags.Var(w, "width", "bytes of an array entry: 4, 5 or 8, little-endian")
}

// addSA declares the flag for a suffix array that is there already.
func addSA(c *cobra.Command, name *string, of string) {
	c.Flags().Var((*cli.FileName)(name), "sa", "the suffix array of the "+of+", instead of sorting")
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
		return cli.Usage("only one of the files can be standard input")
	}
	return nil
}

// noStandardInput checks the names of files that a verb reads at any place.
func noStandardInput(verb string, names ...string) error {
	if slices.Contains(names, "-") {
		return cli.Usage("%s reads files, not standard input", verb)
	}
	return nil
}

// checkPrefix checks what names of result files begin with: that of --output, which plan does not need.
func checkPrefix(flags *pflag.FlagSet, example string) error {
	out := flags.Lookup("output")
	if !out.Changed {
		return nil
	}
	return checkPrefixName(out.Value.String(), example)
}

// checkPrefixName is checkPrefix of a name.
func checkPrefixName(prefix, example string) error {
	base := prefix[strings.LastIndexAny(prefix, "/"+string(os.PathSeparator))+1:]
	if prefix == "-" || base == "" || base == "." || base == ".." {
		return cli.Usage("%q: the results are files, called %s and so on", prefix, example)
	}
	return nil
}

// entryWidth is a flag that takes the bytes of an array entry.
type entryWidth int

func (w *entryWidth) String() string    { return strconv.Itoa(int(*w)) }
func (w *entryWidth) Type() string      { return "choice" }
func (w *entryWidth) Choices() []string { return []string{"4", "5", "8"} }
func (w *entryWidth) Set(s string) error {
	if !slices.Contains(w.Choices(), s) {
		return errors.New("must be one of " + strings.Join(w.Choices(), ", "))
	}
	*w = entryWidth(s[0] - '0')
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
