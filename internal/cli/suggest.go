package cli

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// didYouMean is the end of an error about an unknown word: the known words that are nearest,
// or nothing.
func didYouMean(word, prefix string, known []string) string {
	limit := 1
	if len(word) > 5 {
		limit = 2
	}
	var near []string
	for _, k := range known {
		part := len(word) >= 3 && strings.HasPrefix(k, word) || len(k) >= 3 && strings.HasPrefix(word, k)
		if part || distance(word, k) <= limit {
			near = append(near, k)
		}
	}
	if len(near) == 0 {
		return ""
	}
	slices.SortStableFunc(near, func(a, b string) int { return cmp.Compare(distance(word, a), distance(word, b)) })
	for i := range near {
		near[i] = prefix + near[i]
	}
	return "; did you mean " + strings.Join(near, " or ") + "?"
}

// distance counts the letters to insert, delete, replace, and the neighbours to exchange,
// that make b of a: the optimal string alignment distance.
func distance(a, b string) int {
	rows := [3][]int{make([]int, len(b)+1), make([]int, len(b)+1), make([]int, len(b)+1)}
	for j := range rows[0] {
		rows[0][j] = j
	}
	for i := range len(a) {
		before, last, next := rows[(i+2)%3], rows[i%3], rows[(i+1)%3]
		next[0] = i + 1
		for j := range len(b) {
			change := 1
			if a[i] == b[j] {
				change = 0
			}
			next[j+1] = min(last[j]+change, last[j+1]+1, next[j]+1)
			if i > 0 && j > 0 && a[i] == b[j-1] && a[i-1] == b[j] {
				next[j+1] = min(next[j+1], before[j-1]+1)
			}
		}
	}
	return rows[len(a)%3][len(b)]
}

// unknownVerb is the error of a word that is no verb of c.
func unknownVerb(c *cobra.Command, word string) error {
	return fmt.Errorf("there is no verb %q%s", word, didYouMean(word, "", verbNames(c)))
}

// verbNames are those of c that its help lists.
func verbNames(c *cobra.Command) []string {
	var names []string
	for _, verb := range c.Commands() {
		if verb.IsAvailableCommand() {
			names = append(names, verb.Name())
		}
	}
	return names
}

// explainFlag adds the nearest flags to the error of an unknown one. Flags of a command that
// only has verbs follow a verb that is unknown.
func explainFlag(c *cobra.Command, err error) error {
	var (
		unknown *pflag.NotExistError
		invalid *pflag.InvalidValueError
		number  *strconv.NumError
	)
	if errors.As(err, &invalid) && errors.As(err, &number) {
		name := "--" + invalid.GetFlag().Name
		if len(name) == len("--k") {
			name = name[1:] // it has no other
		}
		return fmt.Errorf("%s %s: %q is no number that it takes", name, invalid.GetValue(), number.Num)
	}
	if !errors.As(err, &unknown) {
		return err
	}
	if args := c.Flags().Args(); c.HasSubCommands() && len(args) > 0 {
		return unknownVerb(c, args[0])
	}
	if unknown.GetSpecifiedShortnames() != "" {
		return err
	}
	var names []string
	c.Flags().VisitAll(func(f *pflag.Flag) {
		if !f.Hidden {
			names = append(names, f.Name)
		}
	})
	return fmt.Errorf("%w%s", err, didYouMean(unknown.GetSpecifiedName(), "--", names))
}
