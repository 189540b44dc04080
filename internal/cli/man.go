package cli

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// writeManual writes the manual page of a command in roff: what its help says, and that of
// the verbs below it.
func writeManual(w io.Writer, c *cobra.Command) error {
	v := version()
	date, _, _ := strings.Cut(v.Time, "T")
	m := &manual{}
	title := strings.ToUpper(strings.ReplaceAll(c.CommandPath(), " ", "-"))
	m.line(".TH %s 1 %q %q", roff(title), date, roff(c.Root().Name()+" "+v.Version))
	m.line(".SH NAME")
	m.line(`%s \- %s`, roff(strings.ReplaceAll(c.CommandPath(), " ", "-")), roff(c.Short))
	m.line(".SH SYNOPSIS")
	m.synopsis(c)
	m.line(".SH DESCRIPTION")
	m.text(c.Long)
	m.flags(c)
	m.files(c)
	m.example(c)
	if c.HasSubCommands() {
		m.line(".SH VERBS")
		m.verbs(c)
	}
	_, err := io.WriteString(w, m.String())
	return err
}

// ShortManual are the annotations of a verb whose flags another part of the page has.
var ShortManual = map[string]string{shortManual: "true"}

// HasShortManual tells whether a verb has them.
func HasShortManual(c *cobra.Command) bool { return c.Annotations[shortManual] != "" }

const shortManual = "suffixcl_short_manual"

// manual is a page that is being written.
type manual struct{ strings.Builder }

// roff protects text: a backslash is none of roff's, a hyphen stays one when it is copied.
func roff(text string) string { return strings.NewReplacer(`\`, `\e`, "-", `\-`).Replace(text) }

// line writes a line of roff.
func (m *manual) line(format string, args ...any) { fmt.Fprintf(m, format+"\n", args...) }

// plain writes a line of text, which is no request whatever it begins with.
func (m *manual) plain(text string) {
	if text = roff(text); strings.HasPrefix(text, ".") || strings.HasPrefix(text, "'") {
		text = `\&` + text
	}
	m.line("%s", text)
}

// text writes paragraphs. Lines that are indented stay lines.
func (m *manual) text(text string) {
	indented := false
	for line := range strings.Lines(strings.Trim(text, "\n")) {
		line = strings.TrimRight(line, "\n")
		if now := strings.HasPrefix(line, "  "); now != indented && line != "" {
			m.line("%s", map[bool]string{true: ".nf", false: ".fi"}[now])
			indented = now
		}
		if line == "" {
			m.line("%s", map[bool]string{true: ".sp", false: ".PP"}[indented])
		} else {
			m.plain(line)
		}
	}
	if indented {
		m.line(".fi")
	}
}

// synopsis is the usage line.
func (m *manual) synopsis(c *cobra.Command) {
	use := c.UseLine()
	if c.HasSubCommands() {
		use = c.CommandPath() + " VERB [flags]"
	}
	m.line(".B %s", roff(use))
}

func (m *manual) flags(c *cobra.Command) {
	c.LocalFlags().VisitAll(func(f *pflag.Flag) {
		if f.Hidden || f.Name == "help" {
			return
		}
		m.line(".TP")
		name := `\fB` + roff("--"+f.Name) + `\fR`
		if f.Shorthand != "" {
			name = `\fB` + roff("-"+f.Shorthand) + `\fR, ` + name
		}
		value, usage := pflag.UnquoteUsage(f)
		if value != "" {
			name += ` \fI` + roff(value) + `\fR`
		}
		m.line("%s", name)
		if !slices.Contains([]string{"", "0", "false", "[]"}, f.DefValue) {
			usage += " (default " + f.DefValue + ")"
		}
		m.plain(usage)
	})
}

// files tells what a verb reads and writes.
func (m *manual) files(c *cobra.Command) {
	d, ok := DescriptionOf(c)
	if !ok {
		return
	}
	v := verbReport(c)
	var reads, writes []string
	for _, in := range d.Inputs {
		reads = append(reads, v.named(in.Name)+" ("+strings.Join(in.Kinds, ", ")+")")
	}
	for _, out := range d.Outputs {
		writes = append(writes, v.named(out.Name)+" ("+strings.Join(out.Formats, ", ")+")")
	}
	for _, line := range []struct {
		what string
		list []string
	}{{"Reads", reads}, {"Writes", writes}} {
		if len(line.list) > 0 {
			m.line(".PP")
			m.plain(line.what + " " + strings.Join(line.list, "; ") + ".")
		}
	}
}

func (m *manual) example(c *cobra.Command) {
	if c.Example != "" {
		m.line(".PP")
		m.line("Examples:")
		m.text(c.Example)
	}
}

func (m *manual) verbs(c *cobra.Command) {
	for _, verb := range c.Commands() {
		if verb.Hidden {
			continue
		}
		m.line(".SS %s", roff(strings.TrimPrefix(verb.CommandPath(), verb.Root().Name()+" ")))
		if verb.Long == "" {
			m.plain(verb.Short + ".")
		}
		if !verb.HasSubCommands() {
			m.synopsis(verb)
			m.line(".PP")
		}
		m.text(verb.Long)
		if !HasShortManual(verb) {
			m.flags(verb)
			m.files(verb)
		}
		m.example(verb)
		m.verbs(verb)
	}
}
