package cli

import (
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
	"github.com/suffixcl/suffixcl/device"
)

const completionHelp = `Write a script that lets a shell complete verbs, flags and their values: load it for
this session with

  bash         source <(%[1]s completion bash)
  zsh          source <(%[1]s completion zsh)
  fish         %[1]s completion fish | source
  powershell   %[1]s completion powershell | Out-String | Invoke-Expression

or put it where the shell looks for such scripts, as
/usr/share/bash-completion/completions/%[1]s.`

// shells are those that cobra writes scripts for.
var shells = []struct {
	name  string
	write func(root *cobra.Command, w io.Writer) error
}{
	{"bash", func(root *cobra.Command, w io.Writer) error { return root.GenBashCompletionV2(w, true) }},
	{"zsh", (*cobra.Command).GenZshCompletion},
	{"fish", func(root *cobra.Command, w io.Writer) error { return root.GenFishCompletion(w, true) }},
	{"powershell", (*cobra.Command).GenPowerShellCompletionWithDesc},
}

func completionCommand(name string) *cobra.Command {
	var names []string
	for _, shell := range shells {
		names = append(names, shell.name)
	}
	c := &cobra.Command{
		Use:       "completion SHELL",
		Short:     "Write a script for completion in a shell",
		Long:      fmt.Sprintf(completionHelp, name),
		ValidArgs: names,
		RunE: func(c *cobra.Command, args []string) error {
			for _, shell := range shells {
				if shell.name == args[0] {
					shell.write(c.Root(), c.OutOrStdout()) // which keeps its error
					return nil
				}
			}
			return errors.New("completion: SHELL must be one of " + strings.Join(names, ", "))
		},
	}
	Describe(c, Description{Inputs: []Accepted{Takes("SHELL", "name of a shell")},
		Outputs: []Produced{Writes(Stdout, "script")}})
	return c
}

// completeFlags lets the values of flags be completed: the words of those that are one of a
// few, the names of files where these are expected.
func completeFlags(c *cobra.Command) {
	c.Flags().VisitAll(func(f *pflag.Flag) {
		complete := cobra.NoFileCompletions
		choice, ok := f.Value.(interface{ Choices() []string })
		switch kind := f.Value.Type(); {
		case ok:
			complete = cobra.FixedCompletions(choice.Choices(), cobra.ShellCompDirectiveNoFileComp)
		case f.Name == "device":
			complete = completeDevice
		case kind == "file" || kind == "string":
			return // names of files are what a shell offers by itself
		}
		c.RegisterFlagCompletionFunc(f.Name, complete) // fails only where there is one
	})
}

// completeArguments offers files, as far as the usage line has arguments that are some.
func completeArguments(c *cobra.Command, args []string, _ string) ([]string, cobra.ShellCompDirective) {
	want, _ := synopsis(c.Use)
	if len(want) == 0 {
		return nil, cobra.ShellCompDirectiveNoFileComp
	}
	last := want[min(len(args), len(want)-1)]
	d, _ := DescriptionOf(c)
	word := slices.ContainsFunc(d.Inputs, func(in Accepted) bool { return in.Name == last.name && in.Word })
	if word || len(args) >= len(want) && !last.repeated {
		return nil, cobra.ShellCompDirectiveNoFileComp
	}
	return nil, cobra.ShellCompDirectiveDefault
}

// completeDevice offers the words for kinds, and each device by its index.
func completeDevice(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
	words := []string{"auto\tthe fastest", "gpu\tthe fastest GPU", "cpu\tthe fastest CPU"}
	devices, _ := device.List() // without any there are the words
	for i, d := range devices {
		words = append(words, fmt.Sprintf("%d\t%s (%s)", i, strings.TrimSpace(d.Name()), d.Platform().Name()))
	}
	return words, cobra.ShellCompDirectiveNoFileComp
}

// described are the names of verbs with what they do.
func described(verbs []*cobra.Command) []string {
	var list []string
	for _, verb := range verbs {
		if verb.IsAvailableCommand() {
			list = append(list, verb.Name()+"\t"+verb.Short)
		}
	}
	return list
}
