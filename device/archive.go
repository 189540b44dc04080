package device

import (
	"archive/zip"
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/suffixcl/suffixcl/internal/regular"
	"github.com/suffixcl/suffixcl/kernels"
)

const (
	// manifestName is the file that says what an archive of programs is for.
	manifestName = "suffixcl-programs.json"
	// archiveFormat is the version of manifest and files. The files are those of cacheVersion, and portable ones.
	archiveFormat = 1
	// archiveEntry bounds the bytes of a file of an archive, of which a program has 0.1 MB as a rule.
	archiveEntry = 64 << 20
)

// manifest says what the programs of an archive were built for.
type manifest struct {
	Format          int    `json:"format"`
	Kernels         string `json:"kernels"` // digest of the sources
	Vendor          string `json:"vendor"`
	Platform        string `json:"platform"`
	PlatformVersion string `json:"platform_version"`
	Device          string `json:"device"`
	Driver          string `json:"driver"`
	OpenCL          string `json:"opencl"`
	Target          string `json:"target"` // least architecture of PTX; "" where programs are for this device only
	Programs        int    `json:"programs"`
}

// shelf is a directory or an archive of programs that is only read. An archive is a zip file with the files of such a
// directory, and a manifest. So is the directory in which one was unpacked.
type shelf struct {
	path     string
	file     bool            // an archive
	zip      *zip.ReadCloser // open, of an archive
	manifest *manifest       // nil: a directory as sessions fill it
}

// open reads the manifest.
func (s *shelf) open() error {
	if s.file {
		archive, err := zip.OpenReader(s.path)
		if err != nil {
			return fmt.Errorf("it is no archive of programs: %w", withoutPath(err))
		}
		s.zip = archive
	}
	data, err := s.read(manifestName)
	if errors.Is(err, fs.ErrNotExist) && !s.file {
		return nil
	}
	if err != nil {
		return fmt.Errorf("it is no archive of programs: %s: %w", manifestName, withoutPath(err))
	}
	s.manifest = new(manifest)
	if err := json.Unmarshal(data, s.manifest); err != nil {
		return fmt.Errorf("%s is damaged: %w", manifestName, err)
	}
	return nil
}

// withoutPath takes the path off an error, which stands in the message already.
func withoutPath(err error) error {
	var p *fs.PathError
	if errors.As(err, &p) {
		return p.Err
	}
	return err
}

func (s *shelf) close() {
	if s.zip != nil {
		_ = s.zip.Close()
		s.zip = nil
	}
}

// read returns a file. One that others can write is as good as none.
func (s *shelf) read(name string) ([]byte, error) {
	if s.zip == nil {
		path := filepath.Join(s.path, filepath.FromSlash(name))
		if s.file || !trusted(filepath.Dir(path)) || !trusted(path) {
			return nil, fs.ErrNotExist
		}
		return regular.ReadFile(path)
	}
	f, err := s.zip.Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	data, err := io.ReadAll(io.LimitReader(f, archiveEntry+1))
	if err == nil && len(data) > archiveEntry {
		err = errors.New("too long")
	}
	return data, err
}

var errDamaged = errors.New("its checksum is wrong")

// load returns what a file of the shelf keeps under a key, or nil. An error is that of a file that is there.
func (s *shelf) load(suffix, key string) ([]byte, error) {
	data, err := s.read(versionName(key + suffix))
	if err != nil {
		if errors.Is(err, fs.ErrNotExist) || s.manifest == nil {
			return nil, nil
		}
		return nil, err
	}
	binary := parseBinary(data, key)
	if binary == nil && s.manifest != nil {
		return nil, errDamaged
	}
	return binary, nil
}

// versionName is the name of a file of cacheVersion, from the directory of the cache.
func versionName(name string) string { return fmt.Sprintf("v%d/%s", cacheVersion, name) }

// note keeps what people should know of a cache, once.
func (c *diskCache) note(path, format string, args ...any) {
	text := path + " " + fmt.Sprintf(format, args...)
	if !slices.Contains(c.notes, text) {
		c.notes = append(c.notes, text)
	}
}

// admit opens what is only read. Archives that do not fit are left out, with a note.
func (c *diskCache) admit(fits func(*manifest) error) {
	c.read = slices.DeleteFunc(c.read, func(s *shelf) bool {
		err := s.open()
		if err == nil && s.manifest != nil {
			err = fits(s.manifest)
		}
		if err != nil {
			s.close()
			c.note(s.path, "is not used: %v", err)
		}
		return err != nil
	})
}

// hasPTX tells whether there are portable programs.
func (c *diskCache) hasPTX() bool {
	return slices.ContainsFunc(c.read, func(s *shelf) bool { return s.manifest != nil && s.manifest.Target != "" })
}

// loadRead returns the binary of a key from what is only read, and from where, or nil.
func (c *diskCache) loadRead(key string) (binary []byte, from string) {
	for _, s := range c.read {
		binary, err := s.load(exactSuffix, key)
		if err != nil {
			c.note(s.path, "has a program that is not used: %s: %v", key+exactSuffix, withoutPath(err))
		}
		if binary != nil {
			return binary, s.path
		}
	}
	return nil, ""
}

