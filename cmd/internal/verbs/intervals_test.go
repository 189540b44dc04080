package verbs

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/suffixcl/suffixcl/internal/cli"
	"github.com/suffixcl/suffixcl/internal/cli/clitest"
)

func TestIntervals(t *testing.T) {
	clitest.NeedDevice(t)
	dir := t.TempDir()
	clitest.Put(t, dir, "text", []byte("mississippi"))
	good := func(args ...string) string {
		return clitest.Good(t, dir, append([]string{"intervals"}, args...)...).Out
	}
	assert.Equal(t, "1\t4\t1\t10\ti\n4\t2\t1\t4\tissi\n1\t2\t1\t9\tp\n2\t2\t1\t6\tsi\n1\t4\t1\t6\ts\n3\t2\t1\t5\tssi\n",
		good("text"))
	assert.Equal(t, "1\t4\t1\t10\ti\n4\t2\t1\t4\tissi\n1\t2\t1\t9\tp\n1\t4\t1\t6\ts\n", good("text", "--maximal"))
	assert.Equal(t, "4\t2\t1\t4\tissi\n1\t2\t1\t9\tp\n", good("text", "--supermaximal"))
	assert.Equal(t, "4\t2\t1\t4\tis\n3\t2\t1\t5\tss\n", good("text", "--top", "2", "--by", "area", "--max-text", "2"))
	assert.Equal(t, "2\t2\t1\t6\tsi\n", good("text", "--min-depth", "2", "--max-depth", "2"))
	assert.Equal(t, "0\t11\t1\t10\t\n", good("text", "--min-depth", "0", "--min-count", "5"))

	clitest.Put(t, dir, "lines", []byte("a\tb\\c\r\n\nxa\tb\\\na\tb\xff\n"))
	assert.Equal(t, "4\t2\t2\t#3\t1\ta\\tb\\\\\n3\t3\t3\t#3\t1\ta\\tb\n", good("lines", "--lines", "--maximal"))
	assert.Equal(t, "2\t4\t2\t2\t#3\t1\ta\\tb\\\\\n3\t3\t3\t3\t#3\t1\ta\\tb\n", good("lines", "--lines", "--common"))
	clitest.Put(t, dir, "bytes", []byte("\xfe\x01\xfe\x01"))
	assert.Equal(t, "2\t2\t1\t2\t\\xfe\\x01\n", good("bytes", "--maximal"))

	clitest.Put(t, dir, "fa", []byte(">a x\nACGTTTACG\n>b\nTTTACGGG\n"))
	assert.Equal(t, "6\t2\t2\ta\t3\tTTTACG\n", good("fa", "--min-documents", "2", "--most-each", "1", "--min-depth", "3",
		"--maximal"))
	for _, name := range []string{"none", "empty", "one"} {
		clitest.Put(t, dir, name, []byte(map[string]string{"none": "abcdef", "one": "a"}[name]))
		assert.Empty(t, good(name))
		assert.Empty(t, good(name, "--lines", "--common"))
	}

	for wrong, args := range map[string]string{
		"--lines makes":    "text --min-documents 2",
		"has no documents": "text --common",
		"--by needs":       "text --by area",
		"less than 0":      "text --min-depth -1",
		"1 or more":        "text --top 0",
		"a plain text":     "fa --lines --input fasta",
		"if any flags":     "text --common --top 3",
	} {
		r := clitest.Run(t, dir, append([]string{"intervals"}, strings.Fields(args)...)...)
		assert.Equal(t, cli.ExitUsage, r.Code, args)
		assert.Contains(t, r.Errors, wrong)
	}
	assert.Contains(t, clitest.Good(t, dir, "plan", "intervals", "text", "--maximal").Out, "intervals of text")
	assert.Contains(t, clitest.Good(t, dir, "plan", "intervals", "lines", "--lines").Out, "fits")
	r := clitest.Run(t, dir, "intervals", "text", "-o", "out", "--max-mem", "100")
	assert.Equal(t, cli.ExitMemory, r.Code)
	assert.NotContains(t, clitest.Files(t, dir), "out")
}
