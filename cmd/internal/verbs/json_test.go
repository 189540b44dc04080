package verbs

import (
	"encoding/json"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/spf13/cobra"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"github.com/suffixcl/suffixcl/cmd/internal/report"
	"github.com/suffixcl/suffixcl/cmd/internal/verb"
	"github.com/suffixcl/suffixcl/internal/cli"
	"github.com/suffixcl/suffixcl/internal/cli/clitest"
)

// jsonFields are the paths of a type's fields, as docs/json.md writes them.
func jsonFields(t *testing.T, of reflect.Type, path string) (fields []string) {
	switch of.Kind() {
	case reflect.Pointer:
		return jsonFields(t, of.Elem(), path)
	case reflect.Slice:
		return jsonFields(t, of.Elem(), path+"[]")
	case reflect.Struct:
	default:
		return nil
	}
	for i := range of.NumField() {
		f := of.Field(i)
		if f.Anonymous {
			fields = append(fields, jsonFields(t, f.Type, path)...)
			continue
		}
		if !f.IsExported() {
			continue
		}
		name := f.Tag.Get("json")
		assert.Regexp(t, `^[a-z0-9_]+$`, name, "%v.%s: always there, and with a name", of, f.Name)
		if path != "" {
			name = path + "." + name
		}
		inner := jsonFields(t, f.Type, name)
		if len(inner) == 0 || f.Type.Kind() != reflect.Struct {
			fields = append(fields, name)
		}
		fields = append(fields, inner...)
	}
	return fields
}

// The objects of --json have the fields that docs/json.md describes, in its order.
func TestJSONIsDocumented(t *testing.T) {
	page, err := os.ReadFile(filepath.Join("..", "..", "..", "docs", "json.md"))
	require.NoError(t, err)
	row := regexp.MustCompile("(?m)^\\| `([^`]+)` \\| .+ \\|$")
	for title, of := range map[string]any{
		"Verbs that compute": report.Report{}, "apply": applyReport{},
		"get": getReport{}, "tokens count, tokens find, tokens next": gramsReport{}, "pangenome stat": statReport{},
		"passages": passagesReport{}, "plan": verb.PlanReport{}, "devices": devicesReport{},
		"prepare": verb.PrepareReport{}, "version": cli.VersionReport{}, "help": cli.HelpReport{},
	} {
		_, section, found := strings.Cut(string(page), "## "+title+"\n")
		require.True(t, found, title)
		section, _, _ = strings.Cut(section, "\n## ")
		var described []string
		for _, m := range row.FindAllStringSubmatch(section, -1) {
			described = append(described, m[1])
		}
		assert.Equal(t, jsonFields(t, reflect.TypeOf(of), ""), described, title)
	}
}

// All fields are there in every object, zero or not, and lists are no null.
func TestJSONFields(t *testing.T) {
	clitest.NeedDevice(t)
	dir := t.TempDir()
	clitest.Put(t, dir, "text", []byte("banana"))
	clitest.Put(t, dir, "q", []byte("an\n"))
	clitest.Put(t, dir, "sa", encode(suffixArray([]byte("banana")), 4))
	clitest.Good(t, dir, "bwt", "text", "-o", "text.bwt", "-q")
	clitest.Good(t, dir, "index", "text", "-o", "fmi", "-q")
	clitest.Good(t, dir, "diff", "text", "q", "-o", "patch", "-q")
	require.NoError(t, os.Mkdir(filepath.Join(dir, "index"), 0o777))
	clitest.Put(t, dir, "index/tokenized.0", []byte{255, 1, 2})
	clitest.Good(t, dir, "tokens", "index", "--token", "u8", "-q")
	for line, of := range map[string]any{
		"sa text -o out": report.Report{}, "lcp text -o out": report.Report{}, "bwt text -o out": report.Report{},
		"unbwt text.bwt -o out": report.Report{}, "verify text sa": report.Report{}, "index text -o out": report.Report{},
		"count fmi an -o out": report.Report{}, "locate fmi an -o out": report.Report{},
		"match text q -o out": report.Report{},
		"repeats text -o out": report.Report{}, "repeats text --phases --profile -o out": report.Report{},
		"plan sa text":            verb.PlanReport{},
		"apply text patch -o out": applyReport{}, "tokens count index 1 --token u8 -o out": gramsReport{},
		"get fmi --range 1-3 -o out": getReport{}, "passages fmi q -o out": passagesReport{},
		"plan count fmi": verb.PlanReport{}, "devices --no-test": devicesReport{}, "version": cli.VersionReport{},
	} {
		r := clitest.Good(t, dir, append(strings.Fields(line), "--json")...)
		var got map[string]any
		require.NoError(t, json.Unmarshal([]byte(r.Out), &got), line)
		present := map[string]bool{}
		paths(got, "", present)
		for _, field := range jsonFields(t, reflect.TypeOf(of), "") {
			if list, _, inside := strings.Cut(field, "[]"); inside && !present[list+"[]"] {
				continue // of an empty list
			}
			if inNull(field, present) {
				continue
			}
			assert.True(t, present[field], "%s: no field %s", line, field)
		}
		for path := range present {
			if list := strings.TrimSuffix(path, " is null"); list != path {
				known := []string{"primary", "ok", "query_file", "ranks", "duplicates", "pangenome", "smems", "expected"}
				assert.Contains(t, known, list, line)
			}
		}
	}
}

