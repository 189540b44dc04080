package device_test

import (
	"crypto/sha256"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"testing/fstest"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/suffixcl/suffixcl/cl"
	"github.com/suffixcl/suffixcl/device"
	"github.com/suffixcl/suffixcl/internal/driver"
	"github.com/suffixcl/suffixcl/internal/testkit/devicetest"
	"github.com/suffixcl/suffixcl/internal/tuned"
	"github.com/suffixcl/suffixcl/kernels"
)

func TestAssemble(t *testing.T) {
	caps := &device.Caps{SubgroupWidth: 32}
	text, err := tuned.Assemble(caps, device.Source{
		Files:   []string{"probe.cl", "scan.cl"},
		Defines: device.Defines{"WG": 64, "B": "x", "A": uint8(3)},
	})
	require.NoError(t, err)
	last := -1
	for _, part := range []string{
		`#line 1 "prologue"`, "#define SUBGROUP 32\n", `#line 1 "defines"`, "#define A 3\n#define B x\n#define WG 64\n",
		`#line 1 "common.cl"`, `#line 1 "probe.cl"`, `#line 1 "scan.cl"`,
	} {
		i := strings.Index(text, part)
		assert.Greater(t, i, last, "%q in its place", part)
		last = i
	}
	again, err := tuned.Assemble(caps, device.Source{
		Files:   []string{"probe.cl", "scan.cl"},
		Defines: device.Defines{"A": uint8(3), "B": "x", "WG": 64},
	})
	require.NoError(t, err)
	assert.Equal(t, text, again)

	_, err = tuned.Assemble(caps, device.Source{Files: []string{"none.cl"}})
	assert.ErrorContains(t, err, "none.cl")
}

// Files of an importer come before those of the library, which cannot be hidden from templates.
func TestOwnFiles(t *testing.T) {
	const own = "KERNEL_WG(WG) own(__global uint *p) { if (get_local_id(0) == 0) p[0] = VALUE; }"
	files := fstest.MapFS{
		"own.cl":  {Data: []byte(own)},
		"scan.cl": {Data: []byte("#define VALUE 17\n")},
		"bad.cl":  {Data: []byte("\n\nno_such_type x;\n")},
	}
	defines := device.Defines{"WG": group}
	source := func(names ...string) device.Source { return device.Source{FS: files, Files: names, Defines: defines} }
	text, err := tuned.Assemble(&device.Caps{}, tuned.Append(source("scan.cl", "text.cl"), "probe.cl", "scan.cl"))
	require.NoError(t, err)
	rest := text
	for _, part := range []string{
		"#line 1 \"common.cl\"\n//", "#line 1 \"scan.cl\"\n#define VALUE", "#line 1 \"text.cl\"\n//",
		"#line 1 \"probe.cl\"\n//", "#line 1 \"scan.cl\"\n// scan.cl",
	} {
		_, after, found := strings.Cut(rest, part)
		require.True(t, found, part)
		rest = after
	}
	_, err = tuned.Assemble(&device.Caps{}, source("none.cl"))
	assert.ErrorContains(t, err, "none.cl")
	sessions(t, func(t *testing.T, s *device.Session) {
		out := alloc[uint32](t, s, 1)
		for _, value := range []uint32{17, 18} { // the same name, but another program
			files["scan.cl"] = &fstest.MapFile{Data: fmt.Appendf(nil, "#define VALUE %d\n", value)}
			s.Program(source("scan.cl", "own.cl")).Kernel("own", group).Launch(1, 4, out)
			assert.Equal(t, []uint32{value}, read(t, out))
		}
		assert.Same(t, s.Program(source("scan.cl", "own.cl")), s.Program(source("scan.cl", "own.cl")))
		s.Program(source("bad.cl", "own.cl")).Kernel("own", group).Launch(1, 4, out)
		var build *cl.BuildError
		require.ErrorAs(t, s.Err(), &build)
		assert.Regexp(t, `bad\.cl:3:`, build.Log)
		assert.ErrorContains(t, s.Err(), "building bad.cl+own.cl")
		s.Recover()
	})
}

