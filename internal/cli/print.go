package cli

import (
	"encoding/json"
	"fmt"
	"io"
	"os"
	"strings"
)

// PrintJSON writes one object.
func PrintJSON(w io.Writer, v any) error {
	e := json.NewEncoder(w)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	if err := e.Encode(v); err != nil {
		return fmt.Errorf("writing JSON: %w", WithoutPath(err))
	}
	return nil
}

// PrintResult writes a line of the result on standard output.
func PrintResult(format string, args ...any) error {
	_, err := fmt.Fprintf(os.Stdout, format+"\n", args...)
	return StandardOutput(err)
}

// StandardOutput says where an error of writing comes from.
func StandardOutput(err error) error {
	if err != nil {
		err = fmt.Errorf("writing standard output: %w", WithoutPath(err))
	}
	return err
}

// Plural writes a count with its noun.
func Plural(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	if strings.HasSuffix(noun, "y") {
		noun = strings.TrimSuffix(noun, "y") + "ie"
	}
	return fmt.Sprintf("%d %ss", n, noun)
}