// inNull tells whether a field is in an object that is null.
func inNull(field string, present map[string]bool) bool {
	for i, c := range field {
		if c == '.' && present[field[:i]+" is null"] {
			return true
		}
	}
	return false
}

// Verbs that write results or compute take --json and --quiet.
func TestJSONAndQuiet(t *testing.T) {
	noProgress, always := []string{"devices", "version"}, []string{"serve"} // whose answers are JSON
	neither := []string{"completion", "help", "build-programs", "try-drivers", "suffixcl build", "suffixcl plan",
		"suffixcl plan build", "suffixcl pangenome", "suffixcl plan pangenome"}
	var check func(c *cobra.Command)
	check = func(c *cobra.Command) {
		if c.HasParent() && !slices.Contains(neither, c.Name()) && !slices.Contains(neither, c.CommandPath()) {
			if !slices.Contains(always, c.Name()) {
				assert.NotNil(t, c.Flags().Lookup("json"), c.CommandPath())
			}
			if !slices.Contains(noProgress, c.Name()) {
				quiet := c.Flags().ShorthandLookup("q")
				if assert.NotNil(t, quiet, c.CommandPath()) {
					assert.Equal(t, "quiet", quiet.Name)
				}
			}
		}
		for _, verb := range c.Commands() {
			check(verb)
		}
	}
	check(Root())
}

// Each verb that reads queries from a file names it: of several files the first.
func TestQueryFile(t *testing.T) {
	clitest.NeedDevice(t)
	dir := t.TempDir()
	clitest.Put(t, dir, "text.fa", []byte(">text\nGATTACAGATTACA\n"))
	clitest.Put(t, dir, "reads.fa", []byte(">read\nATTAC\n"))
	clitest.Put(t, dir, "more.fa", []byte(">more\nTTACAG\n"))
	clitest.Put(t, dir, "lines", []byte("ATTAC\n"))
	clitest.Good(t, dir, "index", "text.fa", "--input", "fasta", "-o", "fmi", "-q")
	require.NoError(t, os.Mkdir(filepath.Join(dir, "index"), 0o777))
	clitest.Put(t, dir, "index/tokenized.0", []byte{255, 1, 2})
	clitest.Put(t, dir, "grams", []byte("1 2\n"))
	clitest.Good(t, dir, "tokens", "index", "--token", "u8", "-q")
	reads, lines := &report.QueryFile{File: "reads.fa", Format: "fasta"}, &report.QueryFile{File: "lines"}
	for line, want := range map[string]*report.QueryFile{
		"mems text.fa reads.fa more.fa -l 4": reads, "mems text.fa lines -l 4": lines,
		"match text.fa reads.fa": reads, "match text.fa lines": lines,
		"count fmi --patterns reads.fa": reads, "locate fmi --patterns lines": lines, "count fmi ATTAC": nil,
		"mums text.fa reads.fa -l 4":                   nil,
		"tokens count index --ngrams grams --token u8": {File: "grams"}, "tokens next index 1 --token u8": nil,
		"passages fmi reads.fa more.fa --input fasta": reads, "passages fmi lines": lines,
	} {
		var r report.Report
		out := clitest.Good(t, dir, append(strings.Fields(line), "-o", "out", "--json")...).Out
		require.NoError(t, json.Unmarshal([]byte(out), &r), line)
		assert.Equal(t, want, r.QueryFile, line)
	}
}

// paths notes the paths of a value's fields, and which are null.
func paths(value any, path string, present map[string]bool) {
	switch v := value.(type) {
	case map[string]any:
		for name, inner := range v {
			if path != "" {
				name = path + "." + name
			}
			present[name] = true
			paths(inner, name, present)
		}
	case []any:
		for _, inner := range v {
			present[path+"[]"] = true
			paths(inner, path+"[]", present)
		}
	case nil:
		present[path+" is null"] = true
	}
}
