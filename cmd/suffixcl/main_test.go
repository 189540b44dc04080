package main

import (
	"bytes"
	"compress/gzip"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"github.com/suffixcl/suffixcl/device"
	"github.com/ulikunitz/xz"
)

// The command is tested as people run it: built once, run as a child process.

var (
	program  string // the command
	noDevice error  // why there is no device, if there is none
)

func TestMain(m *testing.M) {
	dir, err := os.MkdirTemp("", "suffixcl-test-")
	if err != nil {
		panic(err)
	}
	os.Chmod(dir, 0o755) // some tests run the command as another user
	program = filepath.Join(dir, "suffixcl")
	if runtime.GOOS == "windows" {
		program += ".exe"
	}
	build := exec.Command("go", "build", "-o", program, ".")
	build.Env = append(os.Environ(), "CGO_ENABLED=0")
	build.Stderr = os.Stderr
	code := 1
	if err := build.Run(); err != nil {
		fmt.Fprintln(os.Stderr, "building the command:", err)
	} else {
		_, noDevice = device.List()
		code = m.Run()
	}
	os.RemoveAll(dir)
	os.Exit(code)
}

func needDevice(t *testing.T) {
	if noDevice != nil {
		if os.Getenv("REQUIRE_OPENCL") == "1" {
			t.Fatal(noDevice)
		}
		t.Skip(noDevice)
	}
}

// result of a run.
type result struct {
	code        int
	out, errors string
}

// command makes a run in dir.
func command(dir string, args ...string) *exec.Cmd {
	c := exec.Command(program, args...)
	c.Dir = dir
	return c
}

func finish(t *testing.T, c *exec.Cmd) result {
	t.Helper()
	var out, errs bytes.Buffer
	if c.Stdout == nil {
		c.Stdout = &out
	}
	c.Stderr = &errs
	err := c.Run()
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		t.Fatal(err)
	}
	return result{c.ProcessState.ExitCode(), out.String(), errs.String()}
}

func suffixclIn(t *testing.T, dir string, args ...string) result {
	t.Helper()
	return finish(t, command(dir, args...))
}

// good runs the command, which must succeed.
func good(t *testing.T, dir string, args ...string) result {
	t.Helper()
	r := suffixclIn(t, dir, args...)
	require.Equal(t, exitDone, r.code, "%v: %s", args, r.errors)
	return r
}

func put(t *testing.T, dir, name string, data []byte) string {
	t.Helper()
	require.NoError(t, os.WriteFile(filepath.Join(dir, name), data, 0o644))
	return name
}

func get(t *testing.T, dir, name string) []byte {
	t.Helper()
	data, err := os.ReadFile(filepath.Join(dir, name))
	require.NoError(t, err)
	return data
}

func files(t *testing.T, dir string) []string {
	t.Helper()
	entries, err := os.ReadDir(dir)
	require.NoError(t, err)
	names := []string{}
	for _, e := range entries {
		names = append(names, e.Name())
	}
	return names
}

// suffixArray is the obvious one.
func suffixArray(text []byte) []uint64 {
	sa := make([]uint64, len(text))
	for i := range sa {
		sa[i] = uint64(i)
	}
	slices.SortFunc(sa, func(a, b uint64) int { return bytes.Compare(text[a:], text[b:]) })
	return sa
}

func encode(sa []uint64, width int) []byte {
	file := []byte{}
	for _, v := range sa {
		file = append(file, binary.LittleEndian.AppendUint64(nil, v)[:width]...)
	}
	return file
}

// transform is the obvious Burrows-Wheeler transform.
func transform(text []byte) (rows []byte, primary int) {
	if len(text) == 0 {
		return rows, 0
	}
	rows = []byte{text[len(text)-1]}
	for i, p := range suffixArray(text) {
		if p == 0 {
			primary = i + 1
		} else {
			rows = append(rows, text[p-1])
		}
	}
	return rows, primary
}

func gzipped(t *testing.T, text []byte) []byte {
	var b bytes.Buffer
	w := gzip.NewWriter(&b)
	_, err := w.Write(text)
	require.NoError(t, err)
	require.NoError(t, w.Close())
	return b.Bytes()
}

func xzipped(t *testing.T, text []byte) []byte {
	var b bytes.Buffer
	w, err := xz.NewWriter(&b)
	require.NoError(t, err)
	_, err = w.Write(text)
	require.NoError(t, err)
	require.NoError(t, w.Close())
	return b.Bytes()
}

// prose is a text with repeats and all bytes.
func prose(n int) []byte {
	var b []byte
	for i := 0; len(b) < n; i++ {
		b = fmt.Appendf(b, "line %d of %d, %c\n", i*i%97, i/50, byte(i))
	}
	return b[:n]
}

func TestHelpAndVersion(t *testing.T) {
	dir := t.TempDir()
	assert.Contains(t, good(t, dir, "--help").out, "Exit codes")
	for _, verb := range []string{"devices", "sa", "lcp", "bwt", "unbwt", "index", "count", "locate", "match", "repeats", "verify", "plan", "bench", "tune", "version"} {
		r := good(t, dir, verb, "--help")
		assert.Contains(t, r.out, "suffixcl "+verb)
		assert.Empty(t, r.errors)
	}
	assert.Contains(t, good(t, dir, "version").out, runtime.Version())
	var v versionReport
	require.NoError(t, json.Unmarshal([]byte(good(t, dir, "version", "--json").out), &v))
	assert.Equal(t, runtime.GOARCH, v.Arch)
}

