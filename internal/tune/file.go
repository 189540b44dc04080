package tune

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"syscall"

	"github.com/suffixcl/suffixcl/internal/atomicfile"
)

// FileVersion is the version of tuning files. It changes with the meaning of a parameter.
const FileVersion = 1

// File is the file that `suffixcl-lab tune` writes: parameters found on devices.
type File struct {
	Version int     `json:"version"`
	Devices []Entry `json:"devices"`
}

// Entry is what was found on a device with a driver; after an update of the driver it is
// not used. The parameters are paths in Set,
// such as "Scan.WG"; what is missing is as in the table.
type Entry struct {
	Device     string         `json:"device"`
	Driver     string         `json:"driver"`
	Kind       string         `json:"kind"`           // Key.Kind
	From       string         `json:"from,omitempty"` // for people: when and how
	Parameters map[string]int `json:"parameters"`
}

func (e *Entry) same(o *Entry) bool {
	return e.Device == o.Device && e.Driver == o.Driver && e.Kind == o.Kind
}

// FileName is the tuning file of the user: the one that SUFFIXCL_TUNING names, which
// then has to exist, or tuning.json in the user's configuration directory. It is empty
// if SUFFIXCL_TUNING is "off", or if there is no such directory.
func FileName() (name string, named bool) {
	switch name = os.Getenv("SUFFIXCL_TUNING"); name {
	case "off":
		return "", false
	case "":
		dir, err := os.UserConfigDir()
		if err != nil {
			return "", false
		}
		return filepath.Join(dir, "suffixcl", "tuning.json"), false
	}
	return name, true
}

// FileError is a tuning file that cannot be used.
type FileError struct {
	Name string
	Err  error
}

func (e *FileError) Error() string { return fmt.Sprintf("tuning file %s: %v", e.Name, e.Err) }
func (e *FileError) Unwrap() error { return e.Err }

// ReadFile reads a tuning file. Errors: *FileError, which is fs.ErrNotExist if there is
// none.
func ReadFile(name string) (*File, error) {
	data, err := os.ReadFile(name)
	var path *fs.PathError
	if errors.As(err, &path) {
		err = path.Err // without the name
	}
	f := new(File)
	if err == nil {
		err = f.decode(data)
	}
	if err != nil {
		return nil, &FileError{name, err}
	}
	return f, nil
}

func (f *File) decode(data []byte) error {
	// The version first: a later one may have other fields.
	var v struct {
		Version *int `json:"version"`
	}
	if err := json.Unmarshal(data, &v); err != nil {
		return err
	}
	if v.Version == nil || *v.Version != FileVersion {
		return fmt.Errorf("not a file of version %d: make a new one with `suffixcl-lab tune`", FileVersion)
	}
	d := json.NewDecoder(bytes.NewReader(data))
	d.DisallowUnknownFields()
	if err := d.Decode(f); err != nil {
		return err
	}
	for i := range f.Devices {
		e := &f.Devices[i]
		switch {
		case e.Device == "":
			return fmt.Errorf("row %d has no device", i+1)
		case e.Kind != "gpu" && e.Kind != "cpu":
			return fmt.Errorf("row %d, %s: kind %q is neither gpu nor cpu", i+1, e.Device, e.Kind)
		case slices.ContainsFunc(f.Devices[:i], func(o Entry) bool { return e.same(&o) }):
			return fmt.Errorf("two rows for %s with driver %s", e.Device, e.Driver)
		}
	}
	return nil
}

// Find is the entry of a device, or nil.
func (f *File) Find(device, driver, kind string) *Entry {
	want := Entry{Device: device, Driver: driver, Kind: kind}
	for i := range f.Devices {
		if f.Devices[i].same(&want) {
			return &f.Devices[i]
		}
	}
	return nil
}

// Put adds an entry, in place of the one that the device has.
func (f *File) Put(e Entry) {
	if old := f.Find(e.Device, e.Driver, e.Kind); old != nil {
		*old = e
	} else {
		f.Devices = append(f.Devices, e)
	}
}

// Apply sets the parameters of the entry in a set. Every one has to be in the space of
// the device, with one of its values or the set's own, and all of them together have to
// pass Check; else the set stays as it is.
func (e *Entry) Apply(set *Set, d Device) error {
	values := make(map[string][]int)
	for _, g := range Space(d) {
		for _, a := range g.Axes {
			values[a.Param] = a.Values
		}
	}
	tuned := *set
	for _, path := range slices.Sorted(maps.Keys(e.Parameters)) {
		value := e.Parameters[path]
		allowed, ok := values[path]
		if !ok {
			return fmt.Errorf("%s: there is no such parameter to tune", path)
		}
		p := tuned.Param(path)
		if value != *p && !slices.Contains(allowed, value) {
			return fmt.Errorf("%s: %d is not one of %v", path, value, allowed)
		}
		*p = value
	}
	if err := tuned.Check(d); err != nil {
		return err
	}
	*set = tuned
	return nil
}

// Write writes the file, which nobody sees before it is complete.
func (f *File) Write(name string) (err error) {
	defer func() {
		if err != nil {
			err = &FileError{name, fmt.Errorf("cannot be written: %w", err)}
		}
	}()
	data, err := json.MarshalIndent(f, "", "  ")
	if err != nil {
		return err
	}
	if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
		return err
	}
	return atomicfile.WriteFile(name, append(data, '\n'), 0o644)
}

// Load returns the table's set for a device, with what the tuning file says of it. An
// empty name is that of FileName, "off" reads none.
func Load(name string, k Key, driver string, d Device) (Set, error) {
	set := For(k)
	named := name != ""
	if !named {
		name, named = FileName()
	}
	if name == "off" || name == "" {
		return set, nil
	}
	f, err := ReadFile(name)
	if !named && (errors.Is(err, fs.ErrNotExist) || errors.Is(err, fs.ErrPermission) || errors.Is(err, syscall.ENOTDIR)) {
		return set, nil // as where HOME is /dev/null, or another user's
	}
	if err != nil {
		return set, err
	}
	if e := f.Find(k.Device, driver, k.Kind); e != nil {
		if err := e.Apply(&set, d); err != nil {
			return set, &FileError{name, fmt.Errorf("row of %s: %w", k.Device, err)}
		}
	}
	return set, nil
}
