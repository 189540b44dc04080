package verbs

import (
	"cmp"
	"io/fs"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"github.com/suffixcl/suffixcl/internal/cli/clitest"
)

// eb is the name of the easyconfig, which has the version.
var eb = regexp.MustCompile(`suffixcl-[0-9.]+\.eb$`)

// recipes are the files of packaging/ by their paths there, with what they hold. The name of the easyconfig is without
// the version.
func recipes(t *testing.T) map[string]string {
	root, files := os.DirFS(filepath.Join("..", "..", "..", "packaging")), map[string]string{}
	require.NoError(t, fs.WalkDir(root, ".", func(name string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		text, err := fs.ReadFile(root, name)
		files[eb.ReplaceAllString(name, "suffixcl.eb")] = string(text)
		return err
	}))
	return files
}

// atLeast tells whether a version is another, or newer.
func atLeast(version, other string) bool {
	numbers := func(s string) (n []int) {
		for part := range strings.SplitSeq(s, ".") {
			i, _ := strconv.Atoi(part)
			n = append(n, i)
		}
		return n
	}
	return slices.Compare(numbers(version), numbers(other)) >= 0
}

// versioned are the recipes that name the version, and how they do.
var versioned = map[string]string{
	"Dockerfile":                `image\.version=(\S+)`,
	"apptainer/suffixcl.def":    `image\.version (\S+)`,
	"conda/meta.yaml":           `set version = "(.*?)"`,
	"debian/changelog":          `^suffixcl \((.*)-\d+\)`,
	"easybuild/suffixcl.eb":     `(?m)^version = '(.*)'`,
	"spack/suffixcl/package.py": `version\("(.*?)"`,
	"environment.yml":           `suffixcl=(\S+)`,
	"main.nf":                   `suffixcl:([0-9.]+)`,
}

// All recipes are of one version: the newest of the changelog, or a later one while changes are unreleased.
func TestRecipesVersion(t *testing.T) {
	changes := page(t, "CHANGELOG.md")
	released := regexp.MustCompile(`(?m)^## v([0-9.]+)`).FindStringSubmatch(changes)
	require.NotNil(t, released)
	var want string
	found := 0
	for name, text := range recipes(t) {
		pattern := cmp.Or(versioned[name], versioned[path.Base(name)])
		if pattern == "" {
			continue
		}
		found++
		for _, m := range regexp.MustCompile(pattern).FindAllStringSubmatch(text, -1) {
			want = cmp.Or(want, m[1])
			assert.Equal(t, want, m[1], name)
		}
		assert.Regexp(t, pattern, text, name)
	}
	assert.Equal(t, 6+2*4, found)
	assert.FileExists(t, filepath.Join("..", "..", "..", "packaging", "easybuild", "suffixcl-"+want+".eb"))
	named := regexp.MustCompile(`suffixcl[_-](\d+\.\d+\.\d+)`)
	for _, m := range named.FindAllStringSubmatch(page(t, "docs/install.md"), -1) {
		assert.Equal(t, want, m[1], "docs/install.md")
	}
	for name, pattern := range map[string]string{
		"python/pyproject.toml": `(?m)^version = "(.*)"`, "python/src/suffixcl/_version.py": `__version__ = "(.*)"`,
	} {
		m := regexp.MustCompile(pattern).FindStringSubmatch(page(t, name))
		require.NotNil(t, m, name)
		assert.Equal(t, want, m[1], name)
	}
	if strings.Contains(changes, "\n## Unreleased\n") {
		assert.True(t, atLeast(want, released[1]), "%s is older than %s", want, released[1])
	} else {
		assert.Equal(t, released[1], want)
	}
}

// The first lines of a recipe say what of it was run, and what was not.
func TestRecipesSayWhatWasRun(t *testing.T) {
	for name, text := range recipes(t) {
		switch path.Base(name) {
		case "changelog", "copyright", "format", "suffixcl.manpages", "suffixcl.docs", "libsuffixcl-dev.examples",
			"Dockerfile.dockerignore", "lintian-overrides", "suffixcl.lintian-overrides":
			continue // have no room for it: those of debian/ say it in control
		}
		if path.Dir(name) == "debian/tests" || name == "debian/rules" || strings.HasPrefix(text, "#!/usr/bin/env bash") {
			continue
		}
		lines := strings.SplitN(text, "\n", 8)
		first := strings.Join(lines[:len(lines)-1], "\n")
		assert.Contains(t, first, "Run", name)
		assert.Contains(t, first, "Not run", name)
	}
}

// calls are the places of recipes that call the command, and how many calls there are at least.
var calls = map[string]int{
	"Dockerfile":                      1,
	"apptainer/suffixcl.def":          3,
	"conda/build.sh":                  4,
	"conda/meta.yaml":                 4,
	"debian/rules":                    6,
	"debian/tests/first-results":      9,
	"easybuild/suffixcl.eb":           3,
	"nf-core/modules/nf-core/main.nf": 8,
}