func TestUsage(t *testing.T) {
	dir := t.TempDir()
	put(t, dir, "text", []byte("banana"))
	put(t, dir, "sa", nil)
	for _, args := range [][]string{
		{},
		{"fly"},
		{"sa"},
		{"sa", "text"},
		{"sa", "text", "text", "-o", "out"},
		{"sa", "text", "-o", "out", "--wings"},
		{"sa", "text", "-o", "out", "--width", "3"},
		{"sa", "text", "-o", ""},
		{"sa", "text", "-o", "out", "--algorithm", "bogosort"},
		{"sa", "text", "-o", "out", "--max-mem", "much"},
		{"bwt", "text"},
		{"lcp", "text"},
		{"lcp", "text", "-o", "out", "--sa", ""},
		{"lcp", "-", "-o", "out", "--sa", "-"},
		{"lcp", "text", "-o", "out", "--sa", "sa", "--algorithm", "osipov"},
		{"unbwt", "text"},
		{"unbwt", "text", "-o", "out", "--primary", "-1"},
		{"unbwt", "text", "-o", "out", "--raw"},
		{"unbwt", "-", "-o", "out"},
		{"repeats"},
		{"repeats", "text", "--min-length", "-1"},
		{"repeats", "text", "--top", "0"},
		{"repeats", "text", "--format", "gff"},
		{"repeats", "text", "--plot", "out.pdf"},
		{"repeats", "text", "--plot", "out.png", "--bins", "0"},
		{"repeats", "text", "-o", ""},
		{"plan", "sa", "text", "--all"},
		{"verify", "text"},
		{"verify", "text", "sa", "--lcp", ""},
		{"verify", "text", "-", "--lcp", "-"},
		{"verify", "text", "sa", "--primary", "3"},
		{"verify", "text", "sa", "--bwt", ""},
		{"verify", "text", "sa", "--bwt", "-"},
		{"verify", "text", "sa", "--bwt", "sa", "--primary", "-1"},
		{"verify", "-", "-"},
		{"plan", "text"},
		{"plan", "fly", "text"},
		{"plan", "sa", "text", "--bwt"},
		{"plan", "bwt", "text", "--lcp"},
		{"plan", "unbwt", "text", "--input", "fasta"},
		{"sa", "text", "-o", "out", "--input", "genbank"},
		{"plan", "verify", "text", "--sa"},
		{"bench", "papers", "--figure", "11"},
		{"bench", "papers", "--repeats", "0"},
		{"bench", "papers", "--sizes", "32"},
		{"bench", "papers", "sa"}, // empty
		{"bench", "sort", "--algorithm", "bogo"},
		{"bench", "sort", "--runs", "0"},
		{"bench", "sort", "--synthetic", "genome"},
		{"devices", "text"},
		{"version", "text"},
	} {
		t.Run(strings.Join(args, " "), func(t *testing.T) {
			r := suffixclIn(t, dir, args...)
			assert.Equal(t, exitUsage, r.code)
			assert.Empty(t, r.out)
			assert.Equal(t, 1, strings.Count(r.errors, "\n"), r.errors)
			assert.True(t, strings.HasPrefix(r.errors, "suffixcl: "), r.errors)
			assert.Contains(t, r.errors, "--help)")
		})
	}
	assert.Equal(t, []string{"sa", "text"}, files(t, dir))
}

func TestNoDevice(t *testing.T) {
	dir := t.TempDir()
	put(t, dir, "text", []byte("banana"))
	put(t, dir, "sa", encode(suffixArray([]byte("banana")), 4))
	for _, args := range [][]string{
		{"sa", "text", "-o", "out"}, {"bwt", "text", "-o", "out"}, {"lcp", "text", "-o", "out"}, {"unbwt", "text", "-o", "out", "--primary", "1"}, {"verify", "text", "sa"}, {"plan", "sa", "text"}, {"devices"}, {"devices", "--json"},
	} {
		c := command(dir, args...)
		c.Env = append(os.Environ(), "SUFFIXCL_OPENCL_LIBRARY=/nonexistent")
		r := finish(t, c)
		assert.Equal(t, exitNoDevice, r.code, "%v", args)
		assert.Contains(t, r.errors, "/nonexistent")
		assert.Contains(t, r.errors, "install")
		if slices.Contains(args, "--json") {
			assert.JSONEq(t, `{"devices": []}`, r.out)
		} else {
			assert.Empty(t, r.out)
		}
	}
	assert.Equal(t, []string{"sa", "text"}, files(t, dir))

	needDevice(t)
	for _, selector := range []string{"9999", "no such device"} {
		r := suffixclIn(t, dir, "sa", "text", "-o", "out", "--device", selector)
		assert.Equal(t, exitNoDevice, r.code)
		assert.Contains(t, r.errors, selector)
		assert.Contains(t, r.errors, "0: ") // what there is
	}
}

