package device_test

import (
	"archive/zip"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/suffixcl/suffixcl/cl"
	"github.com/suffixcl/suffixcl/device"
	"github.com/suffixcl/suffixcl/internal/driver"
	"github.com/suffixcl/suffixcl/internal/tuned"
)

const manifestName = "suffixcl-programs.json"

// unpack returns the files of an archive.
func unpack(t *testing.T, data []byte) map[string][]byte {
	archive, err := zip.NewReader(bytes.NewReader(data), int64(len(data)))
	require.NoError(t, err)
	files := make(map[string][]byte)
	for _, f := range archive.File {
		r, err := f.Open()
		require.NoError(t, err)
		files[f.Name], err = io.ReadAll(r)
		require.NoError(t, err)
	}
	return files
}

// put writes files to a directory.
func put(t *testing.T, dir string, files map[string][]byte) {
	for name, data := range files {
		path := filepath.Join(dir, filepath.FromSlash(name))
		require.NoError(t, os.MkdirAll(filepath.Dir(path), 0o755))
		require.NoError(t, os.WriteFile(path, data, 0o644))
	}
}

// pack writes an archive of files.
func pack(t *testing.T, path string, files map[string][]byte) string {
	var archive bytes.Buffer
	require.NoError(t, device.WriteArchive(t.Context(), &archive, files))
	require.NoError(t, os.WriteFile(path, archive.Bytes(), 0o644))
	return path
}

// edited is a manifest with another value of a field.
func edited(t *testing.T, files map[string][]byte, field string, value any) map[string][]byte {
	var m map[string]any
	require.NoError(t, json.Unmarshal(files[manifestName], &m))
	require.Contains(t, m, field)
	m[field] = value
	data, err := json.Marshal(m)
	require.NoError(t, err)
	other := map[string][]byte{manifestName: data}
	for name, file := range files {
		if name != manifestName {
			other[name] = file
		}
	}
	return other
}

// sumFrom runs a program of a session with a list of caches. It returns how often it was compiled and loaded, and what
// is told of the caches.
func sumFrom(t *testing.T, d *cl.Device, caches ...string) (builds [2]int, notes string) {
	s, err := device.Open(device.Config{Device: d, CacheDir: strings.Join(caches, string(filepath.ListSeparator))})
	require.NoError(t, err)
	defer s.Close()
	compiled, loaded := s.Builds()
	require.NoError(t, sumTo(s, 100))
	builds[0], builds[1] = s.Builds()
	return [2]int{builds[0] - compiled, builds[1] - loaded}, strings.Join(tuned.CacheNotes(s), "\n")
}

