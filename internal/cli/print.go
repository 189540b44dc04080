package cli

import (
	"encoding/json"
	"fmt"
	"io"
	"os"
	"strconv"
	"strings"

	"github.com/suffixcl/suffixcl/internal/bytesize"
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

// Quantity is bytesize.Count with the digits in groups of three.
func Quantity(n int64, noun string) string {
	digits := strconv.FormatInt(n, 10)
	for i := len(digits) - 3; i > 0 && digits[i-1] != '-'; i -= 3 {
		digits = digits[:i] + "," + digits[i:]
	}
	_, plural, _ := strings.Cut(bytesize.Count(n, noun), " ")
	return digits + " " + plural
}