func TestDevices(t *testing.T) {
	needDevice(t)
	dir := t.TempDir()
	r := good(t, dir, "devices", "--long")
	assert.Contains(t, r.out, "0: ")
	assert.Contains(t, r.out, "self-test         ok")
	assert.Contains(t, r.out, "cl_khr_")

	var list struct{ Devices []deviceReport }
	require.NoError(t, json.Unmarshal([]byte(good(t, dir, "devices", "--json", "--no-test").out), &list))
	require.NotEmpty(t, list.Devices)
	for i, d := range list.Devices {
		assert.Equal(t, i, d.Index)
		assert.NotEmpty(t, d.Name)
		assert.NotEmpty(t, d.Driver)
		assert.Zero(t, d.TestTime)
	}
}

func TestSuffixArray(t *testing.T) {
	needDevice(t)
	for name, text := range map[string][]byte{
		"empty": {}, "one byte": {0}, "two": {255, 255}, "banana": []byte("banana"), "prose": prose(5000),
	} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			put(t, dir, "text", text)
			for _, width := range []int{4, 5, 8} {
				w := fmt.Sprint(width)
				r := good(t, dir, "sa", "text", "-o", "sa"+w, "--width", w)
				assert.Empty(t, r.out)
				assert.Contains(t, r.errors, "device-resident")
				assert.Equal(t, 1, strings.Count(r.errors, "\n"))
				assert.True(t, bytes.Equal(encode(suffixArray(text), width), get(t, dir, "sa"+w)))
			}
			assert.Equal(t, []string{"sa4", "sa5", "sa8", "text"}, files(t, dir))
			r := good(t, dir, "verify", "text", "sa5", "--width", "5", "--quiet")
			assert.Contains(t, r.out, "OK: sa5 is the suffix array of text")
			assert.Empty(t, r.errors)
		})
	}
}

func TestChunks(t *testing.T) {
	// More than a chunk of reading and writing, at a width that does not divide it.
	if testing.Short() {
		t.Skip("sorts some MiB")
	}
	needDevice(t)
	dir := t.TempDir()
	text := prose(readChunk + 12345)
	for i, state := 0, uint32(1); i < len(text); i += 3 { // no long repeats
		state = state*1664525 + 1013904223
		text[i] = byte(state >> 24)
	}
	put(t, dir, "text", text)
	good(t, dir, "sa", "text", "-o", "sa", "--width", "5")
	c := command(dir, "verify", "-", "sa", "--width", "5")
	c.Stdin = bytes.NewReader(text)
	assert.Contains(t, finish(t, c).out, "OK: ")
}

func TestStandardStreams(t *testing.T) {
	needDevice(t)
	dir := t.TempDir()
	text := prose(1000)
	want := encode(suffixArray(text), 4)

	c := command(dir, "sa", "-", "-o", "-")
	c.Stdin = bytes.NewReader(text)
	r := finish(t, c)
	assert.Equal(t, exitDone, r.code, r.errors)
	assert.True(t, string(want) == r.out)

	// A file at standard input, begun already, gives its rest.
	put(t, dir, "text", append([]byte("skipped"), text...))
	f, err := os.Open(filepath.Join(dir, "text"))
	require.NoError(t, err)
	defer f.Close()
	_, err = io.ReadFull(f, make([]byte, len("skipped")))
	require.NoError(t, err)
	c = command(dir, "sa", "-", "-o", "-", "--json")
	c.Stdin = f
	r = finish(t, c)
	assert.True(t, string(want) == r.out)
	var report report
	require.NoError(t, json.Unmarshal([]byte(r.errors), &report)) // on standard error: the other is taken
	assert.Equal(t, len(text), report.Bytes)
	assert.Equal(t, "standard input", report.File)

	put(t, dir, "text", text)
	put(t, dir, "sa", want)
	c = command(dir, "verify", "text", "-")
	c.Stdin = bytes.NewReader(want)
	r = finish(t, c)
	assert.Equal(t, exitDone, r.code, r.errors)

	// bwt with standard output: the primary index moves to standard error.
	rows, primary := transform(text)
	r = good(t, dir, "bwt", "text", "-o", "-", "--quiet")
	assert.True(t, string(rows) == r.out)
	assert.Equal(t, fmt.Sprintf("suffixcl: primary index %d\n", primary), r.errors)
	assert.Equal(t, []string{"sa", "text"}, files(t, dir))
}

