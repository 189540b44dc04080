package gate

import (
	"errors"
	"fmt"
	"os/exec"
	"slices"
	"strings"
)

// kinds are those with these words in their names.
func kinds(words ...string) (names []string) {
	for _, k := range Kinds() {
		if slices.ContainsFunc(words, func(w string) bool { return strings.HasPrefix(k.Name, w) }) {
			names = append(names, k.Name)
		}
	}
	return names
}

var (
	plainOnes  = kinds(kindBytes, "u16", "u32")
	ordered    = kinds(kindBytes, "u16", "u32", kindFASTA, kindEnd, kindSpecials, kindMemory)
	inverted   = kinds(kindBytes, "u16", "u32", kindEnd, kindMemory)
	searched   = kinds(kindBytes, "u16", "u32", kindFASTA)
	tokenFlags = map[string][]string{kindBytes: {"--token", "u8"}, "u16, 200": {"--token", "u16"},
		"u16, 3000": {"--token", "u16"}, "u32, 200": {"--token", "u32"}, "u32, 3000": {"--token", "u32"}}
	passageFlags = map[string][]string{kindBytes: nil, "u16, 200": {"--token", "u16"}, "u16, 3000": {"--token", "u16"},
		"u32, 200": {"--token", "u32"}, "u32, 3000": {"--token", "u32"}, kindFASTA: {"--input", "fasta"}, kindSet: nil}
	plainFlag = map[string][]string{kindBytes: {"--input", "plain"}}
	setFlags  = map[string][]string{kindBytes: {"--input", "plain"}, kindSet: {"--input", "plain"}}
)

// Subjects of conformance, by what verbs have in common.
var (
	sorting    = []string{"suffixsort", "small-texts", "ranges"}
	ofSymbols  = []string{"symbols", "memory order", "end largest", "specials largest"}
	searching  = []string{"fm-index", "fm-index DNA", "jobs on symbols"}
	genomic    = []string{"matches", "lcp"}
	formatting = []string{"bwt", "lcp", "ranges", "set"}
)

// pangenomeVerbs are those of pangenome, with their arguments after the first.
var pangenomeVerbs = []struct {
	name string
	rest []string
}{
	{"build", []string{"-o", "out"}}, {"append", []string{"text", "-o", "out"}}, {"merge", []string{"text", "-o", "out"}},
	{"stat", nil}, {"get", []string{"0"}}, {"samples", nil}, {"verify", []string{"text"}},
}