// TestBuildErrorNamesFileAndLine: the log is about the files, not the assembled text.
func TestBuildErrorNamesFileAndLine(t *testing.T) {
	const use = "DEFINE_WG_SCAN(wg_scan, T"
	file, err := kernels.FS.ReadFile("scan.cl")
	require.NoError(t, err)
	before, _, found := strings.Cut(string(file), use)
	require.True(t, found)
	line := strconv.Itoa(1 + strings.Count(before, "\n"))
	sessions(t, func(t *testing.T, s *device.Session) {
		src := scanSource(group)
		src.Defines["T"] = "no_such_type"
		s.Program(src).Kernel("scan_partials", group).Launch(1, 0)
		err := s.Err()
		var build *cl.BuildError
		require.ErrorAs(t, err, &build)
		assert.Regexp(t, regexp.MustCompile(`scan\.cl:`+line+`:`), build.Log)
		assert.Contains(t, build.Log, "no_such_type")
		assert.ErrorContains(t, err, "device: building scan.cl for "+s.Caps().Name)
		s.Recover()
		require.NoError(t, sumTo(s, 10))
	})
}

// TestInFiles: so it is with drivers that know lines of the whole text only.
func TestInFiles(t *testing.T) {
	text, err := tuned.Assemble(&device.Caps{}, scanSource(group))
	require.NoError(t, err)
	lines := strings.Split(text, "\n")
	const marker = `#line 1 "scan.cl"`
	first := slices.Index(lines, marker) + 2 // counting from 1, after the marker
	require.Greater(t, first, 1)
	for log, want := range map[string]string{
		"<kernel>:" + strconv.Itoa(first) + ":47: error: x\n":             "scan.cl:1:47: error: x\n",
		"input.cl:" + strconv.Itoa(first+9) + ":1: note: y, input.cl:2:3": "scan.cl:10:1: note: y, prologue:1:3",
		"scan.cl:7:1: z <kernel>:0:1 myinput.cl:9":                        "scan.cl:7:1: z <kernel>:0:1 myinput.cl:9",
		"<kernel>:99999999999999999999999:1":                              "<kernel>:99999999999999999999999:1",
		"":                                                                "",
	} {
		assert.Equal(t, want, device.InFiles(log, text))
	}
}

func TestMissingMacros(t *testing.T) {
	sessions(t, func(t *testing.T, s *device.Session) {
		for name, text := range map[string]string{
			"WG": "WG: work-items in a work-group", "ITEMS": "ITEMS: elements of a work-item", "INCLUSIVE": "INCLUSIVE: 1 or 0",
		} {
			src := scanSource(group)
			delete(src.Defines, name)
			_, err := s.Program(src).Build()
			var build *cl.BuildError
			require.ErrorAs(t, err, &build)
			assert.Contains(t, build.Log, text)
		}
		_, err := s.Program(device.Source{Files: []string{"none.cl"}}).Build()
		assert.ErrorContains(t, err, "none.cl")
	})
}

func TestProgramInMemory(t *testing.T) {
	sessions(t, func(t *testing.T, s *device.Session) {
		compiled, loaded := s.Builds()
		first := s.Program(scanSource(group))
		assert.Same(t, first, s.Program(scanSource(group)))
		other := s.Program(scanSource(4))
		assert.NotSame(t, first, other)
		compiled2, loaded2 := s.Builds()
		assert.Equal(t, compiled+loaded, compiled2+loaded2, "nothing is built before a launch")
		for range 2 {
			for _, p := range []*device.Program{first, other} {
				_, err := p.Build()
				require.NoError(t, err)
			}
			compiled2, loaded2 = s.Builds()
			assert.Equal(t, compiled+loaded+2, compiled2+loaded2)
		}
	})
}