func TestBWT(t *testing.T) {
	needDevice(t)
	for name, text := range map[string][]byte{"empty": {}, "one byte": {7}, "prose": prose(3000)} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			put(t, dir, "text", text)
			rows, primary := transform(text)
			number := fmt.Sprintf("%d\n", primary)

			r := good(t, dir, "bwt", "text", "-o", "out")
			assert.Equal(t, number, r.out)
			assert.Equal(t, number, string(get(t, dir, "out.primary")))
			assert.True(t, bytes.Equal(rows, get(t, dir, "out")))
			assert.Equal(t, []string{"out", "out.primary", "text"}, files(t, dir))

			good(t, dir, "sa", "text", "-o", "sa", "--quiet")
			r = good(t, dir, "verify", "text", "sa", "--bwt", "out")
			assert.Contains(t, r.out, "OK: sa is the suffix array and out the Burrows-Wheeler transform of text")
			require.NoError(t, os.Remove(filepath.Join(dir, "out.primary")))
			r = suffixclIn(t, dir, "verify", "text", "sa", "--bwt", "out")
			assert.Equal(t, exitFailed, r.code)
			assert.Contains(t, r.errors, "out.primary")
			good(t, dir, "verify", "text", "sa", "--bwt", "out", "--primary", fmt.Sprint(primary))
		})
	}
}

// lcpArray is the obvious one.
func lcpArray(text []byte) []uint64 {
	sa := suffixArray(text)
	lengths := make([]uint64, len(sa))
	for i := 1; i < len(sa); i++ {
		a, b := text[sa[i-1]:], text[sa[i]:]
		for lengths[i] < uint64(min(len(a), len(b))) && a[lengths[i]] == b[lengths[i]] {
			lengths[i]++
		}
	}
	return lengths
}

func TestLCP(t *testing.T) {
	needDevice(t)
	for name, text := range map[string][]byte{"empty": {}, "one byte": {7}, "prose": prose(3000)} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			put(t, dir, "text", text)
			want := lcpArray(text)
			for _, width := range []int{4, 5, 8} {
				w := fmt.Sprint(width)
				put(t, dir, "sa", encode(suffixArray(text), width))
				r := good(t, dir, "lcp", "text", "-o", "lcp", "--width", w)
				assert.Empty(t, r.out)
				assert.True(t, bytes.Equal(encode(want, width), get(t, dir, "lcp")))
				good(t, dir, "lcp", "text", "-o", "of", "--width", w, "--sa", "sa")
				assert.True(t, bytes.Equal(encode(want, width), get(t, dir, "of")))
				r = good(t, dir, "verify", "text", "sa", "--lcp", "lcp", "--width", w)
				assert.Contains(t, r.out, "OK: sa is the suffix array and lcp the LCP array of text")
			}
			rows, primary := transform(text)
			put(t, dir, "bwt", rows)
			r := good(t, dir, "verify", "text", "sa", "--lcp", "lcp", "--width", "8", "--bwt", "bwt", "--primary", fmt.Sprint(primary))
			assert.Contains(t, r.out, "bwt the Burrows-Wheeler transform and lcp the LCP array")
			assert.Equal(t, []string{"bwt", "lcp", "of", "sa", "text"}, files(t, dir))
			if len(text) < 2 {
				return
			}
			for name, c := range map[string]struct {
				change func(a []uint64) []uint64
				want   string
			}{
				"entry": {func(a []uint64) []uint64 { a[77]++; return a }, "slot 77 holds"},
				"large": {func(a []uint64) []uint64 { a[78] |= 1 << 40; return a }, "slot 78 holds 10995116277"},
				"short": {func(a []uint64) []uint64 { return a[1:] }, "not the LCP array"},
			} {
				put(t, dir, "wrong", encode(c.change(slices.Clone(want)), 8))
				r = suffixclIn(t, dir, "verify", "text", "sa", "--lcp", "wrong", "--width", "8")
				assert.Equal(t, exitVerify, r.code, name)
				assert.Contains(t, r.errors, c.want)
			}
			r = suffixclIn(t, dir, "lcp", "text", "-o", "out", "--sa", "lcp", "--width", "8")
			assert.Equal(t, exitVerify, r.code, r.errors)
			assert.NotContains(t, files(t, dir), "out")
		})
	}
}

func TestUnBWT(t *testing.T) {
	needDevice(t)
	for name, text := range map[string][]byte{"empty": {}, "one byte": {7}, "prose": prose(3000)} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			rows, primary := transform(text)
			put(t, dir, "bwt", rows)
			put(t, dir, "bwt.primary", fmt.Appendln(nil, primary))
			r := good(t, dir, "unbwt", "bwt", "-o", "text")
			assert.Empty(t, r.out)
			assert.True(t, bytes.Equal(text, get(t, dir, "text")))
			c := command(dir, "unbwt", "-", "-o", "-", "--primary", fmt.Sprint(primary))
			c.Stdin = bytes.NewReader(rows)
			r = finish(t, c)
			assert.Equal(t, exitDone, r.code, r.errors)
			assert.True(t, string(text) == r.out)

			r = suffixclIn(t, dir, "unbwt", "bwt", "-o", "out", "--primary", fmt.Sprint(len(text)+1))
			assert.Equal(t, exitVerify, r.code)
			assert.Contains(t, r.errors, "has no primary index")
			require.NoError(t, os.Remove(filepath.Join(dir, "bwt.primary")))
			r = suffixclIn(t, dir, "unbwt", "bwt", "-o", "out")
			assert.Equal(t, exitFailed, r.code)
			assert.Contains(t, r.errors, "bwt.primary")
			assert.Equal(t, []string{"bwt", "text"}, files(t, dir))
		})
	}
	dir := t.TempDir()
	put(t, dir, "bwt", bytes.Repeat([]byte("a"), 1000))
	r := suffixclIn(t, dir, "unbwt", "bwt", "-o", "out", "--primary", "500")
	assert.Equal(t, exitVerify, r.code)
	assert.Contains(t, r.errors, "that of no text")
	// It may look like an archive.
	put(t, dir, "gz", gzipped(t, nil))
	r = suffixclIn(t, dir, "unbwt", "gz", "-o", "out", "--primary", "1")
	assert.NotContains(t, r.errors, "decompressing")
	assert.Equal(t, []string{"bwt", "gz"}, files(t, dir))
}

