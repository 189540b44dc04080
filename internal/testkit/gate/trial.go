package gate

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// trial is a cell that runs.
type trial struct {
	ctx  context.Context
	run  Runner
	dir  string
	seed uint64
	in   *input
	verb *verb
	cell Cell
}

// verb is a row of the table.
type verb struct {
	name string
	// subjects of conformance that have the programs of the verb; "sorter": those of the default sorter.
	subjects []string
	// takes are the kinds that the verb takes. flags tell it so, where they are not those of the kind.
	takes []string
	flags map[string][]string
	// rest are arguments after the first, for kinds that are refused.
	rest []string
	// bad are kinds that are refused for what the file has, and a part of the message.
	bad map[string]string
	// needs says which program is not installed; may be nil.
	needs func() string
	run   func(t *trial, flags []string) error
}

// flagsOf are the flags for a kind, and whether the verb takes it.
func (v *verb) flagsOf(k Kind) (flags []string, takes bool) {
	flags, own := v.flags[k.Name]
	if !own {
		flags = k.flags
	}
	return flags, slices.Contains(v.takes, k.Name)
}

// refusal is what a command that failed said.
type refusal struct {
	code int
	said string
}

func (e *refusal) Error() string { return fmt.Sprintf("exit code %d: %s", e.code, e.said) }

// exit codes of a command that refuses what it is given: cli.ExitFailed for a file, cli.ExitUsage for flags.
const (
	exitFailed = 1
	exitUsage  = 2
	exitVerify = 5
)

// judge runs the cell. Errors are those of the file system.
func (t *trial) judge() error {
	if err := os.Mkdir(t.dir, 0o777); err != nil {
		return err
	}
	if err := os.WriteFile(filepath.Join(t.dir, "text"), t.in.file, 0o666); err != nil {
		return err
	}
	flags, takes := t.verb.flagsOf(t.in.Kind)
	if !takes {
		t.judgeRefusal(flags)
		return nil
	}
	if t.verb.needs != nil {
		if why := t.verb.needs(); why != "" {
			t.cell.Result, t.cell.Why = Absent, why
			return nil
		}
	}
	if err := t.verb.run(t, flags); err != nil {
		t.cell.Result, t.cell.Why = Wrong, err.Error()
	} else {
		t.cell.Result = Right
	}
	return nil
}

// judgeRefusal expects the verb to refuse what it does not take, and says why.
func (t *trial) judgeRefusal(flags []string) {
	args := strings.Fields(t.verb.name)
	if t.in.Name != kindNone {
		args = append(args, "text")
		args = append(args, t.verb.rest...)
	}
	_, err := t.command(append(args, flags...)...)
	r, refused := err.(*refusal)
	bad, failing := t.verb.bad[t.in.Name]
	switch {
	case err == nil:
		t.cell.Result, t.cell.Why = Wrong, "it is taken, against the table of verbs"
	case refused && (r.code == exitUsage || failing && r.code == exitFailed && strings.Contains(r.said, bad)):
		t.cell.Result, t.cell.Why = Refused, r.said
	default:
		t.cell.Result, t.cell.Why = Wrong, err.Error()
	}
}

// command runs the command, which must succeed: else the error is a *refusal.
func (t *trial) command(args ...string) (out string, err error) {
	t.cell.Command = "suffixcl " + strings.Join(args, " ")
	code, out, errs, err := t.run(t.ctx, t.dir, args...)
	if err != nil {
		return out, err
	}
	if code != 0 {
		return out, &refusal{code, said(errs, t.verb.name)}
	}
	return out, nil
}

// said is a message without the names of command and verb, and without where to read on.
func said(message, verb string) string {
	lines := strings.Split(strings.TrimSpace(message), "\n")
	line := strings.TrimPrefix(lines[len(lines)-1], "suffixcl: ")
	line, _, _ = strings.Cut(line, " (see suffixcl ")
	words := strings.Fields(verb)
	return strings.TrimPrefix(strings.TrimPrefix(line, verb+": "), words[len(words)-1]+": ")
}

// get reads a file of the trial.
func (t *trial) get(name string) ([]byte, error) { return os.ReadFile(filepath.Join(t.dir, name)) }

// put writes one.
func (t *trial) put(name string, data []byte) error {
	return os.WriteFile(filepath.Join(t.dir, name), data, 0o666)
}

// differs compares a result with what is right.
func differs[T ~string | ~[]byte](what string, got, want T) error {
	if string(got) == string(want) {
		return nil
	}
	at := 0
	for at < min(len(got), len(want)) && got[at] == want[at] {
		at++
	}
	around := func(v T) string { return fmt.Sprintf("%.24q", string(v[min(at, len(v)):])) }
	return fmt.Errorf("%s: byte %d of %d, want %d bytes: %s, want %s", what, at, len(got), len(want), around(got),
		around(want))
}

// file compares a file with what is right.
func (t *trial) file(name string, want []byte) error {
	got, err := t.get(name)
	if err != nil {
		return err
	}
	return differs(name, got, want)
}

// with are arguments, some of them in lists.
func with(list ...any) (args []string) {
	for _, v := range list {
		switch v := v.(type) {
		case string:
			args = append(args, v)
		case []string:
			args = append(args, v...)
		}
	}
	return args
}

// saidBy expects a text on standard output of a verb without arguments.
func saidBy(want string) func(*trial, []string) error {
	return func(t *trial, _ []string) error {
		out, err := t.command(t.verb.name)
		if err == nil && !strings.Contains(out, want) {
			err = fmt.Errorf("no %q in %.200q", want, out)
		}
		return err
	}
}

// Runner runs the command with arguments in a directory, and returns its exit code and what it wrote.
type Runner func(ctx context.Context, dir string, args ...string) (code int, out, errs string, err error)
