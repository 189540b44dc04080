package cli

import "github.com/suffixcl/suffixcl"

// Algorithms are the values of the flag for the suffix sorter.
func Algorithms() []string {
	var names []string
	for _, a := range suffixcl.Algorithms() {
		names = append(names, string(a))
	}
	return names
}