func TestCompressed(t *testing.T) {
	needDevice(t)
	dir := t.TempDir()
	text := prose(20000)
	want := encode(suffixArray(text), 4)
	gz, xzFile := gzipped(t, text), xzipped(t, text)
	put(t, dir, "text.gz", gz)
	put(t, dir, "text.xz", xzFile)
	put(t, dir, "two.gz", append(gzipped(t, text[:777]), gzipped(t, text[777:])...))
	for name, compression := range map[string]string{"text.gz": "gzip", "text.xz": "xz", "two.gz": "gzip"} {
		r := good(t, dir, "sa", name, "-o", "sa", "--json")
		var report report
		require.NoError(t, json.Unmarshal([]byte(r.out), &report))
		assert.Equal(t, compression, report.Compression)
		assert.Equal(t, len(text), report.Bytes)
		assert.True(t, bytes.Equal(want, get(t, dir, "sa")))

		assert.Contains(t, good(t, dir, "plan", "sa", name).out, "20000 bytes")
	}
	// Empty texts.
	put(t, dir, "empty.gz", gzipped(t, nil))
	good(t, dir, "sa", "empty.gz", "-o", "empty")
	assert.Empty(t, get(t, dir, "empty"))

	// As it is.
	good(t, dir, "sa", "text.gz", "-o", "sa", "--raw")
	assert.True(t, bytes.Equal(encode(suffixArray(gz), 4), get(t, dir, "sa")))

	// Plain texts that start alike.
	for i, plain := range [][]byte{
		{0x1f}, {0x1f, 0x8b}, {0x1f, 0x8b, 8}, []byte("\x1f\x8bplain text"), []byte("\x1f\x8b\x08\xff plain text"),
		[]byte("\xfd7zXZ\x00"), []byte("\xfd7zXZ\x00 plain text"),
	} {
		put(t, dir, "plain", plain)
		r := good(t, dir, "sa", "plain", "-o", "sa")
		assert.Equal(t, encode(suffixArray(plain), 4), get(t, dir, "sa"))
		assert.Equal(t, i > 0, strings.Contains(r.errors, "note: plain starts like"))
	}

	// Damaged ones.
	before := files(t, dir)
	middle := bytes.Clone(gz)
	middle[len(middle)/2] ^= 0xff
	badXZ := bytes.Clone(xzFile)
	badXZ[len(badXZ)/2] ^= 0xff
	for name, data := range map[string][]byte{
		"middle.gz": middle, "cut.gz": gz[:len(gz)-20], "header.gz": gz[:10], "tail.gz": append(bytes.Clone(gz), "garbage behind"...),
		"middle.xz": badXZ, "cut.xz": xzFile[:len(xzFile)/2],
	} {
		put(t, dir, name, data)
		for _, args := range [][]string{{"sa", name, "-o", "out"}, {"plan", "sa", name}} {
			r := suffixclIn(t, dir, args...)
			assert.Equal(t, exitFailed, r.code, "%v: %s", args, r.errors)
			assert.Contains(t, r.errors, name)
			assert.Regexp(t, `decompressing .* at byte \d+`, r.errors)
		}
		require.NoError(t, os.Remove(filepath.Join(dir, name)))
	}
	assert.Equal(t, before, files(t, dir))
}

