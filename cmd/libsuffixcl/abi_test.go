package main_test

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

var (
	structures = regexp.MustCompile(`(?s)typedef struct (suffixcl_\w+) \{\n(.*?)\n\}`)
	comments   = regexp.MustCompile(`(?s)/\*.*?\*/`)
	fieldNames = regexp.MustCompile(`(\w+)(?:\[\w*\])?\s*[,;]`)
	declared   = regexp.MustCompile(`(?ms)^(?:int|const char \*) ?\*?suffixcl_\w+\(.*?\);`)
	callbacks  = regexp.MustCompile(`(?m)^typedef \w+ \(\*suffixcl_\w+\)\(.*\);`)
	spaces     = regexp.MustCompile(`\s+`)
)

// testABI compares what programs rely on that are compiled with abi.txt: declarations, the fields of structures with
// their offsets, the version of each symbol. SUFFIXCL_UPDATE=1 writes the file. A release may add to it, and changes
// or takes away nothing while the number in the library's name stays.
func testABI(t *testing.T, dir string) {
	text, err := os.ReadFile("suffixcl.h")
	require.NoError(t, err)
	header := comments.ReplaceAllString(string(text), "")
	var lines []string
	for _, re := range []*regexp.Regexp{declared, callbacks} {
		for _, one := range re.FindAllString(header, -1) {
			lines = append(lines, spaces.ReplaceAllString(one, " "))
		}
	}
	slices.Sort(lines)
	lines = append(lines, layouts(t, dir, header)...)
	symbols, err := exec.Command("objdump", "-T", filepath.Join(dir, "lib", "libsuffixcl.so")).Output()
	require.NoError(t, err)
	var versions []string
	for _, m := range regexp.MustCompile(`(?m)\.text\s+\w+\s+(SUFFIXCL_\S+)\s+(suffixcl_\w+)$`).FindAllStringSubmatch(
		string(symbols), -1) {
		versions = append(versions, m[2]+"@"+m[1])
	}
	require.Greater(t, len(versions), 15)
	slices.Sort(versions)
	got := strings.Join(append(lines, versions...), "\n") + "\n"
	if os.Getenv("SUFFIXCL_UPDATE") == "1" {
		require.NoError(t, os.WriteFile("abi.txt", []byte(got), 0o644))
	}
	want, err := os.ReadFile("abi.txt")
	require.NoError(t, err)
	assert.Equal(t, string(want), got, "SUFFIXCL_UPDATE=1 go test -run TestLibrary/ABI ./cmd/libsuffixcl")
}

// layouts are the sizes of the structures of a header on amd64, and where their fields are, as the compiler says.
func layouts(t *testing.T, dir, header string) []string {
	var source strings.Builder
	source.WriteString("#include <stddef.h>\n#include <stdio.h>\n#include <suffixcl.h>\nint main(void) {\n")
	for _, m := range structures.FindAllStringSubmatch(header, -1) {
		fmt.Fprintf(&source, "printf(\"%s %%zu:\", sizeof(%s));\n", m[1], m[1])
		for _, field := range fieldNames.FindAllStringSubmatch(m[2], -1) {
			fmt.Fprintf(&source, "printf(\" %s %%zu\", offsetof(%s, %s));\n", field[1], m[1], field[1])
		}
		source.WriteString("puts(\"\");\n")
	}
	source.WriteString("}\n")
	name := filepath.Join(t.TempDir(), "layouts.c")
	require.NoError(t, os.WriteFile(name, []byte(source.String()), 0o644))
	lines := strings.Split(strings.TrimSpace(run(t, exec.Command(compile(t, dir, "cc", name)))), "\n")
	require.Greater(t, len(lines), 15)
	slices.Sort(lines)
	return lines
}
