package device

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/suffixcl/suffixcl/cl"
	"github.com/suffixcl/suffixcl/internal/driver"
	"github.com/suffixcl/suffixcl/kernels"
)

// Defines are the macros that a kernel file demands, by name.
type Defines map[string]any

// Source says what a program is made of: files, in order, after the generated prologue, the defines and common.cl.
type Source struct {
	// FS has files of the importer's own, such as an embed.FS. A file that it lacks, or any file if it is nil, is one
	// of package kernels.
	FS      fs.FS
	Files   []string
	Defines Defines
	// Resident, if not 0, is the number of work-groups that should fit on a compute unit,
	// of programs that know better than the compiler how many registers they should have.
	// It takes effect on NVIDIA.
	Resident int

	library []string // files of package kernels after Files, where FS has some
}

// Append returns the source with files of package kernels after its own. FS does not hide them.
func (s Source) Append(files ...string) Source {
	if s.FS == nil {
		s.Files = slices.Concat(s.Files, files)
	} else {
		s.library = slices.Concat(s.library, files)
	}
	return s
}

// name is what people know the program by.
func (s Source) name() string { return strings.Join(slices.Concat(s.Files, s.library), "+") }

// part is a file of a program.
type part struct {
	name string
	from fs.FS
	own  bool // of the importer
}

// parts are the files of the program.
func (s Source) parts() []part {
	parts := []part{{name: "common.cl", from: kernels.FS}}
	for _, name := range s.Files {
		p := part{name: name, from: kernels.FS}
		if s.FS != nil {
			if _, err := fs.Stat(s.FS, name); !errors.Is(err, fs.ErrNotExist) {
				p = part{name: name, from: s.FS, own: true}
			}
		}
		parts = append(parts, p)
	}
	for _, name := range s.library {
		parts = append(parts, part{name: name, from: kernels.FS})
	}
	return parts
}

// Program is a program of a session, which owns it and its kernels. It is built when one of its kernels is
// launched first.
type Program struct {
	s       *Session
	src     Source
	kernels map[kernelKey]*Kernel
	program *cl.Program // nil before it is built
}

// buildOptions are the same for every program. CL1.2 is what every vendor has;
// OpenCL C 3.0 atomics compile to worse code on NVIDIA.
// Signatures are for sessions that check launches, which have the others' programs.
const buildOptions = "-cl-std=CL1.2 -cl-kernel-arg-info"

// assemble returns the text of a program: prologue, defines, common.cl, files,
// each with a #line so that a build error names file and line.
func assemble(c *Caps, src Source) (string, error) {
	var text strings.Builder
	text.WriteString(head(c, src))
	for _, p := range src.parts() {
		file, err := fs.ReadFile(p.from, p.name)
		if err != nil {
			return "", fmt.Errorf("device: kernel source: %w", err)
		}
		fmt.Fprintf(&text, "#line 1 \"%s\"\n%s\n", p.name, file)
	}
	return text.String(), nil
}

// head is what precedes the files.
func head(c *Caps, src Source) string {
	var text strings.Builder
	text.WriteString("#line 1 \"prologue\"\n")
	text.WriteString(c.prologue())
	text.WriteString("#line 1 \"defines\"\n")
	for _, name := range slices.Sorted(maps.Keys(src.Defines)) {
		fmt.Fprintf(&text, "#define %s %v\n", name, src.Defines[name])
	}
	return text.String()
}

// Program returns the program of a source; equal sources have the same program. It calls no driver: a source
// that does not build fails the first launch of a kernel, with a *cl.BuildError.
func (s *Session) Program(src Source) *Program {
	if !s.caps.quirks.PTX {
		src.Resident = 0
	}
	return s.programs.get(s, src)
}

// build builds the program, if it has not been built.
func (p *Program) build() error {
	if p.program != nil {
		return nil
	}
	s := p.s
	if s.queue == nil {
		return errClosed
	}
	var err error
	if p.program, err = s.programs.build(s, p.src); err != nil {
		return fmt.Errorf("device: building %s for %s: %w", p.src.name(), s.caps.Name, err)
	}
	return nil
}

// id tells sources apart. Files of package kernels do not change; those of an importer are part of it.
func id(c *Caps, src Source) string {
	var what strings.Builder
	fmt.Fprintf(&what, "%s%d %q", head(c, src), src.Resident, src.name())
	if src.FS == nil {
		return what.String()
	}
	for _, p := range src.parts() {
		if p.own {
			file, err := fs.ReadFile(p.from, p.name) // an error is that of the build
			fmt.Fprintf(&what, " %q %v", file, err)
		}
	}
	return what.String()
}

// programCache keeps programs in memory, by what assemble makes their text of: pipelines are made
// anew for every text. Their binaries are on disk, keyed by everything that the binary depends on.
type programCache struct {
	programs map[string]*Program
	onBuild  func(program string)
	onBuilt  func()
	disk     diskCache
	identity string

	compiled, loaded int // programs built from source, and from a binary on disk
}

