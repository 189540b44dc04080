// Package options has the flags that several verbs of suffixcl share, and what they mean.
package options

import (
	"errors"
	"os"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
	"github.com/suffixcl/suffixcl"
	"github.com/suffixcl/suffixcl/internal/cli"
	"github.com/suffixcl/suffixcl/seqio"
)

// Job are the flags of the verbs that compute on a text.
type Job struct {
	cli.DeviceFlags
	cli.TextFlags
	Algorithm cli.Choice
	Symbols   cli.Choice // of the verbs that take them
	Profile   bool
	Phases    bool
	MPI       bool
	several   bool   // devices, if --device names them
	Resume    string // directory
	Quiet     bool
	JSON      bool
}

// Add declares the flags of a verb for plain texts; sorts says whether it sorts suffixes.
func (f *Job) Add(flags *pflag.FlagSet, sorts bool) {
	f.AddCommon(flags)
	f.TextFlags.Add(flags, seqio.Plain)
	if sorts {
		f.AddAlgorithm(flags)
	}
}

// AddSequences declares the flags of a verb that tells records apart: it recognises them.
func (f *Job) AddSequences(flags *pflag.FlagSet) {
	f.AddCommon(flags)
	f.TextFlags.Add(flags, seqio.Auto)
	f.AddAlgorithm(flags)
}

// AddAlgorithm declares the flag for the sorter.
func (f *Job) AddAlgorithm(flags *pflag.FlagSet) {
	f.Algorithm = cli.Choice{Value: string(suffixcl.AlgorithmAuto), Of: cli.Algorithms()}
	flags.Var(&f.Algorithm, "algorithm", sortersUsage(f.Algorithm.Of))
}

// AddSorters declares sorters that only some verbs have.
func (f *Job) AddSorters(flags *pflag.FlagSet, more ...suffixcl.Algorithm) {
	for _, a := range more {
		f.Algorithm.Of = append(f.Algorithm.Of, string(a))
	}
	flags.Lookup("algorithm").Usage = sortersUsage(f.Algorithm.Of)
}

func sortersUsage(names []string) string { return "suffix sorter: " + strings.Join(names, ", ") }

// Sorter is the algorithm of the engine, which does not sort where ranks do.
func (f *Job) Sorter() suffixcl.Algorithm {
	if f.MPI {
		return suffixcl.AlgorithmAuto
	}
	return suffixcl.Algorithm(f.Algorithm.Value)
}

// AddCommon declares the flags of every job, whatever its input is.
func (f *Job) AddCommon(flags *pflag.FlagSet) {
	f.DeviceFlags.Add(flags)
	cli.AddJSON(flags, &f.JSON)
	flags.BoolVar(&f.Profile, "profile", false, "print the device time of every kernel on standard error")
	flags.BoolVar(&f.Phases, "phases", false,
		"print the share of every stage and the device time of every phase on standard error")
	flags.BoolVarP(&f.Quiet, "quiet", "q", false, "no progress, notes or summary on standard error")
}

// AddOutput declares the flag for the result file.
func AddOutput(c *cobra.Command, out *string) {
	c.Flags().VarP((*cli.FileName)(out), "output", "o", `result file; "-" is standard output (required)`)
}

// AddTextOutput declares the flag for a result that goes to standard output without it.
func AddTextOutput(c *cobra.Command, out *string) {
	*out = "-"
	c.Flags().VarP((*cli.FileName)(out), "output", "o", `result file; "-" is standard output`)
}

// AddWidth declares the flag for the layout of suffix and LCP array files.
func AddWidth(flags *pflag.FlagSet, w *Width) {
	*w = 4
	flags.Var(w, "width", "bytes of an array entry: 4, 5 or 8, little-endian")
}

// AddSA declares the flag for a suffix array that is there already.
func AddSA(c *cobra.Command, name *string, of string) {
	c.Flags().Var((*cli.FileName)(name), "sa", "the suffix array of the "+of+", instead of sorting")
	c.MarkFlagsMutuallyExclusive("sa", "algorithm")
}

// AddPrimary declares the flag for a primary index, which is -1 where it is not given.
func AddPrimary(flags *pflag.FlagSet, primary *int, help string) {
	*primary = -1
	flags.Var((*Primary)(primary), "primary", help)
}

// OneStandardInput checks the names of files that a verb reads.
func OneStandardInput(names ...string) error {
	if i := slices.Index(names, "-"); i >= 0 && slices.Contains(names[i+1:], "-") {
		return cli.Usage("only one of the files can be standard input")
	}
	return nil
}

// NoStandardInput checks the names of files that a verb reads at any place.
func NoStandardInput(verb string, names ...string) error {
	if slices.Contains(names, "-") {
		return cli.Usage("%s reads files, not standard input", verb)
	}
	return nil
}

// CheckPrefix checks what names of result files begin with: that of --output, which plan does not need.
func CheckPrefix(flags *pflag.FlagSet, example string) error {
	out := flags.Lookup("output")
	if !out.Changed {
		return nil
	}
	return CheckPrefixName(out.Value.String(), example)
}

// CheckPrefixName is checkPrefix of a name.
func CheckPrefixName(prefix, example string) error {
	base := prefix[strings.LastIndexAny(prefix, "/"+string(os.PathSeparator))+1:]
	if prefix == "-" || base == "" || base == "." || base == ".." {
		return cli.Usage("%q: the results are files, called %s and so on", prefix, example)
	}
	return nil
}

// Width is a flag that takes the bytes of an array entry.
type Width int

func (w *Width) String() string { return strconv.Itoa(int(*w)) }

func (w *Width) Type() string { return "choice" }

func (w *Width) Choices() []string { return []string{"4", "5", "8"} }

func (w *Width) Set(s string) error {
	if !slices.Contains(w.Choices(), s) {
		return errors.New("must be one of " + strings.Join(w.Choices(), ", "))
	}
	*w = Width(s[0] - '0')
	return nil
}

// Primary is a flag that takes a number from 0 on; -1 is none.
type Primary int

func (p *Primary) String() string {
	if *p < 0 {
		return ""
	}
	return strconv.Itoa(int(*p))
}

func (p *Primary) Type() string { return "int" }

func (p *Primary) Set(s string) error {
	n, err := strconv.Atoi(s)
	if err != nil || n < 0 {
		return errors.New("a primary index is a number from 0 on")
	}
	*p = Primary(n)
	return nil
}
