package device

import (
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"slices"
	"strings"

	"github.com/suffixcl/suffixcl/kernels"
)

// Defines are the macros of a program, by name: numbers, or text of OpenCL C.
type Defines map[string]any

// Source is what a program is made of: the generated prologue, the defines, common.cl, and files in order.
type Source struct {
	// FS has the caller's files: an embed.FS, as a rule. A file that it lacks is one of package kernels. nil lacks all.
	FS      fs.FS
	Files   []string
	Defines Defines

	resident int      // see withResident
	library  []string // files of package kernels after Files, where FS has some
}

// append returns the source with files of package kernels after its own. FS does not hide them.
func (s Source) append(files []string) Source {
	if s.FS == nil {
		s.Files = slices.Concat(s.Files, files)
	} else {
		s.library = slices.Concat(s.library, files)
	}
	return s
}

// withResident returns the source with the number of work-groups that should fit on a compute unit, for a program that
// knows better than the compiler how many registers it should have. 0 leaves it to the compiler. It takes effect on
// NVIDIA.
func (s Source) withResident(groups int) Source {
	s.resident = groups
	return s
}

// name is what people know the program by.
func (s Source) name() string { return strings.Join(slices.Concat(s.Files, s.library), "+") }

// part is a file of a program.
type part struct {
	name string
	from fs.FS
	own  bool // of the importer
}

// parts are the files of the program.
func (s Source) parts() []part {
	parts := []part{{name: "common.cl", from: kernels.FS}}
	for _, name := range s.Files {
		p := part{name: name, from: kernels.FS}
		if s.FS != nil {
			if _, err := fs.Stat(s.FS, name); !errors.Is(err, fs.ErrNotExist) {
				p = part{name: name, from: s.FS, own: true}
			}
		}
		parts = append(parts, p)
	}
	for _, name := range s.library {
		parts = append(parts, part{name: name, from: kernels.FS})
	}
	return parts
}

// assemble returns the text of a program: prologue, defines, common.cl, files,
// each with a #line so that a build error names file and line.
func assemble(c *Caps, src Source) (string, error) {
	var text strings.Builder
	text.WriteString(head(c, src))
	for _, p := range src.parts() {
		file, err := fs.ReadFile(p.from, p.name)
		if err != nil {
			return "", fmt.Errorf("device: kernel source: %w", err)
		}
		fmt.Fprintf(&text, "#line 1 \"%s\"\n%s\n", p.name, file)
	}
	if c.rehearses() {
		return withRehearsal(text.String()), nil
	}
	return text.String(), nil
}

// head is what precedes the files.
func head(c *Caps, src Source) string {
	var text strings.Builder
	text.WriteString("#line 1 \"prologue\"\n")
	text.WriteString(c.prologue())
	text.WriteString("#line 1 \"defines\"\n")
	for _, name := range slices.Sorted(maps.Keys(src.Defines)) {
		fmt.Fprintf(&text, "#define %s %v\n", name, src.Defines[name])
	}
	return text.String()
}

// id tells sources apart. Files of package kernels do not change; those of an importer are part of it.
func id(c *Caps, src Source) string {
	var what strings.Builder
	fmt.Fprintf(&what, "%s%d %q", head(c, src), src.resident, src.name())
	if src.FS == nil {
		return what.String()
	}
	for _, p := range src.parts() {
		if p.own {
			file, err := fs.ReadFile(p.from, p.name) // an error is that of the build
			fmt.Fprintf(&what, " %q %v", file, err)
		}
	}
	return what.String()
}