func TestSequences(t *testing.T) {
	needDevice(t)
	dir := t.TempDir()
	text := []byte("ACGTNNacgtTTT")
	put(t, dir, "fa", []byte(">a b\r\nACGTNN\r\nacgt\r\n>c\r\nTTT"))
	put(t, dir, "fq.gz", gzipped(t, []byte("@a\nACGTNNacgt\n+\n!!!!!!!!!!\n@c\nTTT\n+\n!!!\n")))
	for name, format := range map[string]string{"fa": "fasta", "fq.gz": "fastq"} {
		for _, input := range []string{format, "auto"} {
			var report report
			r := good(t, dir, "sa", name, "-o", "sa", "--input", input, "--json")
			require.NoError(t, json.Unmarshal([]byte(r.out), &report))
			assert.Equal(t, format, report.Format)
			assert.Equal(t, len(text), report.Bytes)
			assert.Equal(t, encode(suffixArray(text), 4), get(t, dir, "sa"))
		}
		assert.Contains(t, good(t, dir, "verify", name, "sa", "--input", "auto").out, "OK: ")
		assert.Contains(t, good(t, dir, "plan", "sa", name, "--input", "auto").out, "13 bytes")
	}
	put(t, dir, "text", []byte("no sequences\n"))
	good(t, dir, "sa", "text", "-o", "sa", "--input", "auto")
	assert.Equal(t, encode(suffixArray([]byte("no sequences\n")), 4), get(t, dir, "sa"))
	good(t, dir, "sa", "fa", "-o", "sa")
	assert.Equal(t, encode(suffixArray(get(t, dir, "fa")), 4), get(t, dir, "sa"))

	before := files(t, dir)
	put(t, dir, "bad", []byte(">a\nAC\nA\x00\n"))
	for _, args := range [][]string{{"sa", "bad", "-o", "out"}, {"plan", "sa", "bad"}} {
		r := suffixclIn(t, dir, append(args, "--input", "fasta")...)
		assert.Equal(t, exitFailed, r.code)
		assert.Equal(t, "suffixcl: bad:3:2: byte 0x00 in sequence \"a\"\n", r.errors)
	}
	require.NoError(t, os.Remove(filepath.Join(dir, "bad")))
	put(t, dir, "cut.gz", get(t, dir, "fq.gz")[:40])
	r := suffixclIn(t, dir, "sa", "cut.gz", "-o", "out", "--input", "auto")
	assert.Equal(t, exitFailed, r.code)
	assert.Contains(t, r.errors, "decompressing cut.gz (gzip) at byte 40")
	require.NoError(t, os.Remove(filepath.Join(dir, "cut.gz")))
	assert.Equal(t, before, files(t, dir))
}

func TestInputErrors(t *testing.T) {
	dir := t.TempDir()
	put(t, dir, "text", []byte("banana"))
	put(t, dir, "sa", encode(suffixArray([]byte("banana")), 4))
	require.NoError(t, os.Mkdir(filepath.Join(dir, "folder"), 0o755))
	cases := [][]string{
		{"sa", "missing", "-o", "out"},
		{"bwt", "missing", "-o", "out"},
		{"lcp", "missing", "-o", "out"},
		{"unbwt", "missing", "-o", "out"},
		{"unbwt", "missing", "-o", "out", "--primary", "1"},
		{"verify", "missing", "sa"},
		{"plan", "sa", "missing"},
		{"sa", "folder", "-o", "out"},
		{"verify", "text", "sa", "--bwt", "missing"},
	}
	if noDevice == nil {
		cases = append(cases, []string{"verify", "text", "missing"}, []string{"verify", "text", "folder"},
			[]string{"verify", "text", "sa", "--bwt", "missing", "--primary", "4"})
	}
	for _, args := range cases {
		r := suffixclIn(t, dir, args...)
		assert.Equal(t, exitFailed, r.code, "%v: %s", args, r.errors)
		assert.Regexp(t, "missing|folder: it is a directory", r.errors)
		assert.Equal(t, 1, strings.Count(r.errors, "\n"), r.errors)
	}
	put(t, dir, "text.primary", []byte("four"))
	r := suffixclIn(t, dir, "verify", "text", "sa", "--bwt", "text")
	assert.Equal(t, exitFailed, r.code)
	assert.Contains(t, r.errors, "text.primary")
}

func TestOutputErrors(t *testing.T) {
	dir := t.TempDir()
	put(t, dir, "text", []byte("banana"))
	for _, folder := range []string{"folder", "out.primary"} {
		require.NoError(t, os.Mkdir(filepath.Join(dir, folder), 0o755))
	}
	before := files(t, dir)
	for _, out := range []string{"folder", "new/", "missing/out", "text/out"} {
		// Seen before a device is looked for.
		c := command(dir, "sa", "text", "-o", out)
		c.Env = append(os.Environ(), "SUFFIXCL_OPENCL_LIBRARY=/nonexistent")
		r := finish(t, c)
		assert.Equal(t, exitFailed, r.code, out)
		assert.Contains(t, r.errors, "cannot write "+out)
	}
	r := suffixclIn(t, dir, "bwt", "text", "-o", "out")
	assert.Equal(t, exitFailed, r.code)
	assert.Contains(t, r.errors, "cannot write out.primary: it is a directory")
	assert.Equal(t, before, files(t, dir))
}

func TestOutputReplaces(t *testing.T) {
	needDevice(t)
	dir := t.TempDir()
	text := []byte("mississippi")
	want := encode(suffixArray(text), 4)

	// A file that is there, with its permissions.
	put(t, dir, "text", text)
	put(t, dir, "sa", bytes.Repeat([]byte("old"), 1000))
	require.NoError(t, os.Chmod(filepath.Join(dir, "sa"), 0o600))
	good(t, dir, "sa", "text", "-o", "sa")
	assert.Equal(t, want, get(t, dir, "sa"))
	if runtime.GOOS != "windows" {
		info, err := os.Stat(filepath.Join(dir, "sa"))
		require.NoError(t, err)
		assert.Equal(t, os.FileMode(0o600), info.Mode())

		// Through a link, which stays one.
		require.NoError(t, os.Mkdir(filepath.Join(dir, "folder"), 0o755))
		put(t, dir, "folder/target", nil)
		require.NoError(t, os.Symlink("folder/target", filepath.Join(dir, "link")))
		good(t, dir, "sa", "text", "-o", "link")
		assert.Equal(t, want, get(t, dir, "folder/target"))
		assert.Equal(t, []string{"target"}, files(t, filepath.Join(dir, "folder")))
	}

	// The text itself.
	good(t, dir, "sa", "text", "-o", "text")
	assert.Equal(t, want, get(t, dir, "text"))
}

