package main_test

import (
	"bytes"
	"debug/elf"
	"encoding/binary"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/suffixcl/suffixcl/conformance"
	"github.com/suffixcl/suffixcl/internal/cli"
	"github.com/suffixcl/suffixcl/internal/testkit/devicetest"
	"github.com/suffixcl/suffixcl/internal/testkit/mpitest"
	"github.com/suffixcl/suffixcl/internal/testkit/needed"
)

// library is a directory with what `make lib` makes, for all tests: to link the library takes some seconds.
var library struct {
	sync.Once
	dir string
	out []byte
	err error
}

func TestMain(m *testing.M) {
	code := m.Run()
	os.RemoveAll(library.dir)
	os.Exit(code)
}

// libraryFor is that directory. The library has the version that one in a wheel has.
func libraryFor(t *testing.T) string {
	needed.Compiler(t, "cc")
	needed.Program(t, "make")
	library.Do(func() {
		if library.dir, library.err = os.MkdirTemp("", "libsuffixcl"); library.err == nil {
			command := exec.Command("make", "-C", "../..", "lib", "LIB="+library.dir, "STAMP="+stamp(t))
			library.out, library.err = command.CombinedOutput()
		}
	})
	require.NoError(t, library.err, "%s", library.out)
	return library.dir
}

// stamp has the linker set the version that the changelog names first.
func stamp(t *testing.T) string {
	changes, err := os.ReadFile("../../CHANGELOG.md")
	require.NoError(t, err)
	version := regexp.MustCompile(`(?m)^## (v[0-9.]+)`).FindSubmatch(changes)
	require.NotNil(t, version)
	return "-X github.com/suffixcl/suffixcl/internal/version.number=" + string(version[1])
}

// TestLibrary builds the library as `make lib` does, and programs that call it.
func TestLibrary(t *testing.T) {
	dir := libraryFor(t)
	t.Run("exports", func(t *testing.T) { testExports(t, dir) })
	t.Run("header", func(t *testing.T) { testHeader(t, dir) })
	t.Run("ABI", func(t *testing.T) { testABI(t, dir) })
	devicetest.Devices(t)
	t.Run("calls", func(t *testing.T) {
		assert.Equal(t, "ended well\n", run(t, exec.Command(compile(t, dir, "cc", "testdata/calls.c"))))
	})
	t.Run("jobs", func(t *testing.T) {
		file := filepath.Join(t.TempDir(), "index")
		program := link(t, dir, "cc", "-std=gnu99", "-Wall", "-Wextra", "-Werror", "-pthread", "-g",
			"-fsanitize=address,undefined", "-fno-sanitize-recover=undefined", "testdata/jobs.c")
		c := exec.Command(program, file)
		c.Env = append(c.Environ(), "ASAN_OPTIONS=detect_leaks=0") // drivers keep what they have
		assert.Equal(t, "ended well\n", run(t, c))
	})
	t.Run("opened", func(t *testing.T) {
		program := filepath.Join(t.TempDir(), "program")
		out, err := exec.Command(needed.Compiler(t, "cc"), "-std=gnu99", "-Wall", "-Wextra", "-Werror", "-I"+dir+"/include",
			"testdata/opened.c", "-o", program, "-ldl").CombinedOutput()
		require.NoError(t, err, "%s", out)
		assert.Equal(t, "ended well\n", run(t, exec.Command(program, filepath.Join(dir, "lib", "libsuffixcl.so.0"))))
	})
	t.Run("module", func(t *testing.T) {
		program := link(t, dir, "gfortran", "-std=f2018", "-J"+t.TempDir(), "fortran/suffixcl.f90", "testdata/module.f90")
		assert.Equal(t, "ended well\n", run(t, exec.Command(program)))
	})
	t.Run("plain", func(t *testing.T) { testPlain(t, dir) })
	t.Run("page", func(t *testing.T) { testPage(t, dir) })
	for _, l := range mpitest.Launchers(t) {
		t.Run(l.Name, func(t *testing.T) { testRanks(t, dir, l) })
	}
}

// compile makes a program of C with the library in dir, and returns its path.
func compile(t *testing.T, dir, compiler, source string) string {
	return link(t, dir, compiler, "-std=gnu99", "-Wall", "-Wextra", "-Werror", "-pthread", source)
}

// link runs a compiler with the library in dir, and returns the program.
func link(t *testing.T, dir, compiler string, args ...string) string {
	t.Helper()
	needed.Compiler(t, compiler)
	program := filepath.Join(t.TempDir(), "program")
	args = append(args, "-o", program, "-I"+dir+"/include", "-L"+dir+"/lib", "-Wl,-rpath,"+dir+"/lib", "-lsuffixcl")
	out, err := exec.Command(compiler, args...).CombinedOutput()
	require.NoError(t, err, "%s", out)
	return program
}