// cacheRun opens a session with a program cache, uses a program and returns how
// often that program was compiled and loaded.
func cacheRun(t *testing.T, d *cl.Device, dir string) (compiled, loaded int) {
	s, err := device.Open(device.Config{Device: d, CacheDir: dir})
	require.NoError(t, err)
	c0, l0 := s.Builds() // what the probe built
	require.NoError(t, sumTo(s, 100))
	c1, l1 := s.Builds()
	require.NoError(t, s.Close())
	return c1 - c0, l1 - l0
}

func cachePath(t *testing.T, d *cl.Device, dir string) string {
	return open(t, d, device.Config{CacheDir: dir}).CachePath(scanSource(group))
}

// Compilations are told of, before and after; what comes from the disk is not compiled.
func TestOnBuild(t *testing.T) {
	cached(t, func(t *testing.T, d *cl.Device) {
		var told []string
		c := device.Config{Device: d, CacheDir: t.TempDir(), OnBuild: func(program string) func() {
			told = append(told, program)
			return func() { told = append(told, "built") }
		}}
		for _, want := range [][]string{{"scan.cl", "built"}, nil} {
			s, err := device.Open(c)
			require.NoError(t, err)
			told = nil // of the probe
			require.NoError(t, sumTo(s, 100))
			assert.Equal(t, want, told)
			require.NoError(t, s.Close())
		}
	})
}

// cached runs a test on every device whose programs are kept on disk.
func cached(t *testing.T, test func(t *testing.T, d *cl.Device)) {
	each(t, func(t *testing.T, d *cl.Device) {
		if c := tuned.Identify(d); c.Vendor == driver.Oclgrind {
			dir := t.TempDir()
			for range 2 {
				compiled, loaded := cacheRun(t, d, dir)
				require.Equal(t, [2]int{1, 0}, [2]int{compiled, loaded})
			}
			require.Empty(t, list(t, dir), "a simulator's programs are not kept on disk")
			return
		}
		test(t, d)
	})
}

func list(t *testing.T, dir string) []string {
	var files []string
	require.NoError(t, filepath.Walk(dir, func(path string, info os.FileInfo, err error) error {
		if err == nil && !info.IsDir() {
			files = append(files, path)
		}
		return err
	}))
	return files
}

// TestResident: the request is in the binary where there is one to put it into, and the
// kernel does the same.
func TestResident(t *testing.T) {
	sessions(t, func(t *testing.T, s *device.Session) {
		src := scanSource(group)
		src = tuned.WithResident(src, 2)
		p, err := s.Program(src).Build()
		require.NoError(t, err)
		if tuned.Quirks(s.Caps()).PTX {
			binary, err := p.Binary(tuned.CLDevice(s))
			require.NoError(t, err)
			assert.Contains(t, string(binary), ".minnctapersm 2")
		}
		k := s.Program(src).Kernel("scan_partials", group)
		b := from(t, s, []uint32{1, 2, 3, 0})
		k.Launch(1, 0, b, uint64(3))
		assert.Equal(t, []uint32{0, 1, 3, 6}, read(t, b))
	})
}

