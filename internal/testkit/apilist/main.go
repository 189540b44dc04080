// Apilist writes the exported surface of the module, one line a name, to api.txt at its root.
//
//	go generate ./internal/testkit/apilist
//
// A test compares the file with the packages, so that a name is added or lost on purpose.
package main

import (
	"fmt"
	"os"
	"path/filepath"
)

//go:generate go run .

// file is where the surface is written.
const file = "api.txt"

func main() {
	if err := run(); err != nil {
		fmt.Fprintln(os.Stderr, "apilist:", err)
		os.Exit(1)
	}
}

func run() error {
	m, err := load()
	if err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(m.dir, file), []byte(m.surface()), 0o644)
}