// An archive, and the directory where it is unpacked, have the programs that were built, for this device only.
func TestArchive(t *testing.T) {
	cached(t, func(t *testing.T, d *cl.Device) {
		t.Setenv("XDG_CACHE_HOME", t.TempDir())
		s := open(t, d, device.Config{CacheDir: t.TempDir()})
		require.NoError(t, sumTo(s, 100))
		var archive, again bytes.Buffer
		programs, err := tuned.Export(t.Context(), s, &archive)
		require.NoError(t, err)
		require.Positive(t, programs)
		_, err = tuned.Export(t.Context(), s, &again)
		require.NoError(t, err)
		assert.Equal(t, archive.Bytes(), again.Bytes(), "the same archive of the same programs")
		ended, end := context.WithCancel(t.Context())
		end()
		_, err = tuned.Export(ended, s, &again)
		require.ErrorIs(t, err, context.Canceled)

		dir := t.TempDir()
		path := filepath.Join(dir, "programs.zip")
		require.NoError(t, os.WriteFile(path, archive.Bytes(), 0o644))
		files := unpack(t, archive.Bytes())
		require.Len(t, files, programs+1)
		unpacked := t.TempDir()
		put(t, unpacked, files)
		compiled, loaded := [2]int{1, 0}, [2]int{0, 1}
		check := func(want [2]int, note string, caches ...string) {
			builds, notes := sumFrom(t, d, caches...)
			assert.Equal(t, want, builds, "%v: %s", caches, notes)
			if note == "" {
				assert.Empty(t, notes)
			} else {
				assert.Contains(t, notes, caches[0])
				assert.Contains(t, notes, note)
			}
		}
		check(loaded, "", path)
		check(loaded, "", unpacked)
		check(loaded, "", "off", path)
		check(compiled, "", "off")
		empty := filepath.Join(dir, "empty")
		check(loaded, "", empty, path)
		if s.Caps().Vendor == driver.NVIDIA { // keeps what the driver has made of PTX
			check(loaded, "", empty)
		} else {
			check(compiled, "", empty)
		}

		// What does not fit is left out.
		other := filepath.Join(dir, "other.zip")
		others := map[string]any{"kernels": "0123456789ab", "platform": "another", "format": 9}
		if s.Caps().Vendor == driver.NVIDIA { // PTX
			others["driver"], others["target"] = "9999.1", "sm_999"
		} else {
			others["device"], others["driver"] = "another", "1.2.3"
			others["platform_version"], others["opencl"] = "OpenCL 9.9", "OpenCL 9.9"
		}
		for field, value := range others {
			check(compiled, "is not used: ", pack(t, other, edited(t, files, field, value)), "off")
		}
		check(loaded, "is not used: ", other, path)

		// What is damaged is compiled.
		for i := range 8 {
			data := bytes.Clone(archive.Bytes())
			data[i*archive.Len()/8+i] ^= 0x40
			require.NoError(t, os.WriteFile(other, data, 0o644))
			builds, notes := sumFrom(t, d, other, "off")
			assert.Equal(t, 1, builds[0]+builds[1], notes)
		}
		require.NoError(t, os.WriteFile(other, archive.Bytes()[:archive.Len()/2], 0o644))
		check(compiled, "is no archive of programs", other, "off")
		broken := make(map[string][]byte)
		for name, data := range files {
			broken[name] = bytes.Clone(data)
			broken[name][len(data)-1] ^= 1
		}
		broken[manifestName] = files[manifestName]
		check(compiled, "its checksum is wrong", pack(t, other, broken), "off")
		for name := range broken {
			if key, ok := strings.CutSuffix(filepath.Base(name), ".clbin"); ok {
				broken[name] = append(device.Checksum(key, []byte("no program")), "no program"...)
			}
		}
		if s.Caps().Vendor == driver.PoCL { // others have not been asked
			check(compiled, "has a program that the driver refuses: scan.cl", pack(t, other, broken), "off")
		}
		broken[manifestName] = []byte("{")
		check(compiled, manifestName+" is damaged", pack(t, other, broken), "off")
		delete(broken, manifestName)
		check(compiled, "is no archive of programs", pack(t, other, broken), "off")

		// What others can write is not used, and what is not there is told.
		require.NoError(t, os.Chmod(path, 0o666))
		check(compiled, "others than root and this user can write it", path, "off")
		require.NoError(t, os.Chmod(unpacked, 0o777))
		check(compiled, "others than root and this user can write it", unpacked, "off")
		check(compiled, "there is no such file", filepath.Join(dir, "none.zip"), "off")
		assert.NoFileExists(t, filepath.Join(dir, "none.zip"))
	})
}

// ptx is a program of NVIDIA's driver, as it begins.
func ptx(target string) []byte {
	return []byte("//\n// Generated by NVIDIA NVVM Compiler\n//\n// Compiler Build ID: CL-36037853\n\n" +
		".version 8.8\n.target " + target + ", texmode_independent\n.address_size 64\n\n\t// .globl\tscan\n\x00")
}

func nvidia(arch, version string) device.Caps {
	return device.Caps{Name: "NVIDIA " + arch, Platform: "NVIDIA CUDA", Vendor: driver.NVIDIA, Arch: arch,
		DriverVersion: version}
}

// PTX is taken by its driver and newer ones, for its architecture and newer ones.
func TestPortable(t *testing.T) {
	assert.Equal(t, "sm_90", device.TargetOf(ptx("sm_90")))
	assert.Equal(t, "sm_100a", device.TargetOf(ptx("sm_100a")))
	for _, none := range []string{"", "\x7fELF", "// .version 8.8\n", ".target sm_90\n.version 8.8\n"} {
		assert.Empty(t, device.TargetOf([]byte(none)))
	}
	for _, c := range []struct {
		by, target, driver, arch string
		usable                   bool
	}{
		{"580.159.04", "sm_90", "580.159.04", "sm_90", true},
		{"580.159.04", "sm_90", "580.159.4", "sm_90", true},
		{"580.159.04", "sm_80", "580.159.04", "sm_90", true},
		{"580.159.04", "sm_90", "580.159.04", "sm_100", true},
		{"580.159.04", "sm_90", "590.1", "sm_120", true},
		{"580.159.04", "sm_90", "1000.1", "sm_90", true},
		{"580.159.04", "sm_90", "580.159.03", "sm_90", false},
		{"580.159.04", "sm_90", "580.159", "sm_90", false},
		{"580.159.04", "sm_90", "99.1", "sm_90", false},
		{"580.159.04", "sm_90", "580.159.04", "sm_89", false},
		{"580.159.04", "sm_100", "580.159.04", "sm_90", false},
		{"580.159.04", "sm_90a", "580.159.04", "sm_90", true},
		{"580.159.04", "sm_90a", "580.159.04", "sm_100", false},
		{"580.159.04", "sm_100f", "580.159.04", "sm_103", false},
		{"580.159.04", "sm_90", "580.159.04", "", false},
		{"580.159.04", "", "580.159.04", "sm_90", false},
		{"580.beta", "sm_90", "580.beta", "sm_90", true},
		{"580.beta", "sm_90", "580.1", "sm_90", false},
	} {
		caps := nvidia(c.arch, c.driver)
		assert.Equal(t, c.usable, device.ComparePTX(c.by, c.target, &caps) == nil, c)
	}
}

