package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
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
	needDevice(t)
	dir := t.TempDir()
	text := prose(5000)
	put(t, dir, "text", text)
	put(t, dir, "text.gz", gzipped(t, text))
	good(t, dir, "index", "text.gz", "-o", "text.fmi", "--sample", "5", "-q")
	list := []string{"the", "e", "zebra\\", "", "line 49 of 0", "\t", strings.Repeat("x", 6000)}
	var counts, places, found strings.Builder
	for _, p := range list {
		name := escapeTSV.Replace(p)
		at := occurrences(string(text), p)
		fmt.Fprintf(&counts, "%s\t%d\n", name, len(at))
		for _, i := range at {
			fmt.Fprintf(&places, "%s\t%d\n", name, i)
		}
		found.WriteString(p + "\r\n")
	}
	put(t, dir, "lines.xz", xzipped(t, []byte(found.String())))
	require.Equal(t, counts.String(), good(t, dir, append([]string{"count", "text.fmi", "--"}, list...)...).out)
	require.Equal(t, counts.String(), good(t, dir, "count", "text.fmi", "--patterns", "lines.xz").out)
	require.Equal(t, places.String(), good(t, dir, "locate", "text.fmi", "--patterns", "lines.xz").out)
	require.Equal(t, places.String(), good(t, dir, "match", "text", "lines.xz").out)
	good(t, dir, "sa", "text", "-o", "text.sa", "-q")
	require.Equal(t, places.String(), good(t, dir, "match", "text", "lines.xz", "--sa", "text.sa").out)

	var report struct {
		Queries     int
		Occurrences int
		Bytes       int
	}
	r := good(t, dir, "count", "text.fmi", "e", "--json")
	require.NoError(t, json.Unmarshal([]byte(r.errors), &report), r.errors)
	require.Equal(t, 1, report.Queries)
	require.Equal(t, bytes.Count(text, []byte("e")), report.Occurrences)
}

func TestRecords(t *testing.T) {
	needDevice(t)
	dir := t.TempDir()
	put(t, dir, "ref.fa", []byte(reference))
	put(t, dir, "q.fa", []byte(">q1\nGATTACA\n>q2 y\ntgtaauc\n>q3\nANA\n>\nACGGATTACA\n>none\n"))
	good(t, dir, "index", "ref.fa", "--input", "fasta", "--dna", "-o", "ref.fmi", "-q")
	require.Equal(t, "q1\tr1:6\nq1\t#2:0\n", good(t, dir, "locate", "ref.fmi", "--patterns", "q.fa").out)
	require.Equal(t, "q1\t2\nq2\t0\nq3\t0\n#4\t0\nnone\t0\n", good(t, dir, "count", "ref.fmi", "--patterns", "q.fa").out)
	require.Equal(t, "acg\t2\nN\t0\n", good(t, dir, "count", "ref.fmi", "acg", "N").out)
	require.Equal(t, "q1\tr1:6\t+\nq1\t#2:0\t+\nq2\tr1:6\t-\nq2\t#2:0\t-\n", good(t, dir, "match", "ref.fa", "q.fa", "--input", "auto", "--dna", "--both").out)
	// Without --dna bytes are compared as they are.
	put(t, dir, "lines", []byte("nnn\nacg\nA\\nG\n"))
	require.Equal(t, "nnn\tr1:13\n", good(t, dir, "match", "ref.fa", "lines", "--input", "fasta").out)
	// A plain text is folded as sequences are.
	put(t, dir, "plain", []byte("acgu\xe4ACGT"))
	put(t, dir, "q", []byte("ACGT\n"))
	require.Equal(t, "ACGT\t0\nACGT\t5\n", good(t, dir, "match", "plain", "q", "--dna").out)
}

func TestSearchErrors(t *testing.T) {
	needDevice(t)
	dir := t.TempDir()
	put(t, dir, "text", []byte("banana"))
	put(t, dir, "empty", nil)
	put(t, dir, "binary.fa", []byte(">a\nAC\x00GT\n"))
	good(t, dir, "index", "text", "-o", "text.fmi", "--sample", "0", "-q")
	good(t, dir, "index", "empty", "-o", "empty.fmi", "-q")
	require.Equal(t, "a\t0\n", good(t, dir, "count", "empty.fmi", "a").out)
	require.Empty(t, good(t, dir, "match", "text", "empty").out)
	index := get(t, dir, "text.fmi")
	put(t, dir, "cut.fmi", index[:len(index)-1])
	put(t, dir, "longer.fmi", append(index[:len(index):len(index)], 0))
	changed := bytes.Clone(index)
	changed[len(changed)/2] ^= 4
	put(t, dir, "changed.fmi", changed)
	version := bytes.Clone(index)
	version[8]++
	put(t, dir, "version.fmi", version)
	put(t, dir, "wrong.sa", make([]byte, 24))
	for _, c := range []struct {
		args []string
		code int
		why  string
	}{
		{[]string{"count", "text", "a"}, exitFailed, "does not begin like one"},
		{[]string{"count", "cut.fmi", "a"}, exitFailed, "cut off"},
		{[]string{"count", "longer.fmi", "a"}, exitFailed, "behind its end"},
		{[]string{"count", "changed.fmi", "a"}, exitFailed, "checksum"},
		{[]string{"count", "version.fmi", "a"}, exitFailed, "version 2"},
		{[]string{"locate", "text.fmi", "a"}, exitFailed, "no samples"},
		{[]string{"index", "binary.fa", "--input", "fasta", "-o", "x"}, exitFailed, "binary.fa:2:3"},
		{[]string{"match", "text", "binary.fa"}, exitFailed, "binary.fa:2:3"},
		{[]string{"match", "text", "none"}, exitFailed, "none"},
		{[]string{"match", "text", "empty", "--sa", "wrong.sa"}, exitVerify, "suffix array"},
		{[]string{"count", "text.fmi"}, exitUsage, "patterns are"},
		{[]string{"count", "text.fmi", "a", "--patterns", "empty"}, exitUsage, "patterns are"},
		{[]string{"match", "text", "empty", "--both"}, exitUsage, "--dna"},
		{[]string{"match", "-", "-"}, exitUsage, "standard input"},
		{[]string{"index", "text", "-o", "x", "--sample", "-1"}, exitUsage, "--sample"},
		{[]string{"index", "text", "-o", "x", "--max-mem", "1K"}, exitMemory, ""},
	} {
		r := suffixclIn(t, dir, c.args...)
		require.Equal(t, c.code, r.code, "%v: %s", c.args, r.errors)
		require.Contains(t, r.errors, c.why, "%v", c.args)
	}
	_, err := os.Stat(filepath.Join(dir, "x"))
	require.ErrorIs(t, err, os.ErrNotExist)
}
