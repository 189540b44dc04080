package amdcode

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// unused are the functions of OpenCL's library that no kernel calls: conversions, and what takes floats, long vectors,
// images, pipes or events.
const unused = `^_Z[0-9]+convert_|Dv(3|8|16)_|Dv[24]_([fd]|Dh)|([fd]|Dh)$|image|pipe|event|prefetch|async`

// Reduced returns a compiler that links less of OpenCL's library, of which it writes a copy into the directory. It
// takes half the time where programs are small. A program that needs what is missing has an undefined symbol.
func (c Compiler) Reduced(ctx context.Context, dir string) (Compiler, error) {
	whole := c.library("opencl")
	c.opencl = filepath.Join(dir, "opencl.bc")
	_, err := run(ctx, "reducing OpenCL's library", "", c.extract, "--delete", "--rfunc="+unused, "-o", c.opencl, whole)
	return c, err
}

// Objects compiles each text as [Compiler.Compile] does and does not link. One process compiles all, one after the
// other: its start takes as long as a small program. An error has the messages for all texts.
func (c Compiler) Objects(ctx context.Context, texts []string, t Target) ([][]byte, error) {
	args, err := c.frontEnd(ctx, t)
	if err != nil {
		return nil, err
	}
	dir, err := os.MkdirTemp("", "amdcode")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	for i, text := range texts {
		name := filepath.Join(dir, fmt.Sprintf("%d.cl", i))
		if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
			return nil, err
		}
		args = append(args, name)
	}
	if _, err := run(ctx, "compiling", "", args[0], args[1:]...); err != nil {
		return nil, err
	}
	objects := make([][]byte, len(texts))
	for i := range objects {
		if objects[i], err = os.ReadFile(filepath.Join(dir, fmt.Sprintf("%d.o", i))); err != nil {
			return nil, err
		}
	}
	return objects, nil
}

// frontEnd is the command that clang starts for one text, without input and output. These are files of one name.
func (c Compiler) frontEnd(ctx context.Context, t Target) ([]string, error) {
	args, err := c.arguments(t)
	if err != nil {
		return nil, err
	}
	args = append([]string{c.clang, "-###", "-c", "-o", "out"}, append(args, "-")...)
	printed, err := run(ctx, "asking clang", "", "sh", append([]string{"-c", `"$@" 2>&1`, "sh"}, args...)...)
	if err != nil {
		return nil, err
	}
	for line := range strings.Lines(string(printed)) {
		command := unquote(line)
		at := slices.Index(command, "-o")
		if !slices.Contains(command, "-cc1") || at < 0 || at+2 > len(command) || command[len(command)-1] != "-" {
			continue
		}
		return slices.Delete(command[:len(command)-1], at, at+2), nil
	}
	return nil, errors.New("clang -### printed no command:\n" + string(printed))
}

// unquote splits what clang -### prints: words in double quotes, with backslashes before what is special there.
func unquote(line string) []string {
	var words []string
	var word strings.Builder
	quoted := false
	for i := 0; i < len(line); i++ {
		switch {
		case line[i] == '"' && quoted:
			words = append(words, word.String())
			word.Reset()
			quoted = false
		case line[i] == '"':
			quoted = true
		case quoted:
			if line[i] == '\\' && i+1 < len(line) {
				i++
			}
			word.WriteByte(line[i])
		}
	}
	return words
}
