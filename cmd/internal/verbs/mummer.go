package verbs

import (
	"path/filepath"
	"strings"
)

// mummerName is the name of a link to this command that takes mummer's options.
const mummerName = "mummer"

// mummerOptions are the options of mummer 3.23 that are no flags of one letter.
var mummerOptions = map[string]string{
	"-mum":          "--mum",
	"-mumcand":      "--mumreference",
	"-mumreference": "--mumreference",
	"-maxmatch":     "--maxmatch",
	"-help":         "--help",
}

// Arguments are those of this command: under the name of mummer, of the verb that does the same, for whom a file
// without records of FASTA is wrong.
func Arguments(args []string) []string {
	name := strings.TrimSuffix(filepath.Base(args[0]), ".exe")
	if name != mummerName {
		return args[1:]
	}
	translated := []string{"mems", "--quiet", "--input", "fasta"}
	for _, arg := range args[1:] {
		if flag, ok := mummerOptions[arg]; ok {
			arg = flag
		}
		translated = append(translated, arg)
	}
	return translated
}
