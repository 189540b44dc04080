package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"go/importer"
	"go/token"
	"go/types"
	"io"
	"os"
	"os/exec"
	"slices"
	"strings"
)

// module is what importers may import of the module.
type module struct {
	path, dir string
	packages  []*types.Package // in the order of their paths
	importer  types.Importer   // of these, of what they import, and of log
}

// listed is what `go list` says of a package.
type listed struct {
	ImportPath string
	Name       string
	Export     string // file of export data
	Module     *struct{ Path, Dir string }
}

// load reads the export data of the public packages, which the go command has built or builds.
func load() (*module, error) {
	root, err := list("-m")
	if err != nil {
		return nil, err
	}
	var m module
	if err := root.Decode(&struct{ Path, Dir *string }{&m.path, &m.dir}); err != nil {
		return nil, err
	}
	all, err := list("-export", "-deps", m.path+"/...", "log")
	if err != nil {
		return nil, err
	}
	exports := make(map[string]string)
	var public []string
	for {
		var p listed
		if err := all.Decode(&p); errors.Is(err, io.EOF) {
			break
		} else if err != nil {
			return nil, err
		}
		exports[p.ImportPath] = p.Export
		if p.Module != nil && p.Module.Path == m.path && p.Name != "main" && !internal(p.ImportPath) {
			public = append(public, p.ImportPath)
		}
	}
	open := func(path string) (io.ReadCloser, error) { return os.Open(exports[path]) }
	m.importer = importer.ForCompiler(token.NewFileSet(), "gc", open)
	slices.Sort(public)
	for _, path := range public {
		p, err := m.importer.Import(path)
		if err != nil {
			return nil, err
		}
		m.packages = append(m.packages, p)
	}
	return &m, nil
}

// list decodes the answer of `go list`.
func list(args ...string) (*json.Decoder, error) {
	out, err := exec.Command("go", append([]string{"list", "-json"}, args...)...).Output()
	var exit *exec.ExitError
	if errors.As(err, &exit) {
		err = fmt.Errorf("go list: %w: %s", err, exit.Stderr)
	}
	return json.NewDecoder(strings.NewReader(string(out))), err
}

// internal tells packages that no other module can import.
func internal(path string) bool {
	return strings.HasSuffix(path, "/internal") || strings.Contains(path, "/internal/")
}
