// Command sbom lists what the programs and libraries of a release are made of: one SPDX document on standard output,
// from what the go command has written into each file. scripts/release runs it:
//
//	go run ./internal/testkit/sbom -name suffixcl-v0.2.0 -version v0.2.0 -created 2026-11-29T22:40:00Z FILE...
//
// The same files and flags give the same bytes.
package main

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"path/filepath"
)

func main() {
	var d document
	flag.StringVar(&d.name, "name", "", "name of the document")
	flag.StringVar(&d.version, "version", "", "version of the release")
	flag.StringVar(&d.created, "created", "", "time of the document, as RFC 3339 in UTC")
	flag.StringVar(&d.wheel.file, "wheel", "", "wheel for Python, which has suffixcl and libsuffixcl.so.0 of the files")
	flag.Parse()
	if err := run(&d, flag.Args()); err != nil {
		fmt.Fprintln(os.Stderr, "sbom:", err)
		os.Exit(1)
	}
}

func run(d *document, files []string) error {
	for _, name := range files {
		p, err := read(name)
		if err != nil {
			return fmt.Errorf("%s: %w", filepath.Base(name), err)
		}
		d.programs = append(d.programs, p)
	}
	if d.wheel.file != "" {
		data, err := os.ReadFile(d.wheel.file)
		if err != nil {
			return err
		}
		sum := sha256.Sum256(data)
		d.wheel = wheel{filepath.Base(d.wheel.file), hex.EncodeToString(sum[:])}
	}
	out := json.NewEncoder(os.Stdout)
	out.SetIndent("", "  ")
	out.SetEscapeHTML(false)
	return out.Encode(d.spdx())
}
