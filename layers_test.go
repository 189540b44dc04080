package suffixcl_test

import (
	"encoding/json"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"maps"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

const module = "github.com/suffixcl/suffixcl"

// layers are the packages from the lowest to the highest, by directory; "." is
// the root, "/..." takes everything below a directory. A package may import those
// of lower layers, not its neighbours.
var layers = [][]string{
	{
		"internal/driver", "internal/atomicfile", "internal/bytesize", "internal/hooks",
		"internal/intmath", "internal/cltype", "internal/addressspace", "internal/jsonline", "internal/bitpack",
		"internal/regular", "internal/mapped", "internal/version",
	},
	{"cl", "internal/mpi", "kernels", "internal/tune", "internal/parallel", "internal/nucleotide"},
	{
		"seqio", "internal/decompress", "patterns", "internal/corpus", "internal/tokenindex", "internal/sentencepiece",
		"internal/twobit", "internal/bzip2", "internal/entries", "internal/table", "internal/fmd", "internal/separated",
		"internal/sdsl", "internal/passages", "internal/runfiles",
	},
	{"device", "internal/rope", "internal/infinigrammini"},
	{"internal/async", "internal/limits", "internal/tuned", "internal/phases", "internal/usage"},
	{"internal/doubling", "internal/mergepath", "internal/smalltexts"},
	{"scan"},
	{"radixsort", "merge", "internal/periodic", "internal/minima"},
	{"segsort", "internal/symbols", "internal/sets", "internal/verify"},
	{"internal/dc3", "internal/sais", "internal/bwt"},
	{"skew"},
	{"prefixdoubling"},      // its hybrid begins and ends with a step of skew
	{"internal/suffixsort"}, // chooses among the sorters
	{"internal/lcp", "internal/patternset"},
	{"internal/fmindex", "internal/ranges"}, // which sorts a sample by suffixsort
	{
		"internal/match", "lrq", "internal/intervals", "internal/matches", "internal/mappability", "internal/duplicates",
		"internal/thresholds", "internal/prefixes", "internal/wavelet",
	},
	{"internal/input"},
	{"internal/sorter"},
	{"internal/rlbwt"},
	{"internal/smem", "internal/pml"},
	{"internal/call"},
	{"internal/jobs/inranges", "internal/jobs/dedup"},
	{"internal/jobs/arrays"}, // in ranges, where nothing else fits
	{
		"internal/jobs/search", "internal/jobs/repeats", "internal/jobs/intervals", "internal/jobs/genomes",
		"internal/jobs/thresholds", "internal/jobs/pangenome", "internal/jobs/smems",
	},
	{"."},
	{"distributed", "internal/bsdiff", "formats/internal/indexfiles", "formats/internal/sorted"},
	{"formats/internal/strands"},
	{
		"formats/internal/bwa", "formats/internal/bowtie2", "formats/internal/genometools", "formats/internal/minibwa",
		"formats/internal/movi", "formats/internal/star",
	},
	{"formats/internal/bwamem2"}, // whose references are those of bwa
	{"formats"},
	{
		"internal/testkit/amdcode", "internal/testkit/programs", "internal/testkit/lrqcpu", "internal/testkit/apilist",
		"internal/testkit/divsufsort", "internal/testkit/opticks", "internal/testkit/mpirun", "internal/testkit/bytepair",
		"internal/testkit/weblike", "internal/testkit/sourcelint", "internal/testkit/testrun", "internal/testkit/needed",
		"internal/testkit/differential", "internal/testkit/sbom", "internal/testkit/suitekit",
	},
	{"internal/testkit/synthetic", "internal/testkit/amdgpu", "internal/testkit/amdcode/amdcodetest"},
	{"internal/testkit/verbcases", "internal/testkit/haplotypes"},
	{"conformance", "internal/testkit/mpitest"},
	{"internal/testkit/jobsuites", "internal/testkit/primitives"},
	{"internal/testkit/corpora", "internal/testkit/builders"},
	{"internal/testkit/harness"}, // variants of devices, guarded buffers
	{"internal/testkit/gate"},
	{"internal/testkit/devicetest", "internal/testkit/amdgate", "internal/testkit/kernellint"},
	{"internal/cli", "internal/serve", "internal/testkit/enginetest"},
	{
		"internal/cli/clitest", "cmd/internal/formats/tsv", "cmd/internal/formats/mummer",
		"cmd/internal/formats/gsufsort",
	},
	{"cmd/internal/formats/paf", "cmd/internal/formats/bed", "cmd/internal/formats/wiggle"},
	{"cmd/internal/options", "cmd/internal/resume"},
	{"cmd/internal/session"},
	{"cmd/internal/report", "cmd/internal/operation"},
	{"cmd/internal/source", "cmd/internal/sink"},
	{"cmd/internal/job"},
	{"cmd/internal/arrays", "cmd/internal/search"},
	{"cmd/internal/ranks", "cmd/internal/verb"},
	{"cmd/internal/verbs"},
	{"cmd/..."},
	{"lab/bench"}, // a module of its own from here on
	{"lab/tuner", "lab/runner"},
	{"lab/cmd/..."},
}

// only lists all that a package may import, where that is less than its layer
// allows.
var only = map[string][]string{
	"internal/decompress": {"internal/parallel"},
	// These need no device.
	"seqio":                  {"internal/jsonline", "internal/nucleotide", "internal/parallel"},
	"internal/tokenindex":    {"internal/bytesize", "internal/mapped", "internal/parallel", "internal/regular"},
	"internal/sentencepiece": {},
	"internal/passages":      {},
	"internal/corpus":        {"internal/bytesize", "internal/jsonline", "internal/parallel"},

	"conformance":                   {"internal/testkit/suitekit"}, // takes any builder; its tests bring the device
	"internal/testkit/suitekit":     {},
	"internal/testkit/jobsuites":    {"conformance", "internal/testkit/suitekit"},
	"internal/testkit/primitives":   {"conformance", "internal/testkit/suitekit"},
	"internal/testkit/differential": {}, // its oracles share no code with what they judge
}

// never lists what packages may not import, though their layers allow it; "/..." takes
// everything below a directory.
var never = map[string][]string{
	"cmd/...":      {"conformance", "internal/testkit/..."}, // users get no tests
	"internal/cli": {"conformance", "internal/testkit/..."}, // which the users' command links
}

// forbidden tells whether a package may never import another.
func forbidden(pkg, to string) bool {
	for name, list := range never {
		if matches(name, pkg) && slices.ContainsFunc(list, func(other string) bool { return matches(other, to) }) {
			return true
		}
	}
	return false
}

// matches tells whether a name of a table, with or without "/...", stands for a package.
func matches(name, pkg string) bool {
	below, all := strings.CutSuffix(name, "/...")
	return pkg == name || all && (pkg == below || strings.HasPrefix(pkg, below+"/"))
}

func layerOf(pkg string) (int, bool) {
	for i, layer := range layers {
		for _, name := range layer {
			if matches(name, pkg) {
				return i, true
			}
		}
	}
	return 0, false
}

// laboratory is the module below which requires this one.
const laboratory = "lab/..."

// imports of a package inside the modules. Tests are those inside of the package, and outside.
type imports struct{ code, tests, outside []string }

// violations says what points upwards, is not placed, or makes a cycle.
func violations(packages map[string]imports) []string {
	var list []string
	complain := func(format string, args ...any) { list = append(list, fmt.Sprintf(format, args...)) }
	for _, pkg := range slices.Sorted(maps.Keys(packages)) {
		layer, ok := layerOf(pkg)
		if !ok {
			complain("package %s is in no layer: place it in the table of layers_test.go", pkg)
			continue
		}
		for _, to := range packages[pkg].code {
			below, placed := layerOf(to)
			allowed, restricted := only[pkg]
			switch {
			case !placed:
				if _, read := packages[to]; !read { // else it is complained about itself
					complain("%s imports %s, which is in no layer", pkg, to)
				}
			case below >= layer:
				complain("%s imports %s, which is not below it", pkg, to)
			case restricted && !slices.Contains(allowed, to):
				complain("%s imports %s, it may import only %v", pkg, to, allowed)
			case forbidden(pkg, to):
				complain("%s imports %s, which it may not", pkg, to)
			}
		}
		// Tests may look upwards within the module, but a test inside the package must not lead back
		// to the package: that is a cycle.
		for _, to := range slices.Concat(packages[pkg].tests, packages[pkg].outside) {
			if matches(laboratory, to) && !matches(laboratory, pkg) {
				complain("%s: its test imports %s, whose module requires this one", pkg, to)
			}
		}
		for _, to := range packages[pkg].tests {
			if reaches(packages, to, pkg) {
				complain("%s: its test imports %s, which imports %s: make it a test of package %s_test",
					pkg, to, pkg, path.Base(pkg))
			}
		}
	}
	return list
}

// reaches tells whether code of from imports to, at any distance.
func reaches(packages map[string]imports, from, to string) bool {
	seen := map[string]bool{}
	var walk func(string) bool
	walk = func(p string) bool {
		if p == to {
			return true
		}
		if seen[p] {
			return false
		}
		seen[p] = true
		return slices.ContainsFunc(packages[p].code, walk)
	}
	return walk(from)
}

// readImports parses every Go file, whatever its build constraints.
func readImports(t *testing.T) map[string]imports {
	packages := map[string]imports{}
	err := filepath.WalkDir(".", func(file string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		name := entry.Name()
		if entry.IsDir() {
			if file != "." && (name == "testdata" || strings.HasPrefix(name, ".") || strings.HasPrefix(name, "_")) {
				return fs.SkipDir
			}
			return nil
		}
		if !strings.HasSuffix(name, ".go") {
			return nil
		}
		parsed, err := parser.ParseFile(token.NewFileSet(), file, nil, parser.ImportsOnly)
		if err != nil {
			return err
		}
		pkg := filepath.ToSlash(filepath.Dir(file))
		p := packages[pkg]
		external := strings.HasSuffix(parsed.Name.Name, "_test")
		for _, spec := range parsed.Imports {
			to, err := strconv.Unquote(spec.Path.Value)
			if err != nil {
				return err
			}
			if to == module {
				to = "."
			} else if rest, ok := strings.CutPrefix(to, module+"/"); ok {
				to = rest
			} else {
				continue
			}
			switch {
			case !strings.HasSuffix(name, "_test.go"):
				p.code = append(p.code, to)
			case external:
				p.outside = append(p.outside, to)
			default:
				p.tests = append(p.tests, to)
			}
		}
		packages[pkg] = p
		return nil
	})
	require.NoError(t, err)
	return packages
}

func TestImportsPointDown(t *testing.T) {
	packages := readImports(t)
	require.Contains(t, packages["device"].code, "cl", "the tree was not read")
	for _, v := range violations(packages) {
		t.Error(v)
	}
	require.False(t, reaches(packages, ".", "internal/decompress"), "importers of the root link decompression")
}

// Who imports the library has all that it requires in a list, too: a new one has to be worth it, or goes with what it
// takes the place of.
func TestRequirements(t *testing.T) {
	const most = 12
	out, err := exec.Command("go", "mod", "edit", "-json").Output()
	require.NoError(t, err)
	var file struct{ Require []struct{ Path string } }
	require.NoError(t, json.Unmarshal(out, &file))
	assert.LessOrEqual(t, len(file.Require), most, "%v", file.Require)
	assert.NotEmpty(t, file.Require)
}

// Who opens the directory, the documentation of the root or the list of exported names reads this much. A number may
// only get smaller: one more name or folder takes the place of another, or has a reason in docs/design/api.md.
func TestSizes(t *testing.T) {
	list, err := os.ReadFile("api.txt")
	require.NoError(t, err)
	lines := strings.Split(strings.TrimSpace(string(list)), "\n")
	count := func(of func(line string) bool) (n int) {
		for _, line := range lines {
			if of(line) {
				n++
			}
		}
		return n
	}
	files, err := filepath.Glob("*.go")
	require.NoError(t, err)
	entries, err := os.ReadDir(".")
	require.NoError(t, err)
	folders := 0
	for _, e := range entries {
		if e.IsDir() && !strings.HasPrefix(e.Name(), ".") && e.Name() != "bin" { // which make fills
			folders++
		}
	}
	root := func(line string) bool { return strings.HasPrefix(line, ".: ") && !strings.HasPrefix(line, ".: field ") }
	for _, size := range []struct {
		what      string
		got, most int
	}{
		{"lines of api.txt", len(lines), 1014},
		{"names and methods of the root", count(root), 190},
		{"methods of Engine", count(func(line string) bool { return strings.HasPrefix(line, ".: method (*Engine).") }), 28},
		{"Go files in the root, tests included", len(files), 29},
		{"folders at the top", folders, 23},
	} {
		assert.LessOrEqual(t, size.got, size.most, size.what)
		assert.NotZero(t, size.got, size.what)
	}
}

// circles are how many files of a package may name each other in a circle, where that is more than mostInCircle. A
// number may only get smaller.
var circles = map[string]int{
	"device": 6, "internal/testkit/amdgpu": 21, "internal/testkit/differential": 10,
	"lab/cmd/suffixcl-lab": 17, "lab/runner": 7,
}

// mostInCircle files may name each other in a circle: types that are made for each other, not more.
const mostInCircle = 3

// filesOf are the files of a package, tests left out, with those that each names.
func filesOf(t *testing.T, dir string) map[string][]string {
	paths, err := filepath.Glob(filepath.Join(dir, "*.go"))
	require.NoError(t, err)
	parsed, declared := map[string]*ast.File{}, map[string]string{}
	for _, file := range paths {
		if strings.HasSuffix(file, "_test.go") {
			continue
		}
		parsed[file], err = parser.ParseFile(token.NewFileSet(), file, nil, 0)
		require.NoError(t, err)
		for name := range parsed[file].Scope.Objects {
			declared[name] = file
		}
	}
	named := map[string][]string{}
	for file, of := range parsed {
		named[file] = nil
		for _, name := range of.Unresolved { // in the file itself
			if other := declared[name.Name]; other != "" && !slices.Contains(named[file], other) {
				named[file] = append(named[file], other)
			}
		}
	}
	return named
}

// largestCircle are the most files of which each leads to each.
func largestCircle(named map[string][]string) (largest []string) {
	reached := map[string]map[string]bool{}
	for file := range named {
		seen := map[string]bool{}
		for next := slices.Clone(named[file]); len(next) > 0; next = next[1:] {
			if !seen[next[0]] {
				seen[next[0]] = true
				next = append(next, named[next[0]]...)
			}
		}
		reached[file] = seen
	}
	for file := range named {
		circle := []string{file}
		for other := range named {
			if other != file && reached[file][other] && reached[other][file] {
				circle = append(circle, other)
			}
		}
		if len(circle) > len(largest) {
			largest = circle
		}
	}
	slices.Sort(largest)
	return largest
}

// Files of a package that name each other in a circle can only be read together.
func TestCircles(t *testing.T) {
	require.Equal(t, []string{"a", "b"}, largestCircle(map[string][]string{"a": {"b"}, "b": {"a", "c"}, "c": nil}))
	for pkg := range readImports(t) {
		most, listed := circles[pkg]
		if !listed {
			most = mostInCircle
		}
		circle := largestCircle(filesOf(t, pkg))
		assert.LessOrEqual(t, len(circle), most, "%s: %v", pkg, circle)
		assert.False(t, listed && len(circle) < most, "%s has a circle of %d files: its number in circles is %d",
			pkg, len(circle), most)
	}
}

// inTree are the files and directories that the tree of CONTRIBUTING.md names. A name without a directory
// is next to the first of its row.
func inTree(page string) map[string]bool {
	_, page, _ = strings.Cut(page, "\n## The tree\n")
	page, _, _ = strings.Cut(page, "\n## ")
	names := map[string]bool{}
	for row := range strings.Lines(page) {
		cells := strings.Split(row, "|")
		if len(cells) < 3 {
			continue
		}
		parent := ""
		for i, name := range strings.Split(cells[1], "`") {
			if i%2 == 0 {
				continue
			}
			clean := strings.TrimSuffix(name, "/")
			if parent != "" && !strings.Contains(clean, "/") {
				clean = path.Join(parent, clean)
			}
			names[clean] = true
			if dir := path.Dir(clean); parent == "" && dir != "." {
				parent = dir
			}
		}
	}
	return names
}

// The tree of CONTRIBUTING.md has every package, every file of the root package, and nothing else.
func TestTree(t *testing.T) {
	page, err := os.ReadFile("CONTRIBUTING.md")
	require.NoError(t, err)
	listed := inTree(string(page))
	for name := range listed {
		_, err := os.Stat(name)
		assert.NoError(t, err, "the tree of CONTRIBUTING.md")
	}
	for pkg := range readImports(t) {
		assert.True(t, pkg == "." || listed[pkg], "the tree of CONTRIBUTING.md has no %s", pkg)
	}
	files, err := filepath.Glob("*.go")
	require.NoError(t, err)
	for _, file := range files {
		assert.True(t, strings.HasSuffix(file, "_test.go") || listed[file], "the tree of CONTRIBUTING.md has no %s", file)
	}
}

func TestLayersCatch(t *testing.T) {
	for _, c := range []struct {
		name     string
		packages map[string]imports
		want     string // "" allows it
	}{
		{
			"down",
			map[string]imports{"scan": {code: []string{"device", "internal/tune"}}, "device": {}, "internal/tune": {}},
			"",
		},
		{"up", map[string]imports{"device": {code: []string{"scan"}}}, "device imports scan, which is not below it"},
		{"sideways", map[string]imports{"merge": {code: []string{"radixsort"}}}, "not below it"},
		{"root", map[string]imports{"internal/lcp": {code: []string{"."}}}, "internal/lcp imports ., which is not below it"},
		{"command", map[string]imports{"lab/cmd/suffixcl-lab": {code: []string{".", "conformance", "lab/runner"}}}, ""},
		{"user's command", map[string]imports{"cmd/suffixcl": {code: []string{".", "internal/cli"}}}, ""},
		{"tests", map[string]imports{"cmd/suffixcl": {code: []string{"internal/testkit/gate"}}}, "which it may not"},
		{"laboratory", map[string]imports{"device": {code: []string{"lab/bench"}}}, "which is not below it"},
		{
			"test of the laboratory",
			map[string]imports{"scan": {outside: []string{"lab/runner"}}, "lab/runner": {code: []string{"scan"}}},
			"scan: its test imports lab/runner",
		},
		{"suites", map[string]imports{"cmd/suffixcl": {code: []string{"conformance"}}}, "which it may not"},
		{
			"hidden",
			map[string]imports{"cmd/suffixcl": {code: []string{"testdata"}}},
			"imports testdata, which is in no layer",
		},
		{"unknown", map[string]imports{"newthing": {}}, "place it in the table of layers_test.go"},
		{"alone", map[string]imports{"seqio": {code: []string{"cl"}}}, "seqio imports cl"},
		{"conformance", map[string]imports{"conformance": {code: []string{"device"}}}, "may import only"},
		{"test upwards", map[string]imports{"kernels": {tests: []string{"device"}}, "device": {code: []string{"cl"}}}, ""},
		{
			"test cycle",
			map[string]imports{"kernels": {tests: []string{"device"}}, "device": {code: []string{"kernels"}}},
			"make it a test of package kernels_test",
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			got := strings.Join(violations(c.packages), "\n")
			if c.want == "" {
				assert.Empty(t, got)
			} else {
				assert.Contains(t, got, c.want)
			}
		})
	}
}
