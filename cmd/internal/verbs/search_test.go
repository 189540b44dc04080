package verbs

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/suffixcl/suffixcl/cmd/internal/formats/tsv"
	"github.com/suffixcl/suffixcl/internal/cli"
	"github.com/suffixcl/suffixcl/internal/cli/clitest"
)

const reference = ">r1 x\r\nACGTTTGATTACAnnnACG\r\n>\nGATTACA\n>empty\n"

// occurrences of a pattern in a text, by looking everywhere.
func occurrences(text, pattern string) (places []int) {
	for i := 0; pattern != "" && i+len(pattern) <= len(text); i++ {
		if text[i:i+len(pattern)] == pattern {
			places = append(places, i)
		}
	}
	return places
}

func TestIndexAndSearch(t *testing.T) {
	clitest.NeedDevice(t)
	dir := t.TempDir()
	text := clitest.Prose(5000)
	clitest.Put(t, dir, "text", text)
	clitest.Put(t, dir, "text.gz", gzipped(t, text))
	clitest.Good(t, dir, "index", "text.gz", "-o", "text.fmi", "--sample", "5", "-q")
	list := []string{"the", "e", "zebra\\", "", "line 49 of 0", "\t", strings.Repeat("x", 6000)}
	var counts, places, found strings.Builder
	for _, p := range list {
		name := tsv.Escape(p)
		at := occurrences(string(text), p)
		fmt.Fprintf(&counts, "%s\t%d\n", name, len(at))
		for _, i := range at {
			fmt.Fprintf(&places, "%s\t%d\n", name, i)
		}
		found.WriteString(p + "\r\n")
	}
	clitest.Put(t, dir, "lines.xz", xzipped(t, []byte(found.String())))
	require.Equal(t, counts.String(), clitest.Good(t, dir, append([]string{"count", "text.fmi", "--"}, list...)...).Out)
	require.Equal(t, counts.String(), clitest.Good(t, dir, "count", "text.fmi", "--patterns", "lines.xz").Out)
	require.Equal(t, places.String(), clitest.Good(t, dir, "locate", "text.fmi", "--patterns", "lines.xz").Out)
	require.Equal(t, places.String(), clitest.Good(t, dir, "match", "text", "lines.xz").Out)
	clitest.Good(t, dir, "sa", "text", "-o", "text.sa", "-q")
	require.Equal(t, places.String(), clitest.Good(t, dir, "match", "text", "lines.xz", "--sa", "text.sa").Out)

	var report struct {
		Queries     int
		Occurrences int
		Bytes       int
	}
	r := clitest.Good(t, dir, "count", "text.fmi", "e", "--json")
	require.NoError(t, json.Unmarshal([]byte(r.Errors), &report), r.Errors)
	require.Equal(t, 1, report.Queries)
	require.Equal(t, bytes.Count(text, []byte("e")), report.Occurrences)
}

func TestRecords(t *testing.T) {
	clitest.NeedDevice(t)
	dir := t.TempDir()
	clitest.Put(t, dir, "ref.fa", []byte(reference))
	clitest.Put(t, dir, "q.fa", []byte(">q1\nGATTACA\n>q2 y\ntgtaauc\n>q3\nANA\n>\nACGGATTACA\n>none\n"))
	clitest.Good(t, dir, "index", "ref.fa", "--input", "fasta", "--dna", "-o", "ref.fmi", "-q")
	require.Equal(t, "q1\tr1:6\nq1\t#2:0\n", clitest.Good(t, dir, "locate", "ref.fmi", "--patterns", "q.fa").Out)
	require.Equal(t, "q1\t2\nq2\t0\nq3\t0\n#4\t0\nnone\t0\n", clitest.Good(t, dir, "count", "ref.fmi", "--patterns",
		"q.fa").Out)
	require.Equal(t, "acg\t2\nN\t0\n", clitest.Good(t, dir, "count", "ref.fmi", "acg", "N").Out)
	require.Equal(t, "q1\tr1:6\t+\nq1\t#2:0\t+\nq2\tr1:6\t-\nq2\t#2:0\t-\n",
		clitest.Good(t, dir, "match", "ref.fa", "q.fa", "--input", "auto", "--dna", "--both").Out)
	// Without --dna bytes are compared as they are.
	clitest.Put(t, dir, "lines", []byte("nnn\nacg\nA\\nG\n"))
	require.Equal(t, "nnn\tr1:13\n", clitest.Good(t, dir, "match", "ref.fa", "lines", "--input", "fasta").Out)
	// A plain text is folded as sequences are.
	clitest.Put(t, dir, "plain", []byte("acgu\xe4ACGT"))
	clitest.Put(t, dir, "q", []byte("ACGT\n"))
	require.Equal(t, "ACGT\t0\nACGT\t5\n", clitest.Good(t, dir, "match", "plain", "q", "--dna").Out)
}