// Each call of the command in a recipe is one that the parser takes.
func TestRecipesCalls(t *testing.T) {
	call := regexp.MustCompile(`(?m)(?:^|&& |\$\(|\./|RUN |- |['"(])\s*` +
		`(?:suffixcl|"\$PREFIX/bin/suffixcl"|\$\(COMMAND\)) ([a-z].*)$`)
	ends := regexp.MustCompile(` &&| [|>]|\)|['"]|\\$`)
	found := map[string]int{}
	for name, text := range recipes(t) {
		if strings.HasPrefix(name, "nf-core/") {
			name = path.Join("nf-core/modules/nf-core", path.Base(name))
		}
		if calls[name] == 0 {
			continue
		}
		for line := range strings.Lines(text) {
			for _, part := range strings.SplitAfter(line, " && ") {
				m := call.FindStringSubmatch(strings.TrimSpace(part))
				if m == nil || strings.HasPrefix(strings.TrimSpace(part), "#") {
					continue
				}
				rest := m[1]
				if i := ends.FindStringIndex(rest); i != nil {
					rest = rest[:i[0]]
				}
				usable(t, "suffixcl "+strings.Replace(rest, "$args ", "", 1))
				found[name]++
			}
		}
	}
	for name, least := range calls {
		assert.GreaterOrEqual(t, found[name], least, name)
	}
}

// What a recipe takes from the sources is there.
func TestRecipesFiles(t *testing.T) {
	for name, text := range recipes(t) {
		taken := regexp.MustCompile(`\./cmd/[a-z]+`).FindAllString(text, -1)
		switch path.Base(name) {
		case "suffixcl.docs", "libsuffixcl-dev.examples":
			taken = append(taken, strings.Fields(text)...)
		case "meta.yaml":
			taken = append(taken, "LICENSE")
		}
		for _, file := range taken {
			there, err := filepath.Glob(filepath.Join("..", "..", "..", file))
			assert.NoError(t, err, name)
			assert.NotEmpty(t, there, "%s: %s", name, file)
		}
	}
}

// The scripts of the modules of nf-core run, and make the files that their stubs make.
func TestRecipesModules(t *testing.T) {
	shell, err := exec.LookPath("sh")
	if err != nil || runtime.GOOS == "windows" {
		t.Skip("there is no POSIX shell")
	}
	clitest.NeedDevice(t)
	blocks := regexp.MustCompile(`(?s)\n    (script|stub):\n.*?"""\n(.*?)    """`)
	modules := 0
	for name, text := range recipes(t) {
		if path.Base(name) != "main.nf" {
			continue
		}
		modules++
		t.Run(path.Base(path.Dir(name)), func(t *testing.T) {
			made := map[string][]string{}
			for _, block := range blocks.FindAllStringSubmatch(text, -1) {
				dir := t.TempDir()
				genome := ">a\n" + strings.Repeat("ACGTTGCAAGCTAGCTAACG", 30) + "\n"
				require.NoError(t, os.MkdirAll(filepath.Join(dir, "texts", "1"), 0o755))
				require.NoError(t, os.Mkdir(filepath.Join(dir, "texts", "2"), 0o755))
				clitest.Put(t, dir, "genome.fa", []byte(genome))
				for _, copied := range []string{"1", "2"} { // as links, which is how files are staged
					link := filepath.Join(dir, "texts", copied, "genome.fa")
					require.NoError(t, os.Symlink(filepath.Join(dir, "genome.fa"), link))
				}
				before := tree(t, dir)
				c := exec.Command(shell, "-eu")
				c.Dir, c.Stdin = dir, strings.NewReader(block[2])
				c.Env = append(os.Environ(), "args=", "fasta=genome.fa", "prefix=genome",
					"PATH="+filepath.Dir(clitest.Program())+string(os.PathListSeparator)+os.Getenv("PATH"))
				r := clitest.Finish(t, c)
				require.Zero(t, r.Code, r.Errors)
				made[block[1]] = slices.DeleteFunc(tree(t, dir), func(file string) bool {
					return slices.Contains(before, file) || strings.HasPrefix(file, "genome/")
				})
			}
			assert.NotEmpty(t, made["script"])
			assert.Equal(t, made["stub"], made["script"])
		})
	}
	assert.Equal(t, 4, modules)
}

// tree are the files below a directory, by their paths there, in order.
func tree(t *testing.T, dir string) (files []string) {
	require.NoError(t, fs.WalkDir(os.DirFS(dir), ".", func(name string, entry fs.DirEntry, err error) error {
		if err == nil && !entry.IsDir() {
			files = append(files, name)
		}
		return err
	}))
	return files
}