func TestProgramOnDisk(t *testing.T) {
	cached(t, func(t *testing.T, d *cl.Device) {
		dir := filepath.Join(t.TempDir(), "not", "there", "yet")
		compiled, loaded := cacheRun(t, d, dir)
		require.Equal(t, [2]int{1, 0}, [2]int{compiled, loaded}, "the first session compiles")
		path := cachePath(t, d, dir)
		require.FileExists(t, path)
		for _, file := range list(t, dir) {
			assert.Equal(t, ".clbin", filepath.Ext(file), "no temporary file is left")
		}
		compiled, loaded = cacheRun(t, d, dir)
		require.Equal(t, [2]int{0, 1}, [2]int{compiled, loaded}, "the second loads")

		// What is loaded is what runs: the binary of another program has no such kernel.
		other, err := device.Open(device.Config{Device: d, CacheDir: dir})
		require.NoError(t, err)
		defer other.Close()
		probe := device.Source{Files: []string{"probe.cl"}, Defines: device.Defines{"WG": 64}}
		_, err = other.Program(probe).Build()
		require.NoError(t, err)
		foreign, err := os.ReadFile(other.CachePath(probe))
		require.NoError(t, err)
		foreign = foreign[sha256.Size:]
		key := strings.TrimSuffix(filepath.Base(path), ".clbin")
		require.NoError(t, os.WriteFile(path, append(device.Checksum(key, foreign), foreign...), 0o644))
		s, err := device.Open(device.Config{Device: d, CacheDir: dir})
		require.NoError(t, err)
		defer s.Close()
		require.ErrorIs(t, sumTo(s, 100), invalidKernelName)
	})
}

func TestDamagedProgramOnDisk(t *testing.T) {
	cached(t, func(t *testing.T, d *cl.Device) {
		dir := t.TempDir()
		path := cachePath(t, d, dir)
		key := strings.TrimSuffix(filepath.Base(path), ".clbin")
		cacheRun(t, d, dir)
		good, err := os.ReadFile(path)
		require.NoError(t, err)
		flip := func(i int) []byte {
			data := slices.Clone(good)
			data[i] ^= 0x10
			return data
		}
		garbage := []byte(strings.Repeat("not a binary ", 100))
		other := scanSource(4)
		s := open(t, d, device.Config{CacheDir: dir})
		_, err = s.Program(other).Build()
		require.NoError(t, err)
		renamed, err := os.ReadFile(s.CachePath(other))
		require.NoError(t, err)
		damages := map[string][]byte{
			"empty":                     {},
			"checksum only":             good[:sha256.Size],
			"less than a checksum":      good[:7],
			"truncated by one":          good[:len(good)-1],
			"truncated to half":         good[:len(good)/2],
			"bit in the checksum":       flip(3),
			"first bit of the binary":   flip(sha256.Size),
			"bit in the binary":         flip(len(good) * 2 / 3),
			"last bit":                  flip(len(good) - 1),
			"longer":                    append(slices.Clone(good), 0),
			"another program's file":    renamed,
			"an old format's checksum":  append(sum256(good[sha256.Size:]), good[sha256.Size:]...),
			"no binary":                 garbage,
			"zeros":                     make([]byte, 1000),
			"no binary, valid checksum": append(device.Checksum(key, garbage), garbage...),
		}
		if s.Caps().Vendor == driver.Mesa {
			delete(damages, "no binary, valid checksum") // aborts the process
		}
		for name, data := range damages {
			require.NoError(t, os.WriteFile(path, data, 0o644))
			compiled, loaded := cacheRun(t, d, dir)
			require.Equal(t, [2]int{1, 0}, [2]int{compiled, loaded}, "%s: rebuilt", name)
			compiled, loaded = cacheRun(t, d, dir)
			require.Equal(t, [2]int{0, 1}, [2]int{compiled, loaded}, "%s: replaced", name)
		}
	})
}

func sum256(data []byte) []byte {
	sum := sha256.Sum256(data)
	return sum[:]
}

// TestProgramOfAnotherDriver: a binary is never offered to a driver that did not make it.
func TestProgramOfAnotherDriver(t *testing.T) {
	caps := device.Caps{Platform: "p", Name: "n", DriverVersion: "1"}
	key := device.CacheKey(caps, "v", "text")
	assert.Equal(t, key, device.CacheKey(caps, "v", "text"))
	for _, change := range []func(*device.Caps){
		func(c *device.Caps) { c.Platform = "q" },
		func(c *device.Caps) { c.Name = "m" },
		func(c *device.Caps) { c.DriverVersion = "2" },
		func(c *device.Caps) { c.SetOpenCLVersion("OpenCL 2.0") },
		func(c *device.Caps) { c.Name, c.DriverVersion = "n1", "" },
	} {
		other := caps
		change(&other)
		assert.NotEqual(t, key, device.CacheKey(other, "v", "text"))
	}
	assert.NotEqual(t, key, device.CacheKey(caps, "w", "text"))
	assert.NotEqual(t, key, device.CacheKey(caps, "v", "text2"))
}

