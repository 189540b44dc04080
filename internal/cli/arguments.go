package cli

import (
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"
)

// argument is one that the usage line of a verb names: TEXT, [PATTERN...].
type argument struct {
	name               string
	optional, repeated bool
}

// requiredFlag is one that the usage line names: -o OUT.
type requiredFlag struct{ shorthand, value string }

// synopsis reads the usage line of a verb. Flags in it are required.
func synopsis(use string) (arguments []argument, flags []requiredFlag) {
	words := strings.Fields(use)[1:]
	for i := 0; i < len(words); i++ {
		if shorthand, ok := strings.CutPrefix(words[i], "-"); ok && i+1 < len(words) {
			i++
			flags = append(flags, requiredFlag{shorthand, words[i]})
			continue
		}
		inner, optional := strings.CutPrefix(words[i], "[")
		name, repeated := strings.CutSuffix(strings.TrimSuffix(inner, "]"), "...")
		arguments = append(arguments, argument{name, optional, repeated})
	}
	return arguments, flags
}

// checkArguments compares the arguments and flags with the usage line, and names what is
// missing or too much.
func checkArguments(c *cobra.Command, args []string) error {
	want, flags := synopsis(c.Use)
	if len(args) < len(want) && !want[len(args)].optional {
		return fmt.Errorf("%s: %s is missing", c.Name(), want[len(args)].name)
	}
	if len(args) > 0 && len(want) == 0 && c.HasSubCommands() {
		return unknownVerb(c, args[0])
	}
	if len(args) > len(want) && !slices.ContainsFunc(want, func(a argument) bool { return a.repeated }) {
		return fmt.Errorf("%s: %q is too much: it takes %s", c.Name(), args[len(want)], names(want))
	}
	for i := range min(len(args), len(want)) { // as of an unset variable of a shell; patterns may be empty
		if args[i] == "" && !want[i].optional {
			return fmt.Errorf("%s: %s is empty", c.Name(), want[i].name)
		}
	}
	for _, f := range flags {
		if !c.Flags().ShorthandLookup(f.shorthand).Changed {
			return fmt.Errorf("%s: -%s %s is missing", c.Name(), f.shorthand, f.value)
		}
	}
	return nil
}

func names(arguments []argument) string {
	if len(arguments) == 0 {
		return "no arguments"
	}
	list := make([]string, len(arguments))
	for i, a := range arguments {
		list[i] = a.name
	}
	return strings.Join(list, " ")
}