// verbs are the rows, in the order of the help.
func verbs() []verb {
	out := []string{"-o", "out"}
	list := []verb{
		{name: "sa", subjects: slices.Concat(sorting, ofSymbols), takes: ordered, rest: out, run: runArray},
		{name: "lcp", subjects: slices.Concat(sorting, ofSymbols, []string{"lcp", "verify"}), takes: ordered, rest: out,
			run: runArray},
		{name: "gsa", subjects: []string{"set", "lcp", "suffixsort"}, takes: kinds(kindBytes, kindFASTA, kindSet),
			flags: setFlags, rest: append(out, "--sa"), run: runSet},
		{name: "bwt", subjects: slices.Concat(sorting, ofSymbols, []string{"bwt", "set"}),
			takes: slices.Concat(ordered, []string{kindSet}), rest: out, run: runTransform},
		{name: "unbwt", subjects: slices.Concat(ofSymbols, []string{"unbwt"}), takes: inverted, rest: out, run: runInverse},
		{name: "index", subjects: slices.Concat(sorting, searching), takes: searched, rest: out, flags: plainFlag,
			run: runIndex},
	}
	for _, format := range []string{"bwa", "bowtie2", "bwa-mem2", "minibwa", "genometools"} {
		list = append(list, verb{name: "build " + format, subjects: formatting, takes: []string{kindFASTA},
			flags: map[string][]string{kindFASTA: nil}, rest: []string{"out"}, run: runFormat,
			bad: map[string]string{kindBytes: "where a record should begin"}, needs: encoder(format)})
	}
	list = append(list,
		verb{name: "build star", subjects: append([]string{"specials largest", "suffixsort"}, formatting...),
			takes: []string{kindFASTA}, flags: map[string][]string{kindFASTA: nil}, rest: starRest, run: runSTAR,
			bad: map[string]string{kindBytes: "where a record should begin"}},
		verb{name: "build infini-gram-mini", subjects: []string{"suffixsort", "bwt", "ranges"}, takes: []string{kindSet},
			flags: map[string][]string{kindSet: {"--input", "text"}, kindBytes: {"--input", "text"}}, rest: []string{"out"},
			run: runInfiniGram, bad: map[string]string{kindBytes: "invalid UTF-8"}},
		verb{name: "pangenome thresholds", subjects: []string{"thresholds", "suffixsort", "lcp"}, takes: []string{kindFASTA},
			flags: map[string][]string{kindFASTA: nil}, rest: []string{"out"}, run: runThresholds,
			bad: map[string]string{kindBytes: "where a record should begin"}},
		verb{name: "count", subjects: searching, takes: searched, flags: ofIndex, run: runCount},
		verb{name: "locate", subjects: searching, takes: searched, flags: ofIndex, run: runLocate},
		verb{name: "get", subjects: searching, takes: kinds(kindBytes, kindFASTA, kindSet),
			flags: map[string][]string{kindBytes: nil, kindFASTA: nil, kindSet: nil}, run: runGet},
		verb{name: "match", subjects: slices.Concat(sorting, []string{"match array", "jobs on symbols", "set search"}),
			takes: searched, flags: plainFlag, rest: []string{"text"}, run: runMatch},
		verb{name: "repeats", subjects: []string{"repeats", "repeats of symbols", "suffixsort", "lcp"}, takes: searched,
			flags: plainFlag, run: runRepeats},
		verb{name: "intervals", subjects: []string{"intervals", "set", "symbols", "suffixsort", "lcp"},
			takes: slices.Concat(searched, []string{kindSet}),
			flags: map[string][]string{kindBytes: {"--input", "plain"}, kindSet: {"--lines"}}, run: runIntervals},
		verb{name: "mems", subjects: genomic, takes: kinds(kindBytes, kindFASTA), rest: []string{"text"}, flags: plainFlag,
			run: runMems},
		verb{name: "mums", subjects: append([]string{"multi-matches"}, genomic...), takes: kinds(kindBytes, kindFASTA),
			rest: []string{"text"}, flags: plainFlag, run: runMums},
		verb{name: "smems", subjects: []string{"smems", "rlbwt"}, takes: []string{kindFASTA},
			flags: map[string][]string{kindFASTA: nil, kindBytes: nil}, rest: []string{"text"}, run: runSMEMs,
			bad: map[string]string{kindBytes: "text.ann"}},
		verb{name: "mappability", subjects: append([]string{"mappability", "suffixsort"}, genomic...),
			takes: kinds(kindBytes, kindFASTA), rest: append(out, "-k", "4"), flags: plainFlag, run: runMappability},
	)
	for _, v := range pangenomeVerbs {
		said := "not an index of ropebwt3"
		if v.name == "build" {
			said = "no records of FASTA"
		}
		list = append(list, verb{name: "pangenome " + v.name, subjects: []string{"rlbwt", "rlbwt merge", "set"},
			takes: []string{kindFASTA},
			flags: map[string][]string{kindFASTA: nil, kindBytes: nil}, rest: v.rest, run: runPangenome,
			bad: map[string]string{kindBytes: said}})
	}
	return append(list,
		verb{name: "tokens", subjects: []string{"symbols", "memory order", "suffixsort"}, takes: plainOnes,
			flags: tokenFlags, rest: out, run: runTokens},
		verb{name: "tokens count", takes: plainOnes, flags: tokenFlags, rest: []string{"1"}, run: runGrams},
		verb{name: "tokens find", takes: plainOnes, flags: tokenFlags, rest: []string{"1"}, run: runGrams},
		verb{name: "tokens next", takes: plainOnes, flags: tokenFlags, rest: []string{"1"}, run: runGrams},
		verb{name: "seeds", subjects: []string{"intervals", "set", "symbols", "suffixsort"}, takes: []string{kindSet},
			flags: map[string][]string{kindSet: nil, kindBytes: nil}, bad: map[string]string{kindBytes: "invalid UTF-8"},
			run: runSeeds},
		verb{name: "dedup", subjects: []string{"duplicates"}, takes: append(slices.Clone(plainOnes), kindSet),
			flags: map[string][]string{kindSet: {"--separator", `\n`}}, run: runDedup},
		verb{name: "passages", takes: append(slices.Clone(searched), kindSet), flags: passageFlags,
			rest: []string{"document"}, run: runPassages},
		verb{name: "serve", subjects: searching, takes: plainOnes, flags: tokenFlags, run: runServe},
		verb{name: "diff", subjects: sorting, takes: []string{kindBytes}, rest: append([]string{"text"}, out...),
			run: runDiff},
		verb{name: "apply", takes: []string{kindBytes}, rest: append([]string{"text"}, out...), run: runDiff},
		verb{name: "verify", subjects: slices.Concat(ofSymbols, []string{"verify", "unbwt"}), takes: ordered,
			rest: []string{"sa"}, run: runVerify},
		verb{name: "plan", takes: append(slices.Clone(ordered), kindSet), flags: map[string][]string{kindSet: {"--set"}},
			run: runPlan},
		verb{name: "devices", subjects: []string{"suffixsort", "verify"}, takes: []string{kindNone}, run: saidBy("ok, ")},
		verb{name: "prepare", takes: []string{kindNone}, run: runPrepare},
		verb{name: "version", takes: []string{kindNone}, run: saidBy("suffixcl ")},
		verb{name: "completion", takes: []string{kindNone}, run: runCompletion},
		verb{name: "help", takes: []string{kindNone}, run: saidBy("Exit codes:")},
	)
}

// Verb is a verb of the command, and the subjects of conformance that have its programs.
type Verb struct {
	Name     string
	Subjects []string
}

// Verbs are those of the table, in its order.
func Verbs() (list []Verb) {
	for _, v := range verbs() {
		list = append(list, Verb{v.name, v.subjects})
	}
	return list
}

// encoder says that GenomeTools is not installed, whose encoded sequence an index of it belongs to.
func encoder(format string) func() string {
	if format != "genometools" {
		return nil
	}
	return func() string {
		if _, err := exec.LookPath("gt"); err != nil {
			return "GenomeTools is not installed, which encodes the sequence"
		}
		return ""
	}
}

func runPrepare(t *trial, _ []string) error {
	_, err := t.command("prepare", "--for", "sa,verify", "-q")
	return err
}

func runCompletion(t *trial, _ []string) error {
	out, err := t.command("completion", "bash")
	if err == nil && !strings.Contains(out, "suffixcl") {
		err = errors.New("a script that does not name the command")
	}
	return err
}

func runPlan(t *trial, flags []string) error {
	verb := "sa"
	if t.in.Name == kindSet {
		verb = "bwt"
	}
	out, err := t.command(with("plan", verb, "text", flags)...)
	if err == nil && !strings.Contains(out, "\nfits") {
		err = fmt.Errorf("%.200q", out)
	}
	return err
}
