package suffixcl_test

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"log"
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/suffixcl/suffixcl"
	"github.com/suffixcl/suffixcl/device"
)

// TestMain leaves the examples out where there is no device: unlike tests they
// cannot skip themselves.
func TestMain(m *testing.M) {
	flag.Parse()
	if _, err := device.List(); errors.Is(err, device.ErrNoDevice) && os.Getenv("REQUIRE_OPENCL") != "1" {
		skip := flag.Lookup("test.skip")
		if skip.Value.String() == "" {
			_ = skip.Value.Set("^Example")
		} else {
			_ = skip.Value.Set(skip.Value.String() + "|^Example")
		}
	}
	os.Exit(m.Run())
}

func Example() {
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

	if err := engine.VerifyBWT(ctx, text, sa, transform, primary); err != nil {
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

func ExampleEngine_LCP() {
	engine, err := suffixcl.Open(suffixcl.Options{})
	if err != nil {
		log.Fatal(err)
	}
	defer engine.Close()

	ctx := context.Background()
	lengths, err := engine.LCP(ctx, []byte("banana")) // of a, ana, anana, banana, na, nana
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(lengths)
	// Output: [0 1 3 0 0 2]
}

func ExampleEngine_InverseBWT() {
	engine, err := suffixcl.Open(suffixcl.Options{})
	if err != nil {
		log.Fatal(err)
	}
	defer engine.Close()

	ctx := context.Background()
	text, err := engine.InverseBWT(ctx, []byte("annbaa"), 4)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("%s\n", text)

	_, err = engine.InverseBWT(ctx, []byte("annbaa"), 1)
	fmt.Println(err)
	// Output:
	// banana
	// the Burrows-Wheeler transform with primary index 1 is that of no text: its rows end after 1 of 6 characters
}

// The README shows the example as it is here.
func TestReadmeShowsTheExample(t *testing.T) {
	source, err := os.ReadFile("example_test.go")
	require.NoError(t, err)
	_, body, ok := strings.Cut(string(source), "\nfunc Example() {\n")
	require.True(t, ok)
	body, _, ok = strings.Cut(body, "\n}\n")
	require.True(t, ok)
	body = strings.ReplaceAll("\n"+body, "\n\t", "\n")
	readme, err := os.ReadFile("README.md")
	require.NoError(t, err)
	require.Contains(t, string(readme), "```go"+body+"\n```\n")
}
