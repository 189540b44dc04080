package outside

import (
	"context"
	"fmt"
	"log"
	"os"
	"strings"
	"testing"

	"github.com/suffixcl/suffixcl"
)

// The example of the README.
func Example_readme() {
	engine, err := suffixcl.Open(suffixcl.Options{})
	if err != nil {
		log.Fatal(err) // says what to install if there is no device
	}
	defer engine.Close()
	sa, err := engine.SuffixArray(context.Background(), []byte("banana"))
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(sa) // where these suffixes begin: a, ana, anana, banana, na, nana
	// Output: [5 3 1 0 4 2]
}

// What the README shows of Go is here, and so builds outside.
func TestREADME(t *testing.T) {
	readme, err := os.ReadFile("../../README.md")
	if err != nil {
		t.Fatal(err)
	}
	here, err := os.ReadFile("readme_test.go")
	if err != nil {
		t.Fatal(err)
	}
	code := strings.ReplaceAll(string(here), "\n\t", "\n")
	blocks := strings.Split(string(readme), "```go\n")[1:]
	if len(blocks) == 0 {
		t.Error("the README shows no Go")
	}
	for _, b := range blocks {
		block, _, _ := strings.Cut(b, "```")
		if !strings.Contains(code, block) {
			t.Errorf("not here:\n%s", block)
		}
	}
}