// TestUnwritableCache: without a directory that can be written programs are compiled, and that is no error.
func TestUnwritableCache(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("the user's cache directory is found otherwise")
	}
	t.Setenv("XDG_CACHE_HOME", "")
	t.Setenv("HOME", "") // else the user's keeps them
	each(t, func(t *testing.T, d *cl.Device) {
		file := filepath.Join(t.TempDir(), "file")
		require.NoError(t, os.WriteFile(file, nil, 0o644))
		for _, dir := range []string{file, filepath.Join(file, "below"), "/dev/null/programs", "a\x00b"} {
			compiled, loaded := cacheRun(t, d, dir)
			assert.Equal(t, [2]int{1, 0}, [2]int{compiled, loaded})
		}
		// The file of the program cannot be replaced: it is a directory.
		dir := t.TempDir()
		path := cachePath(t, d, dir)
		require.NoError(t, os.MkdirAll(filepath.Join(path, "in the way"), 0o755))
		compiled, loaded := cacheRun(t, d, dir)
		assert.Equal(t, [2]int{1, 0}, [2]int{compiled, loaded})
		for _, file := range list(t, dir) {
			assert.NotEqual(t, ".tmp", filepath.Ext(file), "no temporary file is left")
		}
	})
}

func TestCacheDirectory(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("the user's cache directory is found otherwise")
	}
	each(t, func(t *testing.T, d *cl.Device) {
		home := t.TempDir()
		t.Setenv("SUFFIXCL_CACHE", "")
		t.Setenv("XDG_CACHE_HOME", home)
		ours := filepath.Join(home, "suffixcl")
		compiled, loaded := cacheRun(t, d, "off")
		assert.Equal(t, [2]int{1, 0}, [2]int{compiled, loaded})
		assert.NoDirExists(t, ours)
		cacheRun(t, d, "")
		switch tuned.Identify(d).Vendor {
		case driver.Oclgrind:
		case driver.PoCL:
			assert.NoDirExists(t, ours, "PoCL compiles twice what it is asked for")
		default:
			assert.NotEmpty(t, list(t, filepath.Join(ours, "programs")))
		}
		t.Setenv("XDG_CACHE_HOME", "")
		t.Setenv("HOME", "")
		compiled, loaded = cacheRun(t, d, "")
		assert.Equal(t, [2]int{1, 0}, [2]int{compiled, loaded}, "no home: nothing on disk")
	})
}

// TestSharedCache: sessions and processes that share a cache directory.
func TestSharedCache(t *testing.T) {
	for _, d := range devicetest.Devices(t) {
		dir := t.TempDir()
		a, b := open(t, d, device.Config{CacheDir: dir}), open(t, d, device.Config{CacheDir: dir})
		var group sync.WaitGroup
		var outputs [3]string
		var errs [3]error
		for j := range outputs {
			group.Go(func() {
				outputs[j], errs[j] = child(t, childBuild, cacheVariable+"="+dir, indexVariable+"="+indexOf(t, d))
			})
		}
		assert.NoError(t, sumTo(a, 50))
		assert.NoError(t, sumTo(b, 60))
		group.Wait()
		for j, err := range errs {
			assert.NoError(t, err, outputs[j])
		}
		if a.Caps().Vendor == driver.Oclgrind {
			continue
		}
		compiled, loaded := cacheRun(t, d, dir)
		assert.Equal(t, [2]int{0, 1}, [2]int{compiled, loaded})
	}
}
