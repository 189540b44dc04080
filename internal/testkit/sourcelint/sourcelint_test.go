package main

import (
	"strings"
	"testing"
	"testing/fstest"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// Characters are counted: 120 of two bytes each are no long line. Awk counts bytes in the C locale, and mawk
// everywhere.
func TestLong(t *testing.T) {
	full := strings.Repeat("é", 120)
	tree := fstest.MapFS{
		"a.go":            {Data: []byte("// " + full[:2*117] + "\n\n// " + full[:2*118] + "\n")},
		"kernels/a.cl":    {Data: []byte(full + "\r\n" + full + "x")},
		"a.md":            {Data: []byte(full + full)},
		".git/hooks/a.go": {Data: []byte(full + full)},
	}
	problems, err := check(tree)
	require.NoError(t, err)
	assert.Equal(t, []string{"a.go:3: 121 columns, more than 120", "kernels/a.cl:2: 121 columns, more than 120"}, problems)
}

func TestMixed(t *testing.T) {
	const inside, outside = `"github.com/suffixcl/suffixcl/cl"`, `"golang.org/x/sys/unix"`
	for imports, wrong := range map[string]string{
		``:                                  ``,
		`"fmt"|"os"`:                        ``,
		`"fmt"||` + inside:                  ``,
		`"fmt"||` + outside:                 ``,
		`"fmt"||` + outside + `|` + inside:  ``,
		`"fmt"||` + outside + `||` + inside: ``,
		`"fmt"||// why|` + outside + `||// why|` + inside:       ``,
		outside + `||` + inside:                                 ``,
		`"fmt"|` + inside:                                       `a.go:4: import of ` + inside,
		`"context"||"fmt"|` + inside:                            `a.go:5: import of "fmt"`,
		`"context"||"fmt"`:                                      `a.go:5: import of "fmt"`,
		inside + `||"fmt"`:                                      `a.go:3: import of ` + inside,
		`"fmt"||` + inside + `||` + outside:                     `a.go:5: import of ` + inside,
		`"fmt"||` + inside + `||"github.com/suffixcl/suffixcl"`: `a.go:5: import of ` + inside,
		`"fmt"||` + outside + `||` + inside + `||` + inside:     `a.go:9: import of ` + inside,
	} {
		text := "package a\nimport (\n" + strings.ReplaceAll(imports, "|", "\n") + "\n)\n"
		got := strings.Join(mixed("a.go", []byte(text)), "\n")
		got, _, _ = strings.Cut(got, " in this group")
		assert.Equal(t, wrong, got, imports)
	}
	assert.Empty(t, mixed("a.go", []byte("package a\n\nimport \"fmt\"\n\n// #include <a.h>\nimport \"C\"\n")))
}

// Imports are looked at in every Go file, and in no other.
func TestTree(t *testing.T) {
	text := []byte("package a\n\nimport (\n\t\"fmt\"\n\t\"golang.org/x/sys/unix\"\n)\n")
	problems, err := check(fstest.MapFS{"cl/a_test.go": {Data: text}, "a.md": {Data: text}, ".b/a.go": {Data: text}})
	require.NoError(t, err)
	require.Len(t, problems, 1)
	assert.Contains(t, problems[0], `cl/a_test.go:5: import of "golang.org/x/sys/unix" in this group`)
}
