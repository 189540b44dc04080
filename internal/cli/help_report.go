package cli

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// HelpReport is the help as JSON: verbs for programs that call them.
type HelpReport struct {
	Program string       `json:"program"`
	Version string       `json:"version"`
	Verbs   []VerbReport `json:"verbs"`
}

// VerbReport is a verb with what it takes and makes.
type VerbReport struct {
	Verb      string           `json:"verb"`
	Group     string           `json:"group"`
	Summary   string           `json:"summary"`
	Usage     string           `json:"usage"`
	Arguments []ArgumentReport `json:"arguments"`
	Options   []OptionReport   `json:"options"`
	Description
}

// ArgumentReport is an argument of the usage line.
type ArgumentReport struct {
	Name     string `json:"name"`
	Required bool   `json:"required"`
	Repeated bool   `json:"repeated"`
}

// OptionReport is a flag.
type OptionReport struct {
	Name      string   `json:"name"`
	Shorthand string   `json:"shorthand"`
	Type      string   `json:"type"`
	Default   string   `json:"default"`
	Choices   []string `json:"choices"`
	Required  bool     `json:"required"`
	Usage     string   `json:"usage"`
}

// helpReport tells of a command and of the verbs below it that can be called.
func helpReport(about *cobra.Command) *HelpReport {
	r := &HelpReport{Program: about.Root().Name(), Version: version().Version, Verbs: []VerbReport{}}
	var add func(c *cobra.Command)
	add = func(c *cobra.Command) {
		if c.HasParent() && c.Runnable() && !c.DisableFlagsInUseLine { // see needVerb
			r.Verbs = append(r.Verbs, verbReport(c))
		}
		for _, verb := range c.Commands() {
			if !verb.Hidden {
				add(verb)
			}
		}
	}
	add(about)
	return r
}

func verbReport(c *cobra.Command) VerbReport {
	v := VerbReport{Verb: verbPath(c), Summary: c.Short, Usage: c.UseLine(), Arguments: []ArgumentReport{},
		Options: []OptionReport{}}
	for top := c; top.HasParent(); top = top.Parent() {
		v.Group = top.GroupID
	}
	arguments, required := synopsis(c.Use)
	for _, a := range arguments {
		v.Arguments = append(v.Arguments, ArgumentReport{a.name, !a.optional, a.repeated})
	}
	c.LocalFlags().VisitAll(func(f *pflag.Flag) {
		if f.Hidden || f.Name == "help" {
			return
		}
		_, usage := pflag.UnquoteUsage(f)
		o := OptionReport{Name: f.Name, Shorthand: f.Shorthand, Type: f.Value.Type(), Default: f.DefValue,
			Choices: []string{}, Usage: usage}
		if choice, ok := f.Value.(interface{ Choices() []string }); ok {
			o.Choices = append(o.Choices, choice.Choices()...)
		}
		o.Required = slices.ContainsFunc(required, func(r requiredFlag) bool { return r.shorthand == f.Shorthand })
		v.Options = append(v.Options, o)
	})
	v.Description, _ = DescriptionOf(c)
	v.Inputs, v.Outputs = append([]Accepted{}, v.Inputs...), append([]Produced{}, v.Outputs...) // none is not null
	return v
}

// verbPath is how a verb is called, without the program.
func verbPath(c *cobra.Command) string {
	return strings.TrimPrefix(c.CommandPath(), c.Root().Name()+" ")
}

// commonOptions are those of so many verbs that the table leaves them out.
var commonOptions = []string{"device", "max-mem", "json", "profile", "phases", "quiet", "raw"}

// writePage writes a page about the verbs in Markdown.
func (r *HelpReport) writePage(w io.Writer) error {
	var b strings.Builder
	fmt.Fprintf(&b, "# Verbs\n\nWhat each verb reads and writes, and the options that are its own. ")
	fmt.Fprintf(&b, "`%s help --json` tells programs the same,\nwith types and defaults. Many verbs also have ", r.Program)
	for i, name := range commonOptions {
		fmt.Fprintf(&b, "%s`--%s`", [...]string{"", ", "}[min(i, 1)], name)
	}
	fmt.Fprintf(&b, ".\n\n")
	fmt.Fprintf(&b, "| verb | reads | writes | options | plan, prepare | ranges | ranks |\n")
	fmt.Fprintf(&b, "|---|---|---|---|---|---|---|\n")
	for _, v := range r.Verbs {
		if strings.HasPrefix(v.Verb, "plan ") {
			continue // whose verb has a line
		}
		var reads, writes, options []string
		for _, in := range v.Inputs {
			reads = append(reads, code(v.named(in.Name))+": "+strings.Join(in.Kinds, ", "))
		}
		for _, out := range v.Outputs {
			writes = append(writes, code(v.named(out.Name))+": "+strings.Join(out.Formats, ", "))
		}
		for _, o := range v.Options {
			if !slices.Contains(commonOptions, o.Name) {
				options = append(options, code("--"+o.Name))
			}
		}
		var ahead []string
		if v.Planned {
			ahead = append(ahead, "plan")
		}
		if v.Prepared {
			ahead = append(ahead, "prepare")
		}
		fmt.Fprintf(&b, "| %s | %s | %s | %s | %s | %s | %s |\n", code(v.Verb), strings.Join(reads, "<br>"),
			strings.Join(writes, "<br>"), strings.Join(options, " "), strings.Join(ahead, ", "), yes(v.Ranges),
			yes(v.Ranks))
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// named is the name of an input or output, with "--" before that of a flag.
func (v *VerbReport) named(name string) string {
	if slices.ContainsFunc(v.Options, func(o OptionReport) bool { return o.Name == name }) {
		return "--" + name
	}
	return name
}

func code(word string) string {
	if word == Stdout {
		return word
	}
	return "`" + word + "`"
}

func yes(b bool) string {
	if b {
		return "yes"
	}
	return ""
}