func TestMemory(t *testing.T) {
	needDevice(t)
	dir := t.TempDir()
	put(t, dir, "text", prose(10000))
	put(t, dir, "sa", encode(suffixArray(prose(10000)), 4))
	for _, args := range [][]string{
		{"sa", "text", "-o", "out"}, {"bwt", "text", "-o", "out"}, {"verify", "text", "sa"},
		{"lcp", "text", "-o", "out"}, {"lcp", "text", "-o", "out", "--sa", "sa"}, {"unbwt", "text", "-o", "out", "--primary", "1"},
	} {
		r := suffixclIn(t, dir, append(args, "--max-mem", "20K")...)
		assert.Equal(t, exitMemory, r.code, "%v: %s", args, r.errors)
		assert.Regexp(t, `needs .*\d+ bytes.* memory limit is .*20480 bytes`, r.errors)
		assert.Empty(t, r.out)
	}
	// From a pipe of unknown length.
	c := command(dir, "sa", "-", "-o", "out", "--max-mem", "20K")
	c.Stdin = bytes.NewReader(prose(10000))
	assert.Equal(t, exitMemory, finish(t, c).code)
	assert.Equal(t, []string{"sa", "text"}, files(t, dir))
}

func TestPlan(t *testing.T) {
	needDevice(t)
	dir := t.TempDir()
	put(t, dir, "text", prose(10000))
	put(t, dir, "empty", nil)
	for _, verb := range []string{"sa", "lcp", "bwt", "unbwt", "verify"} {
		r := good(t, dir, "plan", verb, "text")
		assert.Contains(t, r.out, "peak")
		assert.Contains(t, r.out, "\nfits\n")
		assert.Empty(t, r.errors)
		good(t, dir, "plan", verb, "empty")

		r = suffixclIn(t, dir, "plan", verb, "text", "--max-mem", "10000")
		assert.Equal(t, exitMemory, r.code)
		assert.Contains(t, r.out, "does not fit: ")
		assert.Contains(t, r.errors, "10000 bytes")

		r = suffixclIn(t, dir, "plan", verb, "text", "--max-mem", "10000", "--json")
		assert.Equal(t, exitMemory, r.code)
		var p planReport
		require.NoError(t, json.Unmarshal([]byte(r.out), &p))
		assert.False(t, p.Fits)
		assert.EqualValues(t, 10000, p.Bytes)
		assert.EqualValues(t, 10000, p.Limit.Device)
		assert.Equal(t, p.Peak.Device, slices.MaxFunc(p.Phases, func(a, b planPhase) int { return int(a.Device - b.Device) }).Device)
	}
	// The plan is what happens.
	var p planReport
	require.NoError(t, json.Unmarshal([]byte(good(t, dir, "plan", "bwt", "text", "--json").out), &p))
	var r report
	require.NoError(t, json.Unmarshal([]byte(good(t, dir, "bwt", "text", "-o", "out", "--json").out), &r))
	assert.Equal(t, p.Peak.Device, r.PeakBytes)

	// Far too long, and not read: a sparse file.
	f, err := os.Create(filepath.Join(dir, "long"))
	require.NoError(t, err)
	defer f.Close()
	if err := f.Truncate(1 << 34); err != nil {
		t.Skip(err)
	}
	for _, verb := range []string{"sa", "lcp", "bwt", "unbwt", "verify"} {
		assert.Equal(t, exitMemory, suffixclIn(t, dir, "plan", verb, "long").code)
	}
	assert.Equal(t, exitMemory, suffixclIn(t, dir, "sa", "long", "-o", "out2").code)
}

