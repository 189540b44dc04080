package tuner

import (
	"fmt"
	"strings"

	"github.com/suffixcl/suffixcl/internal/tune"
)

// Provenance says of every value of the built-in rows where it comes from, as the Markdown table
// of docs/tuning.md.
func Provenance() string {
	var b strings.Builder
	b.WriteString("| row | parameters | device, driver | date | source |\n|---|---|---|---|---|\n")
	for _, r := range tune.Rows() {
		for _, s := range r.From {
			on := ""
			if s.Device != "" {
				on = s.Device + ", " + s.Driver
			}
			fmt.Fprintf(&b, "| `%s` | %s | %s | %s | %s |\n", r.Name(), strings.Join(s.Parameters, ", "), on, s.Date, s.Note)
		}
	}
	return b.String()
}