func TestSearchErrors(t *testing.T) {
	clitest.NeedDevice(t)
	dir := t.TempDir()
	clitest.Put(t, dir, "text", []byte("banana"))
	clitest.Put(t, dir, "empty", nil)
	clitest.Put(t, dir, "binary.fa", []byte(">a\nAC\x00GT\n"))
	clitest.Good(t, dir, "index", "text", "-o", "text.fmi", "--sample", "0", "-q")
	clitest.Good(t, dir, "index", "empty", "-o", "empty.fmi", "-q")
	require.Equal(t, "a\t0\n", clitest.Good(t, dir, "count", "empty.fmi", "a").Out)
	require.Empty(t, clitest.Good(t, dir, "match", "text", "empty").Out)
	index := clitest.Get(t, dir, "text.fmi")
	clitest.Put(t, dir, "cut.fmi", index[:len(index)-1])
	clitest.Put(t, dir, "longer.fmi", append(index[:len(index):len(index)], 0))
	changed := bytes.Clone(index)
	changed[len(changed)/2] ^= 4
	clitest.Put(t, dir, "changed.fmi", changed)
	version := bytes.Clone(index)
	version[8] = 9
	clitest.Put(t, dir, "version.fmi", version)
	clitest.Put(t, dir, "wrong.sa", make([]byte, 24))
	for _, c := range []struct {
		args []string
		code int
		why  string
	}{
		{[]string{"count", "text", "a"}, cli.ExitFailed, "does not begin like one"},
		{[]string{"count", "cut.fmi", "a"}, cli.ExitFailed, "cut off"},
		{[]string{"count", "longer.fmi", "a"}, cli.ExitFailed, "after its end"},
		{[]string{"count", "changed.fmi", "a"}, cli.ExitFailed, "checksum"},
		{[]string{"count", "version.fmi", "a"}, cli.ExitFailed, "version 9"},
		{[]string{"locate", "text.fmi", "a"}, cli.ExitFailed, "no samples"},
		{[]string{"index", "binary.fa", "--input", "fasta", "-o", "x"}, cli.ExitFailed, "binary.fa:2:3"},
		{[]string{"match", "text", "binary.fa"}, cli.ExitFailed, "binary.fa:2:3"},
		{[]string{"match", "text", "none"}, cli.ExitFailed, "none"},
		{[]string{"match", "text", "empty", "--sa", "wrong.sa"}, cli.ExitVerify, "suffix array"},
		{[]string{"count", "text.fmi"}, cli.ExitUsage, "patterns are"},
		{[]string{"count", "text.fmi", "a", "--patterns", "empty"}, cli.ExitUsage, "patterns are"},
		{[]string{"match", "text", "empty", "--both"}, cli.ExitUsage, "--dna"},
		{[]string{"match", "-", "-"}, cli.ExitUsage, "standard input"},
		{[]string{"index", "text", "-o", "x", "--sample", "-1"}, cli.ExitUsage, "--sample"},
		{[]string{"index", "text", "-o", "x", "--max-mem", "1K"}, cli.ExitMemory, ""},
	} {
		r := clitest.Run(t, dir, c.args...)
		require.Equal(t, c.code, r.Code, "%v: %s", c.args, r.Errors)
		require.Contains(t, r.Errors, c.why, "%v", c.args)
	}
	_, err := os.Stat(filepath.Join(dir, "x"))
	require.ErrorIs(t, err, os.ErrNotExist)
}
