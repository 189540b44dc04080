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

	ctx := context.Background()
	text := []byte("banana")
	sa, err := engine.SuffixArray(ctx, text)
	if err != nil {
		log.Fatal(err)
	}
	for _, i := range sa {
		fmt.Printf("%d %s\n", i, text[i:])
	}

	transform, primary, err := engine.BWT(ctx, text)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("%s, primary index %d\n", transform, primary)

	made := &suffixcl.Result{SA: sa, BWT: suffixcl.Bytes(transform), Primary: primary}
	if err := engine.VerifyArrays(ctx, suffixcl.Bytes(text), made); err != nil {
		log.Fatal(err)
	}
	// Output:
	// 5 a
	// 3 ana
	// 1 anana
	// 0 banana
	// 4 na
	// 2 nana
	// annbaa, primary index 4
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
