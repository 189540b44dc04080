package tune

import (
	"io/fs"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

var key = Key{Device: "some card", Vendor: "amd", Kind: "gpu"}

func TestFileRoundTrip(t *testing.T) {
	name := filepath.Join(t.TempDir(), "below", "tuning.json")
	f := &File{Version: FileVersion}
	f.Put(Entry{
		Device:     "some card",
		Driver:     "1",
		Kind:       "gpu",
		Parameters: map[string]int{"Scan.WG": 128, "Scan.Items": 8},
	})
	f.Put(Entry{Device: "another", Driver: "1", Kind: "gpu", Parameters: map[string]int{"Scan.WG": 64}})
	f.Put(Entry{
		Device:     "some card",
		Driver:     "1",
		Kind:       "gpu",
		From:       "later",
		Parameters: map[string]int{"Scan.WG": 64, "Merge.Items": 7},
	})
	require.NoError(t, f.Write(name))
	got, err := ReadFile(name)
	require.NoError(t, err)
	assert.Equal(t, f, got)
	assert.Len(t, got.Devices, 2)
	set, err := Load(name, key, "1", devices["amd"])
	require.NoError(t, err)
	want := For(key)
	want.Scan.WG, want.Merge.Items = 64, 7
	assert.Equal(t, want, set)
	entries, err := os.ReadDir(filepath.Dir(name))
	require.NoError(t, err)
	assert.Len(t, entries, 1, "temporary files left")
	// Another driver, another device, the other shape: the table's.
	for _, c := range []struct {
		key    Key
		driver string
	}{{key, "2"}, {Key{Device: "third", Kind: "gpu"}, "1"}, {Key{Device: "some card", Kind: "cpu"}, "1"}} {
		set, err := Load(name, c.key, c.driver, devices["amd"])
		require.NoError(t, err)
		assert.Equal(t, For(c.key), set)
	}
	assert.ErrorContains(t, f.Write(filepath.Join(name, "tuning.json")), name, "a directory that is a file")
}

func TestBadFiles(t *testing.T) {
	const row = `{"device": "some card", "driver": "1", "kind": "gpu", "parameters": `
	for name, c := range map[string]struct{ text, want string }{
		"empty":           {"", "unexpected end"},
		"cut":             {`{"version": 1, "devices": [`, "unexpected end"},
		"no JSON":         {"\x00\x01", "invalid character"},
		"no object":       {`[1]`, "cannot unmarshal"},
		"trailing":        {`{"version": 1, "devices": []} {}`, "after top-level value"},
		"no version":      {`{"devices": []}`, "version 1"},
		"later version":   {`{"version": 2, "rows": []}`, "version 1"},
		"unknown field":   {`{"version": 1, "devices": [], "colour": 3}`, "colour"},
		"unknown in row":  {`{"version": 1, "devices": [{"devise": "x"}]}`, "devise"},
		"no device":       {`{"version": 1, "devices": [{"kind": "gpu"}]}`, "no device"},
		"no kind":         {`{"version": 1, "devices": [{"device": "x", "kind": "fpga"}]}`, "fpga"},
		"twice":           {`{"version": 1, "devices": [` + row + `{}}, ` + row + `{}}]}`, "two rows"},
		"fraction":        {`{"version": 1, "devices": [` + row + `{"Scan.WG": 1.5}}]}`, "1.5"},
		"huge":            {`{"version": 1, "devices": [` + row + `{"Scan.WG": 1e99}}]}`, "1e99"},
		"words":           {`{"version": 1, "devices": [` + row + `{"Scan.WG": "64"}}]}`, "string"},
		"unknown":         {`{"version": 1, "devices": [` + row + `{"Scan.Tile": 64}}]}`, "Scan.Tile"},
		"out of range":    {`{"version": 1, "devices": [` + row + `{"Scan.WG": -64}}]}`, "-64"},
		"not on a device": {`{"version": 1, "devices": [` + row + `{"Merge.WG": 1024}}]}`, "at most 256"},
	} {
		file := filepath.Join(t.TempDir(), "tuning.json")
		require.NoError(t, os.WriteFile(file, []byte(c.text), 0o644))
		set, err := Load(file, key, "1", devices["amd"])
		require.ErrorContains(t, err, c.want, name)
		assert.ErrorContains(t, err, file, name)
		assert.Equal(t, For(key), set, name)
	}
}

func TestFileName(t *testing.T) {
	dir := t.TempDir()
	t.Setenv("HOME", dir)
	t.Setenv("XDG_CONFIG_HOME", dir)
	t.Setenv("AppData", dir)
	t.Setenv("SUFFIXCL_TUNING", "")
	name, named := FileName()
	assert.False(t, named)
	assert.Equal(t, "tuning.json", filepath.Base(name))
	set, err := Load("", key, "1", devices["amd"])
	require.NoError(t, err, "there need not be one")
	assert.Equal(t, For(key), set)
	f := &File{Version: FileVersion}
	f.Put(Entry{Device: "some card", Driver: "1", Kind: "gpu", Parameters: map[string]int{"Scan.WG": 64}})
	require.NoError(t, f.Write(name))
	set, err = Load("", key, "1", devices["amd"])
	require.NoError(t, err)
	assert.Equal(t, 64, set.Scan.WG)
	set, err = Load("off", key, "1", devices["amd"])
	require.NoError(t, err)
	assert.Equal(t, For(key), set)
	t.Setenv("SUFFIXCL_TUNING", "off")
	set, err = Load("", key, "1", devices["amd"])
	require.NoError(t, err)
	assert.Equal(t, For(key), set)
	missing := filepath.Join(dir, "missing.json")
	t.Setenv("SUFFIXCL_TUNING", missing)
	_, err = Load("", key, "1", devices["amd"])
	assert.ErrorIs(t, err, fs.ErrNotExist)
	assert.ErrorContains(t, err, missing)
}

// A configuration directory that is none, as with a service's HOME=/dev/null, is no error.
func TestNoConfigurationDirectory(t *testing.T) {
	file := filepath.Join(t.TempDir(), "file")
	require.NoError(t, os.WriteFile(file, nil, 0o644))
	for _, name := range []string{"HOME", "XDG_CONFIG_HOME", "AppData"} {
		t.Setenv(name, file)
	}
	t.Setenv("SUFFIXCL_TUNING", "")
	set, err := Load("", key, "1", devices["amd"])
	require.NoError(t, err)
	assert.Equal(t, For(key), set)
}