// run returns what a program that ends well writes to standard output.
func run(t *testing.T, c *exec.Cmd) string {
	t.Helper()
	var out, errs bytes.Buffer
	c.Stdout, c.Stderr = &out, &errs
	require.NoError(t, c.Run(), "%s", &errs)
	return out.String()
}

var (
	prototype  = regexp.MustCompile(`(?m)^(?:int |const char \*)(suffixcl_\w+)\(`)
	interfaces = regexp.MustCompile(`(?m)^ +function (suffixcl_\w+?)(?:_c)?\(.*bind\(c`)
	codes      = regexp.MustCompile(`(?m)^\t(SUFFIXCL_[A-Z_]+) = (\d+)`)
)

// names are the first groups of all matches in a file, sorted.
func names(t *testing.T, file string, re *regexp.Regexp) (list []string) {
	text, err := os.ReadFile(file)
	require.NoError(t, err)
	for _, m := range re.FindAllStringSubmatch(string(text), -1) {
		list = append(list, m[1])
	}
	slices.Sort(list)
	return list
}

// testExports has the header, the module for Fortran and the library agree.
func testExports(t *testing.T, dir string) {
	want := names(t, "suffixcl.h", prototype)
	require.Greater(t, len(want), 15)
	file, err := elf.Open(filepath.Join(dir, "lib", "libsuffixcl.so"))
	require.NoError(t, err)
	defer file.Close()
	symbols, err := file.DynamicSymbols()
	require.NoError(t, err)
	var got []string
	for _, s := range symbols {
		if s.Section != elf.SHN_UNDEF && s.Section != elf.SHN_ABS { // that of the version is absolute
			got = append(got, s.Name)
		}
	}
	slices.Sort(got)
	assert.Equal(t, want, got)
	soname, err := file.DynString(elf.DT_SONAME)
	require.NoError(t, err)
	assert.Equal(t, []string{"libsuffixcl.so.0"}, soname)
	fortran := names(t, "fortran/suffixcl.f90", interfaces)
	assert.Subset(t, want, fortran)
	for _, name := range want { // jobs, indexes and verbs have structures and functions, which are for C
		if strings.HasPrefix(name, "suffixcl_ranks_") {
			assert.Contains(t, fortran, name)
		}
	}
	page, err := os.ReadFile("../../docs/c.md")
	require.NoError(t, err)
	for _, name := range want {
		assert.True(t, strings.Contains(string(page), "`"+name+"`"), "docs/c.md lacks %s", name)
	}
}

// testHeader has the codes of the command, and a header that C++ takes, too.
func testHeader(t *testing.T, dir string) {
	text, err := os.ReadFile("suffixcl.h")
	require.NoError(t, err)
	got := map[string]string{}
	for _, m := range codes.FindAllStringSubmatch(string(text), -1) {
		got[m[1]] = m[2]
	}
	for name, code := range map[string]int{
		"DONE": cli.ExitDone, "FAILED": cli.ExitFailed, "USAGE": cli.ExitUsage, "NO_DEVICE": cli.ExitNoDevice,
		"MEMORY": cli.ExitMemory, "MISMATCH": cli.ExitVerify, "RANK": 6, "INTERRUPTED": cli.ExitInterrupted,
	} {
		assert.Equal(t, fmt.Sprint(code), got["SUFFIXCL_"+name], name)
	}
	for compiler, args := range map[string][]string{
		"cc": {"-x", "c", "-std=c99", "-pedantic"}, "c++": {"-x", "c++", "-std=c++11", "-pedantic"},
	} {
		t.Run(compiler, func(t *testing.T) {
			c := exec.Command(needed.Compiler(t, compiler), append(args, "-Wall", "-Wextra", "-Werror", "-fsyntax-only",
				"-I"+dir+"/include", "-")...)
			c.Stdin = strings.NewReader("#include <suffixcl.h>\nint main(void) { return suffixcl_close(0); }\n")
			run(t, c)
		})
	}
}

