package verbs

import (
	"os"

	"github.com/suffixcl/suffixcl/cmd/internal/options"
	"github.com/suffixcl/suffixcl/cmd/internal/report"
	"github.com/suffixcl/suffixcl/internal/cli"
	"github.com/suffixcl/suffixcl/internal/tokenindex"
)

// passagesFlags are those of passages.
type passagesFlags struct {
	out, tokens, field string
	format, input      cli.Choice
	token              cli.Choice
	length, width      int
	count              int64
	places             int
	raw, json, quiet   bool

	documents []string
}

// tokenBytes is the number of bytes of a token.
func (f *passagesFlags) tokenBytes() int { return (&options.Job{Symbols: f.token}).SymbolBytes() }

func (f *passagesFlags) check(args []string) error {
	if len(args) > 0 {
		f.documents = args[1:]
	}
	switch {
	case f.length < 0 || f.length > 1<<30:
		return cli.Usage("--min-length: want 1 or more; 0 is 50 bytes, or 13 tokens")
	case f.count < 1:
		return cli.Usage("--min-count: want 1 or more")
	case f.places < 0:
		return cli.Usage("--places: want 0 or more")
	case f.width < 1:
		return cli.Usage("--width: want 1 or more")
	case f.places > 0 && f.format.Value == "documents":
		return cli.Usage("--places does not go with --format documents, which tells no passages")
	case len(args) > 0 && args[0] == "-":
		return cli.Usage("passages: INDEX is a file or a directory, not standard input")
	case f.tokens != "" && tokenindex.Tokengrams.CheckWidth(f.tokenBytes()) != nil:
		return cli.Usage("tokengrams has no --token %s", f.token.Value)
	case len(args) == 1:
		return cli.Usage("passages: DOCUMENT is missing")
	}
	for _, name := range f.documents {
		if of, err := os.Stat(name); err == nil && len(args) > 0 {
			if index, err := os.Stat(args[0]); err == nil && os.SameFile(of, index) {
				return cli.Usage("%s is both the index and a document", name)
			}
		}
		if name != "-" && f.out != "-" && cli.IsDirectory(name) && cli.Inside(name, f.out) {
			return cli.Usage("-o %s: it is inside of %s, whose files are read", f.out, name)
		}
	}
	return options.OneStandardInput(f.documents...)
}

// passagesReport is the result as JSON.
type passagesReport struct {
	Verb      string            `json:"verb"`
	File      string            `json:"file"`
	Index     string            `json:"index"`   // suffixcl, infini-gram-mini, infini-gram, tokengrams
	Letters   int64             `json:"letters"` // of the index
	Output    string            `json:"output"`
	QueryFile *report.QueryFile `json:"query_file"`
	MinLength int               `json:"min_length"`
	MinCount  int64             `json:"min_count"`
	Documents int               `json:"documents"`
	WithAny   int               `json:"documents_with_passages"`
	Queried   int64             `json:"query_letters"`
	Covered   int64             `json:"covered_letters"`
	Passages  int64             `json:"passages"`
	Longest   int               `json:"longest"`
	Seconds   report.WallClock  `json:"seconds"`
}

// ofWidth has the names of letters, by whether the index has tokens.
var ofWidth = map[bool]string{false: "byte", true: "token"}
