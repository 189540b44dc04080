package differential

import (
	"bytes"
	"fmt"
	"hash/fnv"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// verb is one that has an oracle.
type verb struct {
	random   func(g generator) *Case
	files    func(c *Case) []File // nil: those of the inputs
	commands func(c *Case) [][]string
	// check says what is wrong with a run, all commands of which have ended well.
	check func(c *Case, r *Run) error
	// judges: check judges exit codes, too.
	judges bool
}

var verbs = map[string]verb{
	"sa": arrayVerb("sa"), "lcp": arrayVerb("lcp"), "bwt": transformVerb, "unbwt": inverseVerb, "verify": verifyVerb,
	"gsa": setVerb, "index": indexVerb, "count": countVerb, "locate": locateVerb, "match": matchVerb,
	"repeats": repeatsVerb, "intervals": intervalsVerb, "mems": memsVerb, "mums": mumsVerb,
	"mappability": mappabilityVerb, "tokens": tokensVerb, "seeds": seedsVerb, "dedup": dedupVerb, "diff": diffVerb,
	"apply": applyVerb, "plan": planVerb, "pangenome": pangenomeVerb, "passages": passagesVerb,
}

// Without are the verbs that have no oracle, and why.
var Without = map[string]string{
	"build":   "the bytes are those of other programs, with which the tests of package formats compare them",
	"devices": "it tells of the machine",
	"get":     "its tests and the gate of verbs compare it with the text",
	"prepare": "it leaves programs for a device, and no result",
	"serve":   "its tests compare answers with the definition, and so does the gate of verbs",
	"smems":   "its tests compare it with bwa fastmap, and the gate of verbs with the definition",
}

// Verbs are those that have an oracle, in their order.
func Verbs() []string {
	names := make([]string, 0, len(verbs))
	for name := range verbs {
		names = append(names, name)
	}
	slices.Sort(names)
	return names
}

// Result is that of a command.
type Result struct {
	Code        int
	Out, Errors string
}

// Runner runs the command with arguments in a directory.
type Runner func(dir string, args []string) Result

// Run is a case that was run.
type Run struct {
	dir     string
	Results []Result
}

// Out is the standard output of the last command.
func (r *Run) Out() string { return r.Results[len(r.Results)-1].Out }

// File is a file that was written, or nil.
func (r *Run) File(name string) []byte {
	data, err := os.ReadFile(filepath.Join(r.dir, filepath.FromSlash(name)))
	if err != nil {
		return nil
	}
	return data
}

// Wrong is a case whose result is wrong.
type Wrong struct {
	Case  *Case
	Shell string // the commands
	Why   string
	kind  string // of wrongness: cases of one kind have one cause
}

func (w *Wrong) Error() string { return w.Why + "\n" + w.Shell }

// Random is case number i of a verb.
func Random(name string, seed, i uint64) *Case {
	hash := fnv.New64a()
	hash.Write([]byte(name))
	g := generator{rand.New(rand.NewPCG(seed+i<<20, hash.Sum64()))}
	c := verbs[name].random(g)
	c.Verb = name
	return c
}

// Check runs a case in an empty directory, which it removes. The error is a *Wrong, or one of the file system.
func Check(c *Case, run Runner) error {
	dir, err := os.MkdirTemp("", "differential-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	v := verbs[c.Verb]
	files := c.files()
	for _, f := range files {
		name := filepath.Join(dir, filepath.FromSlash(f.Name))
		if err := os.MkdirAll(filepath.Dir(name), 0o777); err != nil {
			return err
		}
		if err := os.WriteFile(name, f.Data, 0o666); err != nil {
			return err
		}
	}
	for _, in := range c.Inputs { // a directory may have no files
		if in.Format == Paths {
			if err := os.MkdirAll(filepath.Join(dir, in.Name), 0o777); err != nil {
				return err
			}
		}
	}
	commands := v.commands(c)
	r := &Run{dir: dir}
	wrong := func(why, kind string) error { return &Wrong{c, shell(files, commands), why, kind} }
	for _, args := range commands {
		result := run(dir, args)
		if r.Results = append(r.Results, result); result.Code != 0 && !v.judges {
			return wrong(fmt.Sprintf("exit code %d: %s", result.Code, strings.TrimSpace(result.Errors)), messageKind(result))
		}
	}
	if err := v.check(c, r); err != nil {
		return wrong(err.Error(), "result")
	}
	return nil
}

// messageKind is what messages of one kind share: the words before the first number or name.
func messageKind(r Result) string {
	at := strings.IndexAny(r.Errors, `0123456789"'`)
	if at < 0 {
		at = len(r.Errors)
	}
	return fmt.Sprint(r.Code, r.Errors[:at])
}

// files are those that the commands read.
func (c *Case) files() []File {
	if files := verbs[c.Verb].files; files != nil {
		return files(c)
	}
	var files []File
	for i := range c.Inputs {
		files = append(files, c.Inputs[i].Files()...)
	}
	return files
}

// same compares a result with what it should be.
func same[T string | []byte](what string, got, want T) error {
	if a, b := []byte(got), []byte(want); !bytes.Equal(a, b) {
		at := 0
		for at < min(len(a), len(b)) && a[at] == b[at] {
			at++
		}
		return fmt.Errorf("%s is wrong from byte %d on:\n%s, want\n%s", what, at, excerpt(a), excerpt(b))
	}
	return nil
}

// sameLines compares lines whose order is not told.
func sameLines(what, got, want string) error {
	sorted := func(text string) string {
		lines := strings.SplitAfter(text, "\n")
		slices.Sort(lines)
		return strings.Join(lines, "")
	}
	return same(what, sorted(got), sorted(want))
}

func excerpt(b []byte) string {
	const most = 600
	if len(b) > most {
		return fmt.Sprintf("%q…", b[:most])
	}
	return fmt.Sprintf("%q", b)
}