func TestVerifyRejects(t *testing.T) {
	needDevice(t)
	dir := t.TempDir()
	text := prose(2000)
	right := suffixArray(text)
	rows, primary := transform(text)
	put(t, dir, "text", text)
	put(t, dir, "right", encode(right, 4))
	put(t, dir, "right.bwt", rows)
	put(t, dir, "right.bwt.primary", fmt.Appendln(nil, primary))
	good(t, dir, "verify", "text", "right", "--bwt", "right.bwt")

	damaged := func(f func(sa []uint64)) []uint64 {
		sa := slices.Clone(right)
		f(sa)
		return sa
	}
	swapped := encode(damaged(func(sa []uint64) { sa[500], sa[501] = sa[501], sa[500] }), 4)
	for name, c := range map[string]struct {
		file  []byte
		width string
		want  string
	}{
		"swapped":     {swapped, "4", "slot 50"},
		"twice":       {encode(damaged(func(sa []uint64) { sa[7] = sa[8] }), 4), "4", "slot"},
		"no position": {encode(damaged(func(sa []uint64) { sa[3] = 2000 }), 4), "4", "slot 3 is not a position"},
		"short":       {encode(right[1:], 4), "4", "7996 bytes.*8000"},
		"long":        {encode(append(slices.Clone(right), 0), 4), "4", "8004 bytes.*8000"},
		"odd":         {encode(right, 4)[1:], "4", "7999 bytes.*8000"},
		"empty":       {nil, "4", "0 bytes.*8000"},
		"other width": {encode(right, 4), "8", "8000 bytes.*16000"},
		"large 5":     {encode(damaged(func(sa []uint64) { sa[1234] |= 1 << 32 }), 5), "5", "slot 1234 holds 429496"},
		"large 8":     {encode(damaged(func(sa []uint64) { sa[1999] |= 1 << 63 }), 8), "8", "slot 1999 holds 92233720368547"},
	} {
		t.Run(name, func(t *testing.T) {
			put(t, dir, "wrong", c.file)
			r := suffixclIn(t, dir, "verify", "text", "wrong", "--width", c.width)
			assert.Equal(t, exitVerify, r.code, r.errors)
			assert.Regexp(t, c.want, r.errors)
			assert.Empty(t, r.out)

			pipe := command(dir, "verify", "text", "-", "--width", c.width, "-q")
			pipe.Stdin = bytes.NewReader(c.file)
			r = finish(t, pipe)
			assert.Equal(t, exitVerify, r.code, r.errors)
			assert.Equal(t, 1, strings.Count(r.errors, "\n"))
		})
	}
	for name, c := range map[string]struct {
		file    []byte
		primary int
		want    string
	}{
		"byte":    {append([]byte{rows[0] ^ 1}, rows[1:]...), primary, "differs at byte 0"},
		"primary": {rows, primary + 1, fmt.Sprintf("primary index %d instead of %d", primary+1, primary)},
		"short":   {rows[1:], primary, "1999 bytes.*2000"},
		"long":    {append(bytes.Clone(rows), 0), primary, "2001 bytes.*2000"},
	} {
		t.Run("bwt "+name, func(t *testing.T) {
			put(t, dir, "wrong.bwt", c.file)
			r := suffixclIn(t, dir, "verify", "text", "right", "--bwt", "wrong.bwt", "--primary", fmt.Sprint(c.primary))
			assert.Equal(t, exitVerify, r.code, r.errors)
			assert.Regexp(t, c.want, r.errors)
		})
	}
	put(t, dir, "wrong", swapped)
	r := suffixclIn(t, dir, "verify", "text", "wrong", "--json")
	assert.Equal(t, exitVerify, r.code)
	var report report
	require.NoError(t, json.Unmarshal([]byte(r.out), &report))
	require.NotNil(t, report.OK)
	assert.False(t, *report.OK)
	assert.Contains(t, report.Reason, "slot 50")
}

func TestReport(t *testing.T) {
	needDevice(t)
	dir := t.TempDir()
	put(t, dir, "text", prose(10000))
	r := good(t, dir, "bwt", "text", "-o", "out", "--json", "--profile")
	assert.Empty(t, r.errors)
	var report report
	require.NoError(t, json.Unmarshal([]byte(r.out), &report))
	_, primary := transform(prose(10000))
	require.NotNil(t, report.Primary)
	assert.Equal(t, primary, *report.Primary)
	assert.Equal(t, "bwt", report.Verb)
	assert.Equal(t, "text", report.File)
	assert.Equal(t, "out", report.Output)
	assert.Equal(t, 10000, report.Bytes)
	assert.NotEmpty(t, report.Device)
	assert.Positive(t, report.Seconds.Compute)
	assert.GreaterOrEqual(t, report.Seconds.Total, report.Seconds.Compute)
	assert.Positive(t, report.Rates.Device)
	assert.Positive(t, report.PeakBytes)
	require.NotEmpty(t, report.Profile)
	for _, k := range report.Profile {
		assert.NotEmpty(t, k.Kernel)
		assert.Positive(t, k.Calls)
	}

	require.Empty(t, report.Phases)
	r = good(t, dir, "sa", "text", "-o", "out", "--json", "--phases", "--algorithm", "skew")
	require.NoError(t, json.Unmarshal([]byte(r.out), &report))
	assert.Equal(t, "skew", report.Algorithm)
	var phases []string
	for _, p := range report.Phases {
		assert.Positive(t, p.Time)
		assert.Positive(t, p.Calls)
		phases = append(phases, p.Phase)
	}
	assert.Subset(t, phases, []string{"radix sort", "compute rank", "merge"})
	r = good(t, dir, "sa", "text", "-o", "out", "--phases", "--quiet", "--algorithm", "deo-keely")
	assert.Regexp(t, `phase +launches +ms +share`, r.errors)
	assert.NotContains(t, r.errors, "kernel")

	r = good(t, dir, "sa", "text", "-o", "out", "--profile", "--quiet", "--algorithm", "osipov")
	assert.Regexp(t, `phase +kernel +calls +ms +GB/s`, r.errors)
	assert.NotContains(t, r.errors, "suffixcl:")
	assert.Empty(t, good(t, dir, "sa", "text", "-o", "out", "--quiet").errors)
}
