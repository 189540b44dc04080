// Sourcelint goes over the Go and OpenCL files below the current directory, and names what gofmt and vet let pass:
//
//   - Lines of more than 120 characters. Characters are counted, not bytes, whatever the locale.
//   - Imports that do not stand in up to three groups: the standard library, other modules, this module.
//
// It fails if there is any.
package main

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

func main() {
	problems, err := check(os.DirFS("."))
	if err != nil {
		fmt.Fprintln(os.Stderr, "sourcelint:", err)
		os.Exit(1)
	}
	for _, problem := range problems {
		fmt.Fprintln(os.Stderr, problem)
	}
	if len(problems) > 0 {
		os.Exit(1)
	}
}

// check returns what is wrong in the files of a tree, as "file:line: message". Directories whose names begin with a dot
// are left out, as the go command leaves them out.
func check(tree fs.FS) (problems []string, err error) {
	err = fs.WalkDir(tree, ".", func(name string, entry fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case entry.IsDir() && name != "." && strings.HasPrefix(entry.Name(), "."):
			return fs.SkipDir
		case !entry.Type().IsRegular():
			return nil
		}
		extension := filepath.Ext(name)
		if extension != ".go" && extension != ".cl" {
			return nil
		}
		text, err := fs.ReadFile(tree, name)
		if err != nil {
			return err
		}
		problems = append(problems, long(name, string(text))...)
		if extension == ".go" {
			problems = append(problems, mixed(name, text)...)
		}
		return nil
	})
	return problems, err
}