// init: a binary is offered to the very driver that made it only. Some drivers
// cannot tell, and crash.
func (c *programCache) init(caps *Caps, platformVersion, dir string) {
	c.programs = make(map[string]*Program)
	c.identity = strings.Join([]string{
		caps.Platform, platformVersion, caps.Name, caps.DriverVersion, caps.OpenCLVersion, buildOptions,
	}, "\x00")
	own := userCache()
	switch caps.Vendor {
	case driver.Oclgrind:
		dir = "off" // an interpreter: its checks need the source
	case driver.PoCL:
		own = "" // it has a cache of its own, and compiles every kernel twice if it is asked for a binary
	}
	c.disk = newDiskCache(dir, own)
}

func (c *programCache) release() {
	for _, p := range c.programs {
		for _, k := range p.kernels {
			k.kernel.Release()
		}
		p.program.Release()
	}
	c.programs = nil
}

func (c *programCache) key(text string, resident int) string {
	sum := sha256.Sum256(fmt.Appendf(nil, "%s\x00%d\x00%s", c.identity, resident, text))
	return hex.EncodeToString(sum[:])
}

func (c *programCache) get(s *Session, src Source) *Program {
	what := id(&s.caps, src)
	p, ok := c.programs[what]
	if !ok {
		p = &Program{s: s, src: src, kernels: make(map[kernelKey]*Kernel)}
		if c.programs != nil { // nil: the session is closed
			c.programs[what] = p
		}
	}
	return p
}

func (c *programCache) build(s *Session, src Source) (*cl.Program, error) {
	text, err := assemble(&s.caps, src)
	if err != nil {
		return nil, err
	}
	if s.hooks.Edit != nil {
		text = s.hooks.Edit(text)
	}
	key := c.key(text, src.Resident)
	if binary := c.disk.load(key); binary != nil {
		if p := s.fromBinary(binary); p != nil {
			c.loaded++
			return p, nil
		}
	}
	if c.onBuild != nil {
		c.onBuild(src.name())
	}
	if c.onBuilt != nil {
		defer c.onBuilt()
	}
	p, err := c.compile(s, text, src.Resident)
	if err != nil {
		return nil, err
	}
	if c.disk.dir != "" {
		if binary, err := p.Binary(s.device); err == nil {
			c.disk.store(key, binary)
		}
	}
	return p, nil
}

func (c *programCache) compile(s *Session, text string, resident int) (*cl.Program, error) {
	p, err := s.ctx.CreateProgramWithSource([]string{text})
	if err != nil {
		return nil, err
	}
	if err := p.BuildProgram([]*cl.Device{s.device}, buildOptions); err != nil {
		p.Release()
		var failed *cl.BuildError
		if errors.As(err, &failed) {
			failed.Log = inFiles(failed.Log, text)
		}
		return nil, err
	}
	c.compiled++
	if resident > 0 {
		p = withResident(s, p, resident)
	}
	return p, nil
}

// inFiles gives the places that a log names their files, where a driver does not heed #line:
// NVIDIA's calls the whole text <kernel>, Oclgrind input.cl.
func inFiles(log, text string) string {
	lines := strings.Split(text, "\n")
	return place.ReplaceAllStringFunc(log, func(at string) string {
		number, err := strconv.Atoi(at[strings.LastIndexByte(at, ':')+1:])
		if err != nil || number > len(lines) {
			return at
		}
		for i := number - 1; i >= 0; i-- {
			if file, ok := strings.CutPrefix(lines[i], "#line 1 "); ok {
				return fmt.Sprintf("%s:%d", strings.Trim(file, `"`), number-1-i)
			}
		}
		return at
	})
}

var place = regexp.MustCompile(`(?:<kernel>|\binput\.cl):\d+`)

// withResident returns p built anew from its assembly with the request, or p itself where
// that cannot be done. NVIDIA's compiler option for registers is ignored in kernels whose
// work-group size is fixed, and the attribute that CUDA has for it is not known; but the
// binary of a program is PTX.
func withResident(s *Session, p *cl.Program, resident int) *cl.Program {
	binary, err := p.Binary(s.device)
	if err != nil {
		return p
	}
	patched := reqntid.ReplaceAll(binary, fmt.Appendf(nil, "$0\n.minnctapersm %d", resident))
	if better := s.fromBinary(patched); better != nil {
		p.Release()
		return better
	}
	return p
}

var reqntid = regexp.MustCompile(`(?m)^\.reqntid .*$`)

// fromBinary builds a program of a binary, or returns nil if the driver refuses it.
func (s *Session) fromBinary(binary []byte) *cl.Program {
	p, err := s.ctx.CreateProgramWithBinary([]*cl.Device{s.device}, [][]byte{binary})
	if err != nil {
		return nil
	}
	if err := p.BuildProgram([]*cl.Device{s.device}, buildOptions); err != nil {
		p.Release()
		return nil
	}
	return p
}
