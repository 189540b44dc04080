package verbs

import (
	"os"
	"runtime"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/suffixcl/suffixcl/internal/cli"
	"github.com/suffixcl/suffixcl/internal/cli/clitest"
)

// Wrong usage is told by what is missing, too much or unknown, and by what was meant.
func TestUsageNames(t *testing.T) {
	dir := t.TempDir()
	for args, want := range map[string]string{
		"sa":                               "sa: TEXT is missing",
		"sa text":                          "sa: -o OUT is missing",
		"sa text other -o out":             `sa: "other" is too much: it takes TEXT`,
		"match ref":                        "match: QUERIES is missing",
		"verify text":                      "verify: SA is missing",
		"count":                            "count: INDEX is missing",
		"devices all":                      `devices: "all" is too much: it takes no arguments`,
		"indx text -o out":                 `there is no verb "indx"; did you mean index?`,
		"fly":                              `there is no verb "fly"`,
		"help lcoate":                      `there is no verb "lcoate"; did you mean locate?`,
		"plan":                             "a verb is missing",
		"plan fly text":                    `there is no verb "fly"`,
		"plan locat text":                  `there is no verb "locat"; did you mean locate?`,
		"plan verify":                      "verify: TEXT is missing",
		"plan sa text more":                `sa: "more" is too much: it takes TEXT`,
		"help sa text":                     `sa has no verb "text"`,
		"completion":                       "completion: SHELL is missing",
		"completion tcsh":                  "completion: SHELL must be one of bash, zsh, fish, powershell",
		"sa text -o out --algoritm x":      "unknown flag: --algoritm; did you mean --algorithm?",
		"sa text -o out --max-memory":      "unknown flag: --max-memory; did you mean --max-mem?",
		"sa text -o out --wings":           "unknown flag: --wings",
		"sa text -o out --width seven":     `invalid argument "seven" for "--width" flag: must be one of 4, 5, 8`,
		"sa text -o out --letters A":       "--letters is for --order specials-largest",
		"sa text -o out --device 0,":       "--device 0,: a name is empty",
		"index text -o out --device all":   "index works on one device: --device all names several",
		"plan mems a.fa b.fa --device 0,0": "mems works on one device: --device 0,0 names several",
		"mappability g.fa -o out -k 3,x":   `-k 3,x: "x" is no number that it takes`,
		"mappability g.fa -o - -k 3":       `"-": the results are files, called OUT.k50.bedgraph and so on`,
		"mappability g.fa -o out -k 1,,2":  `-k 1,,2: "" is no number that it takes`,
		"mappability g.fa -o . -k 3":       `".": the results are files, called OUT.k50.bedgraph and so on`,
		"gsa texts --sa -o dir/..":         `"dir/..": the results are files, called OUT.sa and so on`,
		"build bwa g.fa dir/.":             `"dir/.": the results are files, called PREFIX.amb and so on`,
		"pangenome thresholds g.fa dir/":   `"dir/": the results are files, called PREFIX.bwt.heads and so on`,
		"pangenome thresholds g.fa":        "thresholds: PREFIX is missing",
		"pangenome":                        "a verb is missing",
		"prepare --for sa,,bwt":            "--for: a member of the list is empty",
		"prepare --for=":                   "--for: a member of the list is empty",
		"sa text -o out --device=":         `invalid argument "" for "--device" flag: it is empty`,
		"dedup - --offsets -":              "only one of the files can be standard input",
		"tokens next index 1 --eos -7":     "--eos: -7 is no token",
		"dedup text --write -": `invalid argument "-" for "--write" flag: it is a directory, not a stream; ` +
			"./- is one of that name",
		"sa text -o out --resume -": `invalid argument "-" for "--resume" flag: it is a directory, not a stream; ` +
			"./- is one of that name",
		"gsa texts --sa -o dir/":             `"dir/": the results are files, called OUT.sa and so on`,
		"gsa texts --sa -o out --da-width 8": "--da-width is for --da, --gsa and --gesa",
		"gsa texts --bwt -o out --width 8":   "--width is for --sa, --lcp, --isa, --gsa and --gesa",
		"build bwa g.fa -":                   `"-": the results are files, called PREFIX.amb and so on`,
		"mems a.fa b.fa --format paf -s": "--original, --four-columns, --lengths and --substrings are for " +
			"--format mummer",
		"match ref queries --width 8": "--width is for --sa",
		"tokens - -o out":             "tokens: TOKENS is a file or a directory, not standard input",
		"diff - new -o out":           "diff reads files, not standard input",
		"apply old - -o out":          "apply reads files, not standard input",
	} {
		r := clitest.Run(t, dir, strings.Fields(args)...)
		assert.Equal(t, cli.ExitUsage, r.Code, args)
		assert.True(t, strings.HasPrefix(r.Errors, "suffixcl: "+want+" (see suffixcl "), "%s: %s", args, r.Errors)
	}
}

