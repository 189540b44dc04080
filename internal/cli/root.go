package cli

import (
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/cobra"
)

// Group is verbs under a title in the help of a command.
type Group struct {
	Title string
	Verbs []*cobra.Command
}

// NewRoot makes a command of groups of verbs. The verbs version and help come last.
func NewRoot(name, short, long string, groups ...Group) *cobra.Command {
	root := &cobra.Command{
		Use:           name,
		Short:         short,
		Long:          long,
		SilenceErrors: true,
		SilenceUsage:  true,
	}
	cobra.EnableCommandSorting = false
	help := helpCommand()
	const other = "Other"
	for _, group := range append(groups, Group{other, []*cobra.Command{versionCommand(), help}}) {
		root.AddGroup(&cobra.Group{ID: group.Title, Title: group.Title + ":"})
		for _, verb := range group.Verbs {
			verb.GroupID = group.Title
			needVerb(verb)
			root.AddCommand(verb)
		}
	}
	root.SetHelpCommand(help)
	root.SetCompletionCommandGroupID(other)
	root.SetUsageTemplate(strings.NewReplacer(
		"Available Commands:", "Verbs:", "[command]", "VERB", "a command", "a verb",
		"{{if .Runnable}}", "{{if and .Runnable (not .DisableFlagsInUseLine)}}", // see needVerb
	).Replace(root.UsageTemplate()))
	needVerb(root)
	return root
}

// needVerb makes it wrong usage to call a command that only has verbs without one of them.
func needVerb(c *cobra.Command) {
	if !c.Runnable() {
		c.Args, c.DisableFlagsInUseLine = cobra.NoArgs, true
		c.RunE = func(*cobra.Command, []string) error { return errors.New("a verb is missing") }
	}
}

// helpCommand is cobra's, but for the exit code where there is no such verb.
func helpCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "help [VERB...]",
		Short: "Help about a verb",
		RunE: func(c *cobra.Command, args []string) error {
			about, rest, err := c.Root().Find(args)
			if err == nil && len(rest) > 0 {
				err = fmt.Errorf("there is no verb %q", strings.Join(args, " "))
			}
			if err != nil {
				return err
			}
			about.InitDefaultHelpFlag()
			return about.Help()
		},
	}
}