// testPage runs what docs/c.md has one type into a shell, but for `make lib`, in a directory that looks like a clone.
func testPage(t *testing.T, dir string) {
	page, err := os.ReadFile("../../docs/c.md")
	require.NoError(t, err)
	blocks := regexp.MustCompile("(?s)```sh\n(.*?)```").FindAllStringSubmatch(string(page), -1)
	require.Len(t, blocks, 2)
	clone := t.TempDir()
	root, err := filepath.Abs("../..")
	require.NoError(t, err)
	for name, target := range map[string]string{
		"bin": dir, "cmd": filepath.Join(root, "cmd"), "LICENSE": filepath.Join(root, "LICENSE"),
	} {
		require.NoError(t, os.Symlink(target, filepath.Join(clone, name)))
	}
	first, rest, _ := strings.Cut(blocks[0][1], "\n")
	require.True(t, strings.HasPrefix(first, "make lib "), first)
	typed := func(script string, path string) {
		c := exec.Command("sh", "-ex")
		c.Dir, c.Stdin, c.Env = clone, strings.NewReader(script), append(os.Environ(), "PATH="+path)
		out, err := c.CombinedOutput()
		require.NoError(t, err, "%s", out)
	}
	needed.Program(t, "pkg-config")
	typed(rest, os.Getenv("PATH"))
	license, err := os.ReadFile("../../LICENSE")
	require.NoError(t, err)
	want, wide := "", []byte(nil)
	for _, v := range conformance.ReferenceSuffixArray(license) {
		want += fmt.Sprintln(v)
		wide = binary.LittleEndian.AppendUint64(wide, uint64(v))
	}
	got, err := os.ReadFile(filepath.Join(clone, "LICENSE.sa"))
	require.NoError(t, err)
	assert.Equal(t, want, string(got))
	t.Run("MPI", func(t *testing.T) {
		bin := openMPI(t)
		exports := regexp.MustCompile(`(?m)^export .*\n`).FindAllString(rest, -1)
		require.Len(t, exports, 2)
		ranks := strings.ReplaceAll(blocks[1][1], " -n 4 ", " -n 2 ") // each has a device, and more take as much longer
		require.NotEqual(t, blocks[1][1], ranks)
		typed(strings.Join(exports, "")+ranks, bin+string(os.PathListSeparator)+os.Getenv("PATH"))
		got, err := os.ReadFile(filepath.Join(clone, "LICENSE.sa8"))
		require.NoError(t, err)
		assert.Equal(t, wide, got)
	})
}

// openMPI is a directory in which the commands without a suffix are those of Open MPI.
func openMPI(t *testing.T) string {
	dir := t.TempDir()
	for _, name := range []string{"mpicc", "mpifort", "mpirun"} {
		require.NoError(t, os.Symlink(needed.Compiler(t, name+".openmpi"), filepath.Join(dir, name)))
	}
	needed.Program(t, "gfortran")
	return dir
}

func testPlain(t *testing.T, dir string) {
	program, stream := compile(t, dir, "cc", "examples/plain.c"), compile(t, dir, "cc", "examples/stream.c")
	text, err := conformance.NewText("versions", 3000, 1)
	require.NoError(t, err)
	name := filepath.Join(t.TempDir(), "text")
	for _, text := range [][]byte{nil, []byte("banana"), text} {
		require.NoError(t, os.WriteFile(name, text, 0o644))
		var want strings.Builder
		for _, v := range conformance.ReferenceSuffixArray(text) {
			fmt.Fprintln(&want, v)
		}
		assert.Equal(t, want.String(), run(t, exec.Command(program, name)))
	}
	require.NoError(t, os.WriteFile(name, []byte("banana\n\nba"), 0o644))
	assert.Equal(t, "5 3 1 0 4 2\n\n1 0\n", run(t, exec.Command(stream, name)))
}

// testRanks runs programs that are linked with a library of MPI.
func testRanks(t *testing.T, dir string, l mpitest.Launcher) {
	r := l.Run(t, 3, nil, compile(t, dir, l.Compiler, "testdata/groups.c"))
	assert.Zero(t, r.Code, r.Stderr)
	assert.Equal(t, 3, strings.Count(r.Stdout, "ended well"), r.Stderr)

	text, err := conformance.NewText("versions", 5000, 1)
	require.NoError(t, err)
	var want []byte
	for _, v := range conformance.ReferenceSuffixArray(text) {
		want = binary.LittleEndian.AppendUint64(want, uint64(v))
	}
	program := compile(t, dir, l.Compiler, "examples/ranks.c")
	name := filepath.Join(t.TempDir(), "text")
	require.NoError(t, os.WriteFile(name, text, 0o644))
	for ranks, algorithm := range map[int]string{1: "pcss", 3: "pdc3"} {
		r := l.Run(t, ranks, nil, program, name, name+".sa", algorithm)
		require.Zero(t, r.Code, r.Stderr)
		got, err := os.ReadFile(name + ".sa")
		require.NoError(t, err)
		assert.Equal(t, want, got, "%d ranks", ranks)
	}
	r = l.Run(t, 2, nil, program, name, name+".none", "none")
	assert.NotZero(t, r.Code)
	assert.Contains(t, r.Stderr, `options.algorithm is "none"`)
	assert.NoFileExists(t, name+".none")
	t.Run("Fortran", func(t *testing.T) {
		needed.Program(t, "gfortran")
		r := l.Run(t, 2, nil, link(t, dir, l.Fortran, "-J"+t.TempDir(), "fortran/suffixcl.f90", "examples/ranks.f90"))
		assert.Zero(t, r.Code, r.Stderr)
		assert.Contains(t, r.Stdout, "smallest suffix: ")
	})
}