// A session finds the PTX of a program by its text, whatever the device, and the driver may be newer.
func TestPortableArchive(t *testing.T) {
	const text = "kernel void scan() {}"
	file := func(by, target string) map[string][]byte {
		key := device.PortableKey(nvidia("sm_90", by), text, 2)
		binary := append([]byte(by+"\n"), ptx(target)...)
		m, err := json.Marshal(map[string]any{"format": 1, "kernels": tuned.KernelDigest(), "platform": "NVIDIA CUDA",
			"device": "NVIDIA " + target, "driver": by, "target": target})
		require.NoError(t, err)
		return map[string][]byte{manifestName: m,
			"v2/" + key + ".clptx": append(device.Checksum(key, binary), binary...)}
	}
	path := filepath.Join(t.TempDir(), "programs.zip")
	pack(t, path, file("580.1", "sm_90"))
	for _, c := range []struct {
		arch, version, note string
	}{
		{"sm_90", "580.1", ""}, {"sm_90", "580.2", ""}, {"sm_100", "590.1", ""},
		{"sm_89", "580.1", "is not used: it is for sm_90, and this is sm_89"},
		{"sm_90", "570.9", "is not used: it is by driver 580.1, and this is the older 570.9"},
	} {
		caps := nvidia(c.arch, c.version)
		binary, notes := device.LoadPortable(caps, path, text, 2)
		assert.Equal(t, c.note == "", binary != nil, c)
		if c.note == "" {
			assert.Equal(t, ptx("sm_90"), binary)
			assert.Empty(t, notes)
			binary, _ = device.LoadPortable(caps, path, text+" ", 2)
			assert.Nil(t, binary, "another text")
			binary, _ = device.LoadPortable(caps, path, text, 0)
			assert.Nil(t, binary, "other options")
		} else {
			assert.Equal(t, []string{path + " " + c.note}, notes)
		}
	}
	amd := device.Caps{Name: "gfx90a", Platform: "AMD", Vendor: driver.AMD, Arch: "gfx90a", DriverVersion: "580.1"}
	binary, notes := device.LoadPortable(amd, path, text, 2)
	assert.Nil(t, binary)
	assert.Contains(t, fmt.Sprint(notes), "it is for NVIDIA sm_90 of NVIDIA CUDA, and this is gfx90a of AMD")

	// Files of two archives in one directory: each is judged on its own.
	dir := t.TempDir()
	put(t, dir, file("590.1", "sm_100"))
	put(t, dir, map[string][]byte{manifestName: file("580.1", "sm_90")[manifestName]})
	caps := nvidia("sm_90", "580.1")
	binary, notes = device.LoadPortable(caps, dir, text, 2)
	assert.Nil(t, binary)
	assert.Contains(t, fmt.Sprint(notes), "has a program that is not used")
}

// A helper assembles a binary that it is given, and compiles the text where the driver refuses it.
func TestHelperTakesBinary(t *testing.T) {
	cached(t, func(t *testing.T, d *cl.Device) {
		dir := t.TempDir()
		s := open(t, d, device.Config{CacheDir: dir})
		require.NoError(t, sumTo(s, 100))
		path := s.CachePath(scanSource(group))
		key := strings.TrimSuffix(filepath.Base(path), ".clbin")
		kept, err := os.ReadFile(path)
		require.NoError(t, err)
		text, err := tuned.Assemble(s.Caps(), scanSource(group))
		require.NoError(t, err)
		binaries := [][]byte{kept[32:], nil}
		if s.Caps().Platform != "rusticl" { // ends the process at a binary of an unknown version
			binaries = append(binaries, []byte("no program"))
		}
		for _, binary := range binaries {
			require.NoError(t, os.Remove(path))
			var in, out bytes.Buffer
			lines := json.NewEncoder(&in)
			require.NoError(t, lines.Encode(map[string]string{"identity": s.Identity(), "cache": dir}))
			require.NoError(t, lines.Encode(map[string]any{"key": key, "text": text, "binary": binary}))
			require.NoError(t, tuned.ServeBuilds(&in, &out))
			assert.Contains(t, out.String(), `{"key":"`+key+`"}`)
			builds, _ := sumFrom(t, d, dir)
			assert.Equal(t, [2]int{0, 1}, builds)
		}
	})
}
