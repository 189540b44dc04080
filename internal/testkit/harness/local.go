package harness

import (
	"fmt"
	"regexp"
	"strings"
)

// localArrays are declarations of local memory: one type, and names with or without dimensions.
var localArrays = regexp.MustCompile(`__local \w+ \w+(?:\[[^\],;]*\])*(?:, \w+(?:\[[^\],;]*\])*)*;`)

// fillLocal returns the text of a program whose local memory holds a pattern at first, a byte of what is given for
// byte i_.
func fillLocal(text, pattern string) string {
	filled := localArrays.ReplaceAllStringFunc(text, func(declaration string) string {
		var fill strings.Builder
		for _, name := range names(declaration) {
			fmt.Fprintf(&fill, " FILL_LOCAL(%s)", name)
		}
		return declaration + fill.String() + " barrier(CLK_LOCAL_MEM_FENCE);"
	})
	return "#define FILL_LOCAL(a) for (uint i_ = get_local_id(0); i_ < sizeof(a); i_ += get_local_size(0)) " +
		"((__local uchar *)&(a))[i_] = (uchar)(" + pattern + ");\n" + filled
}

// names are those that a declaration declares.
func names(declaration string) (list []string) {
	declarators := strings.SplitN(strings.TrimSuffix(declaration, ";"), " ", 3)[2]
	for declarator := range strings.SplitSeq(declarators, ", ") {
		name, _, _ := strings.Cut(declarator, "[")
		list = append(list, name)
	}
	return list
}
