package cli

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"strconv"
	"strings"
	"syscall"

	"github.com/suffixcl/suffixcl/internal/bytesize"
)

// PrintJSON writes one object.
func PrintJSON(w io.Writer, v any) error {
	var object bytes.Buffer
	e := json.NewEncoder(&object)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	err := e.Encode(v)
	if err == nil {
		_, err = w.Write(harmlessJSON(object.Bytes()))
	}
	if err != nil {
		return fmt.Errorf("writing JSON: %w", closedOutput(err))
	}
	return nil
}

// PrintResult writes a line of the result on standard output.
func PrintResult(format string, args ...any) error {
	w, flush := terminalSafe(os.Stdout)
	_, err := fmt.Fprintf(w, format+"\n", args...)
	return StandardOutput(cmp.Or(err, flush()))
}

// StandardOutput says where an error of writing comes from.
func StandardOutput(err error) error {
	if err != nil {
		err = fmt.Errorf("writing standard output: %w", closedOutput(err))
	}
	return err
}

// errOutputClosed says what is wrong with standard output that takes nothing.
var errOutputClosed = errors.New("it is closed (results that nobody wants go to > /dev/null)")

// closedOutput is an error of writing to standard output, in words where it is closed.
func closedOutput(err error) error {
	if errors.Is(err, syscall.EBADF) || errors.Is(err, os.ErrClosed) {
		return errOutputClosed
	}
	return WithoutPath(err)
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