// loadPortable returns the PTX of a key from an archive, and from which, or nil.
func (c *diskCache) loadPortable(key string, caps *Caps) (ptx []byte, from string) {
	for _, s := range c.read {
		if s.manifest == nil || s.manifest.Target == "" {
			continue
		}
		data, err := s.load(portableSuffix, key)
		by, ptx, _ := bytes.Cut(data, []byte("\n"))
		if err == nil && data != nil {
			err = comparePTX(string(by), targetOf(ptx), caps)
		}
		if err != nil {
			c.note(s.path, "has a program that is not used: %s: %v", key+portableSuffix, withoutPath(err))
			continue
		}
		if data != nil {
			return ptx, s.path
		}
	}
	return nil, ""
}

func (c *diskCache) close() {
	for _, s := range c.read {
		s.close()
	}
	c.read = nil
}

const (
	exactSuffix    = ".clbin" // a binary for one device and driver
	portableSuffix = ".clptx" // the driver's version, a line, and PTX
)

// comparePTX returns why a device and driver cannot take PTX of a driver for an architecture.
func comparePTX(by, target string, c *Caps) error {
	older, known := olderVersion(c.DriverVersion, by)
	if by != c.DriverVersion && (older || !known) {
		return fmt.Errorf("it is by driver %s, and this is the older %s", by, c.DriverVersion)
	}
	want, special, ok := parseTarget(target)
	have, _, alike := parseTarget(c.Arch)
	if !ok || !alike || have < want || special && have != want {
		return fmt.Errorf("it is for %s, and this is %s", target, c.Arch)
	}
	return nil
}

// parseTarget takes "sm_90" or "sm_90a" apart. Special ones are for one architecture only.
func parseTarget(target string) (capability int, special, ok bool) {
	digits, ok := strings.CutPrefix(target, "sm_")
	number := strings.TrimRight(digits, "af")
	capability, err := strconv.Atoi(number)
	return capability, number != digits, ok && err == nil
}

// olderVersion tells whether a version is older than another: numbers with points between them.
func olderVersion(version, than string) (older, known bool) {
	a, b := strings.Split(version, "."), strings.Split(than, ".")
	for i := range max(len(a), len(b)) {
		var x, y int
		var errs [2]error
		if i < len(a) {
			x, errs[0] = strconv.Atoi(a[i])
		}
		if i < len(b) {
			y, errs[1] = strconv.Atoi(b[i])
		}
		if errors.Join(errs[:]...) != nil {
			return false, false
		}
		if x != y {
			return x < y, true
		}
	}
	return false, true
}

var ptxTarget = regexp.MustCompile(`(?m)^\.version[ \t]+\d+\.\d+\s*\n\.target[ \t]+(sm_\w+)`)

// targetOf is the architecture of PTX, or "" for what is none.
func targetOf(binary []byte) string {
	if at := ptxTarget.FindSubmatch(binary[:min(len(binary), 4096)]); at != nil {
		return string(at[1])
	}
	return ""
}

func capabilityOf(target string) int {
	capability, _, _ := parseTarget(target)
	return capability
}

// archiveTime is that of all files of an archive, so that the same files are the same archive: the first that zip has.
var archiveTime = time.Date(1980, 1, 1, 0, 0, 0, 0, time.UTC)

// writeArchive writes files in the order of their names.
func writeArchive(ctx context.Context, w io.Writer, files map[string][]byte) error {
	archive := zip.NewWriter(w)
	for _, name := range slices.Sorted(maps.Keys(files)) {
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
		f, err := archive.CreateHeader(&zip.FileHeader{Name: name, Method: zip.Deflate, Modified: archiveTime})
		if err != nil {
			return err
		}
		if _, err := f.Write(files[name]); err != nil {
			return err
		}
	}
	return archive.Close()
}

// kernelDigest tells apart versions of the OpenCL sources.
func kernelDigest() string {
	h := sha256.New()
	files, _ := fs.Glob(kernels.FS, "*.cl") // an embedded system does not fail
	for _, file := range files {
		text, _ := fs.ReadFile(kernels.FS, file)
		fmt.Fprintf(h, "%s %d\n%s", file, len(text), text)
	}
	return hex.EncodeToString(h.Sum(nil))[:12]
}

// shelves takes a list of directories and archives apart: the first directory that can be written keeps programs, and
// all others are only read.
func (c *diskCache) shelves(list string) (keeps bool) {
	keeps = true
	for _, path := range filepath.SplitList(list) {
		info, err := os.Stat(path)
		missing := errors.Is(err, fs.ErrNotExist)
		switch {
		case path == "":
		case path == "off":
			keeps = false
		case !trusted(path):
			c.note(path, "is not used: others than root and this user can write it, or own it")
		case err == nil && info.Mode().IsRegular():
			c.read = append(c.read, &shelf{path: path, file: true})
		case err == nil && !info.IsDir():
			c.note(path, "is not used: it is neither a directory nor an archive of programs")
		case missing && strings.EqualFold(filepath.Ext(path), ".zip"):
			c.note(path, "is not used: there is no such file")
		case c.dir == "" && keeps && writable(path):
			c.dir = path
			if _, err := os.Stat(filepath.Join(path, manifestName)); err == nil {
				c.read = append(c.read, &shelf{path: path})
			}
		case !missing:
			c.read = append(c.read, &shelf{path: path})
		}
	}
	return keeps
}