func TestVersionFlag(t *testing.T) {
	dir := t.TempDir()
	r := clitest.Finish(t, clitest.Command(dir, "--version")) // of the command: the tests are built without a commit
	assert.Equal(t, clitest.Finish(t, clitest.Command(dir, "version")), r)
	assert.Zero(t, r.Code)
	assert.Contains(t, r.Out, runtime.Version())
	assert.Contains(t, clitest.Good(t, dir, "--help").Out, "--version")
}

// What cannot be written is an error, of help, too.
func TestHelpToFullDisk(t *testing.T) {
	full, err := os.OpenFile("/dev/full", os.O_WRONLY, 0)
	if err != nil {
		t.Skip(err)
	}
	defer full.Close()
	for _, args := range []string{"help", "--help", "--version", "version", "sa --help", "help sa", "completion zsh"} {
		c := clitest.Command(t.TempDir(), strings.Fields(args)...)
		c.Stdout = full
		r := clitest.Finish(t, c)
		assert.Equal(t, cli.ExitFailed, r.Code, args)
		assert.Equal(t, "suffixcl: writing standard output: no space left on device\n", r.Errors, args)
	}
}

// completions are what a shell offers for the last word.
func completions(t *testing.T, args ...string) (words []string, files bool) {
	r := clitest.Good(t, t.TempDir(), append([]string{"__complete"}, args...)...)
	lines := strings.Split(strings.TrimSpace(r.Out), "\n")
	for _, line := range lines[:len(lines)-1] {
		word, _, _ := strings.Cut(line, "\t")
		words = append(words, word)
	}
	return words, lines[len(lines)-1] == ":0"
}

// verbNames are the verbs that a user chooses from.
func verbNames() (names []string) {
	for _, verb := range Root().Commands() {
		if verb.IsAvailableCommand() {
			names = append(names, verb.Name())
		}
	}
	return names
}

func TestCompletion(t *testing.T) {
	for _, c := range []struct {
		args  string // "." is the empty word
		words []string
		files bool
	}{
		{"sa .", nil, true},
		{"sa text .", nil, false},
		{"sa text -o .", nil, true},
		{"sa --algorithm .", append(cli.Algorithms(), "ranges", "pcss", "pdc3"), false},
		{"lcp --width .", []string{"4", "5", "8"}, false},
		{"index --input .", []string{"auto", "plain", "fasta", "fastq"}, false},
		{"sa --max-mem .", nil, false},
		{"verify text .", nil, true},
		{"verify text sa --bwt .", nil, true},
		{"count .", nil, true},
		{"count index .", nil, false},
		{"count index --patterns .", nil, true},
		{"devices .", nil, false},
		{"lo", []string{"locate"}, false},
		{"help .", verbNames(), false},
		{"plan lo", []string{"locate"}, false},
		{"plan match .", nil, true},
		{"plan repeats --mask .", []string{"none", "lower"}, false},
		{"completion z", []string{"zsh"}, false},
	} {
		words := strings.Fields(c.args)
		if last := len(words) - 1; words[last] == "." {
			words[last] = ""
		}
		got, files := completions(t, words...)
		assert.Equal(t, c.words, got, c.args)
		assert.Equal(t, c.files, files, c.args)
	}
	words, files := completions(t, "sa", "--device", "")
	assert.Subset(t, words, []string{"auto", "gpu", "cpu"})
	assert.False(t, files)
	if clitest.HasDevice() {
		assert.Contains(t, words, "0")
	}
	for _, shell := range []string{"bash", "zsh", "fish", "powershell"} {
		assert.Contains(t, clitest.Good(t, t.TempDir(), "completion", shell).Out, "suffixcl")
	}
}
