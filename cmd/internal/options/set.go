package options

import (
	"github.com/spf13/pflag"
	"github.com/suffixcl/suffixcl/internal/cli"
	"github.com/suffixcl/suffixcl/seqio"
)

// Terminator ends each text of a set in memory.
const Terminator = '\n'

// Set say how a set of texts is read.
type Set struct {
	*Job
	Field string
	Upper bool
}

// Add declares the flags that sets have besides those of a text.
func (f *Set) Add(flags *pflag.FlagSet) {
	flags.Var((*cli.Word)(&f.Field), "field", "texts are the strings of this field of JSON objects, one a line")
	flags.BoolVar(&f.Upper, "upper", false, "letters a to z become A to Z")
}

// Wrong tells of flags that do not go together.
func (f *Set) Wrong() error {
	if input := f.Input.Value; f.Field != "" && f.Input.Given && input != seqio.Plain.String() {
		return cli.Usage("--field does not go with --input %s", input)
	}
	return nil
}
