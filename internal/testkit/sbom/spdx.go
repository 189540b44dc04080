package main

import (
	"cmp"
	"crypto/sha256"
	"debug/buildinfo"
	"debug/elf"
	"encoding/hex"
	"fmt"
	"io"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// ours is the module that is released, and where it is.
const ours = "github.com/suffixcl/suffixcl"

// document is what one archive has in it.
type document struct {
	name, version, created string
	programs               []program
	wheel                  wheel
}

// wheel is one for Python, with the command and the library; zero for none.
type wheel struct{ file, sum string }

// program is an executable or a library.
type program struct {
	file    string // its base name
	sum     string // SHA-256, hexadecimal
	library bool
	modules []module // linked into it, without this one; sorted
	needed  []string // shared libraries that the linker of the system has to find
}

// module is one of Go's, or the standard library.
type module struct{ path, version, sum string }

// standard is the path of Go's library among modules.
const standard = "stdlib"

// read tells what a file is made of. It fails on what Go has not built.
func read(name string) (p program, err error) {
	file, err := os.Open(name)
	if err != nil {
		return p, err
	}
	defer file.Close()
	info, err := buildinfo.Read(file)
	if err != nil {
		return p, err
	}
	digest := sha256.New()
	if _, err := io.Copy(digest, io.NewSectionReader(file, 0, 1<<62)); err != nil {
		return p, err
	}
	p.file, p.sum = filepath.Base(name), hex.EncodeToString(digest.Sum(nil))
	p.modules = []module{{path: standard, version: strings.TrimPrefix(strings.Fields(info.GoVersion)[0], "go")}}
	for _, dep := range info.Deps {
		if dep.Replace != nil {
			dep = dep.Replace
		}
		if strings.HasPrefix(dep.Path, ".") || filepath.IsAbs(dep.Path) || own(dep.Path) {
			continue // a directory of this repository
		}
		p.modules = append(p.modules, module{dep.Path, dep.Version, dep.Sum})
	}
	slices.SortFunc(p.modules, func(a, b module) int { return strings.Compare(a.path, b.path) })
	for _, s := range info.Settings {
		p.library = p.library || s.Key == "-buildmode" && s.Value == "c-shared"
	}
	if e, err := elf.NewFile(file); err == nil {
		p.needed, _ = e.ImportedLibraries()
		slices.Sort(p.needed)
	}
	return p, nil
}

func own(path string) bool { return path == ours || strings.HasPrefix(path, ours+"/") }

// The types below are those of SPDX 2.3, as far as they are used.
type (
	spdx struct {
		SPDXVersion       string         `json:"spdxVersion"`
		DataLicense       string         `json:"dataLicense"`
		SPDXID            string         `json:"SPDXID"`
		Name              string         `json:"name"`
		DocumentNamespace string         `json:"documentNamespace"`
		CreationInfo      creation       `json:"creationInfo"`
		Packages          []spdxPackage  `json:"packages"`
		Relationships     []relationship `json:"relationships"`
	}
	creation struct {
		Created  string   `json:"created"`
		Creators []string `json:"creators"`
	}
	spdxPackage struct {
		SPDXID           string      `json:"SPDXID"`
		Name             string      `json:"name"`
		VersionInfo      string      `json:"versionInfo,omitempty"`
		PackageFileName  string      `json:"packageFileName,omitempty"`
		DownloadLocation string      `json:"downloadLocation"`
		FilesAnalyzed    bool        `json:"filesAnalyzed"`
		Checksums        []checksum  `json:"checksums,omitempty"`
		SourceInfo       string      `json:"sourceInfo,omitempty"`
		LicenseConcluded string      `json:"licenseConcluded"`
		LicenseDeclared  string      `json:"licenseDeclared"`
		CopyrightText    string      `json:"copyrightText"`
		Purpose          string      `json:"primaryPackagePurpose"`
		ExternalRefs     []reference `json:"externalRefs,omitempty"`
	}
	checksum struct {
		Algorithm string `json:"algorithm"`
		Value     string `json:"checksumValue"`
	}
	reference struct {
		Category string `json:"referenceCategory"`
		Type     string `json:"referenceType"`
		Locator  string `json:"referenceLocator"`
	}
	relationship struct {
		Element string `json:"spdxElementId"`
		Type    string `json:"relationshipType"`
		Related string `json:"relatedSpdxElement"`
	}
)

const (
	unknown = "NOASSERTION"
	itself  = "SPDXRef-DOCUMENT"
)

// spdx is a package for each program, for the wheel, for each module that is linked into a program, and for each shared
// library that one needs. Licenses of others are not asserted: their texts are in the archive.
func (d *document) spdx() spdx {
	s := spdx{
		SPDXVersion: "SPDX-2.3", DataLicense: "CC0-1.0", SPDXID: itself, Name: d.name,
		CreationInfo: creation{d.created, []string{"Tool: suffixcl-sbom"}},
	}
	modules, needed := map[module]bool{}, map[string]bool{}
	digest := sha256.New()
	for _, p := range d.programs {
		fmt.Fprintln(digest, p.file, p.sum)
		id := identifier("File", p.file)
		s.Packages = append(s.Packages, p.entry(id, d.version))
		s.relate(itself, "DESCRIBES", id)
		for _, m := range p.modules {
			modules[m] = true
			s.relate(id, "STATIC_LINK", m.id())
		}
		for _, name := range p.needed {
			needed[name] = true
			s.relate(id, "DYNAMIC_LINK", identifier("System", name))
		}
	}
	if d.wheel.file != "" {
		fmt.Fprintln(digest, d.wheel.file, d.wheel.sum)
		id := identifier("File", d.wheel.file)
		s.Packages = append(s.Packages, d.wheel.entry(id, d.version))
		s.relate(itself, "DESCRIBES", id)
		for _, p := range d.programs {
			if p.library || p.file == "suffixcl" {
				s.relate(id, "CONTAINS", identifier("File", p.file))
			}
		}
	}
	byPath := func(a, b module) int {
		return cmp.Or(strings.Compare(a.path, b.path), strings.Compare(a.version, b.version))
	}
	for _, m := range slices.SortedFunc(maps.Keys(modules), byPath) {
		s.Packages = append(s.Packages, m.entry())
	}
	for _, name := range slices.Sorted(maps.Keys(needed)) {
		s.Packages = append(s.Packages, spdxPackage{
			SPDXID: identifier("System", name), Name: name, DownloadLocation: unknown, LicenseConcluded: unknown,
			LicenseDeclared: unknown, CopyrightText: unknown, Purpose: "LIBRARY",
			SourceInfo: "a library of the system, which the archive does not have",
		})
	}
	s.DocumentNamespace = fmt.Sprintf("https://%s/spdx/%s-%x", ours, d.name, digest.Sum(nil)[:16])
	return s
}

func (s *spdx) relate(from, kind, to string) {
	s.Relationships = append(s.Relationships, relationship{from, kind, to})
}

func (p *program) entry(id, version string) spdxPackage {
	purpose := "APPLICATION"
	if p.library {
		purpose = "LIBRARY"
	}
	return spdxPackage{
		SPDXID: id, Name: p.file, VersionInfo: version, PackageFileName: p.file,
		DownloadLocation: "git+https://" + ours, Checksums: []checksum{{"SHA256", p.sum}},
		LicenseConcluded: unknown, LicenseDeclared: "Apache-2.0", CopyrightText: unknown, Purpose: purpose,
		ExternalRefs: []reference{purl(ours, version)},
	}
}

func (w wheel) entry(id, version string) spdxPackage {
	return spdxPackage{
		SPDXID: id, Name: w.file, VersionInfo: version, PackageFileName: w.file, DownloadLocation: "git+https://" + ours,
		Checksums: []checksum{{"SHA256", w.sum}}, LicenseConcluded: unknown, LicenseDeclared: "Apache-2.0",
		CopyrightText: unknown, Purpose: "ARCHIVE",
	}
}

func (m module) id() string { return identifier("Module", m.path+"-"+m.version) }

func (m module) entry() spdxPackage {
	e := spdxPackage{
		SPDXID: m.id(), Name: m.path, VersionInfo: m.version, DownloadLocation: unknown, LicenseConcluded: unknown,
		LicenseDeclared: unknown, CopyrightText: unknown, Purpose: "LIBRARY",
		ExternalRefs: []reference{purl(m.path, m.version)},
	}
	if m.sum != "" {
		e.SourceInfo = "go.sum has " + m.sum
	}
	return e
}

// purl names a module as scanners look for it.
func purl(path, version string) reference {
	return reference{"PACKAGE-MANAGER", "purl", "pkg:golang/" + path + "@" + strings.ReplaceAll(version, "+", "%2B")}
}

// identifier makes one of SPDX, which has letters, digits, dots and hyphens. Other characters become hyphens.
func identifier(kind, name string) string {
	return "SPDXRef-" + kind + "-" + strings.Map(func(r rune) rune {
		switch {
		case r >= 'a' && r <= 'z', r >= 'A' && r <= 'Z', r >= '0' && r <= '9', r == '.':
			return r
		}
		return '-'
	}, name)
}
