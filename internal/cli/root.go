package cli

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"
)

// Group is verbs under a title in the help of a command.
type Group struct {
	Title string
	Verbs []*cobra.Command
}

// NewRoot makes a command of groups of verbs. The verbs version, completion
// and help come last.
func NewRoot(name, short, long string, groups ...Group) *cobra.Command {
	root := &cobra.Command{
		Use:           name,
		Short:         short,
		Long:          long,
		Version:       version().Version,
		SilenceErrors: true,
		SilenceUsage:  true,
	}
	root.Flags().Bool("version", false, "say which version this is")
	root.SetVersionTemplate(versionLine(name) + "\n")
	root.SetFlagErrorFunc(explainFlag)
	cobra.EnableCommandSorting = false
	help := helpCommand()
	const other = "Other"
	for _, group := range append(groups, Group{other, []*cobra.Command{versionCommand(), completionCommand(name), help}}) {
		root.AddGroup(&cobra.Group{ID: group.Title, Title: group.Title + ":"})
		for _, verb := range group.Verbs {
			verb.GroupID = group.Title
			prepare(verb)
			root.AddCommand(verb)
		}
	}
	root.AddCommand(tryCommand())
	root.SetHelpCommand(help)
	root.CompletionOptions.DisableDefaultCmd = true
	root.SetUsageTemplate(strings.NewReplacer(
		"Available Commands:", "Verbs:", "[command]", "VERB", "a command", "a verb",
		"{{if .Runnable}}", "{{if and .Runnable (not .DisableFlagsInUseLine)}}", // see needVerb
	).Replace(root.UsageTemplate()))
	needVerb(root)
	return root
}

// prepare gives a verb, and those below it, what all have.
func prepare(c *cobra.Command) {
	if c.HasSubCommands() {
		needVerb(c)
	}
	if c.Args == nil {
		c.Args = checkArguments
	}
	if c.ValidArgsFunction == nil && c.ValidArgs == nil {
		c.ValidArgsFunction = completeArguments
	}
	completeFlags(c)
	for _, verb := range c.Commands() {
		prepare(verb)
	}
}

// needVerb makes it wrong usage to call a command that only has verbs without one of them.
func needVerb(c *cobra.Command) {
	if c.Runnable() {
		return
	}
	c.DisableFlagsInUseLine = true
	c.Args = func(c *cobra.Command, args []string) error {
		if len(args) > 0 {
			return unknownVerb(c, args[0])
		}
		return errors.New("a verb is missing")
	}
	c.RunE = func(*cobra.Command, []string) error { return nil } // its arguments are always wrong
}

// helpCommand is cobra's, but for the exit code where there is no such verb, and with the
// manual page.
func helpCommand() *cobra.Command {
	var man, asJSON, markdown bool
	c := &cobra.Command{
		Use:   "help [VERB...]",
		Short: "Help about a verb",
		ValidArgsFunction: func(c *cobra.Command, path []string, _ string) ([]string, cobra.ShellCompDirective) {
			about, err := findVerb(c.Root(), path)
			if err != nil {
				return nil, cobra.ShellCompDirectiveNoFileComp
			}
			return described(about.Commands()), cobra.ShellCompDirectiveNoFileComp
		},
		RunE: func(c *cobra.Command, args []string) error {
			about, err := findVerb(c.Root(), args)
			if err != nil {
				return err
			}
			switch {
			case man:
				return writeManual(c.OutOrStdout(), about)
			case asJSON:
				return PrintJSON(c.OutOrStdout(), helpReport(about))
			case markdown:
				return helpReport(about).writePage(c.OutOrStdout())
			}
			about.InitDefaultHelpFlag()
			return about.Help()
		},
	}
	c.Flags().BoolVar(&man, "man", false, "write the manual page, for man -l -")
	c.Flags().BoolVar(&asJSON, "json", false, "write one JSON object: what verbs read, write and take, for programs")
	c.Flags().BoolVar(&markdown, "markdown", false, "write a page with a table of it, in Markdown")
	c.MarkFlagsMutuallyExclusive("man", "json", "markdown")
	Describe(c, Description{Inputs: []Accepted{Takes("VERB", "name of a verb")},
		Outputs: []Produced{Writes(Stdout, "text", "manual page", "JSON", "Markdown")}})
	return c
}

// findVerb follows a path of verbs.
func findVerb(c *cobra.Command, path []string) (*cobra.Command, error) {
	for _, word := range path {
		i := slices.IndexFunc(c.Commands(), func(verb *cobra.Command) bool { return verb.Name() == word })
		if i < 0 && !c.HasSubCommands() {
			return nil, fmt.Errorf("%s has no verb %q", c.Name(), word)
		}
		if i < 0 {
			return nil, unknownVerb(c, word)
		}
		c = c.Commands()[i]
	}
	return c, nil
}
