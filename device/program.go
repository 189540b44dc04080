package device

import (
	"fmt"

	"github.com/suffixcl/suffixcl/cl"
)

// Program is a program of a session, which owns it and its kernels. The first launch of a kernel builds it.
type Program struct {
	s       *Session
	src     Source
	kernels map[kernelKey]*Kernel
	program *cl.Program // nil before it is built
	wanted  bool        // is in the session's list
	found   *found      // before it is built: what was found out of it; may be nil
}

// found is what a program is compiled from, or loaded. To find out takes most of a millisecond, as there are 50 KB of
// text and as many of code: a call plans more than once.
type found struct {
	text     string
	resident int    // see withResident
	key      string // of the cache
	binary   []byte // of the cache, or nil
	from     string // the directory or archive of the binary, if that is only read
}

// Program returns the program of a source. Equal sources have the same program. No driver is called: a source that does
// not build fails the first launch of a kernel, with a *[cl.BuildError].
func (s *Session) Program(src Source) *Program {
	if !s.caps.quirks.PTX {
		src.resident = 0
	}
	key := id(&s.caps, src)
	p, ok := s.programs[key]
	if !ok {
		p = &Program{s: s, src: src, kernels: make(map[kernelKey]*Kernel)}
		if s.programs != nil { // nil: the session is closed
			s.programs[key] = p
		}
	}
	if s.rare == 0 && !p.wanted && p.program == nil {
		p.wanted = true
		s.wanted = append(s.wanted, p)
	}
	return p
}

// find returns what the program is compiled from.
func (p *Program) find() (*found, error) {
	if p.found != nil {
		return p.found, nil
	}
	b := &p.s.builder
	text, err := assemble(b.caps, p.src)
	if err != nil {
		return nil, err
	}
	if b.edit != nil {
		text = b.edit(text)
	}
	p.found = &found{text: text, resident: p.src.resident, key: b.key(text, p.src.resident)}
	return p.found, nil
}

// build builds the program, if it has not been built.
func (p *Program) build() error {
	if p.program != nil {
		return nil
	}
	if p.s.queue.closed() {
		return errClosed
	}
	var err error
	if p.program, err = p.s.builder.build(p); err != nil {
		return fmt.Errorf("device: building %s for %s: %w", p.src.name(), p.s.caps.Name, err)
	}
	p.found = nil
	if p.s.hooks.Built != nil {
		p.s.hooks.Built(p.src.name(), p.program.KernelNames())
	}
	return nil
}

func (p *Program) release() {
	for _, k := range p.kernels {
		k.release()
	}
	p.program.Release()
}

// Kernel is a kernel with its work-group size. It is made at its first launch. Its session releases it.
type Kernel struct {
	s       *Session
	program *Program
	kernelKey
	instances []*instance // none before the first launch
	last      int         // of the last launch
	args      []any       // of the next launch: numbers and memory objects
	views     []view      // of these, where bounds are checked
	wanted    bool        // see Session.rarely
	signature signature   // nil unless launches are checked
}

// instance is a kernel of the driver, with the arguments that are set. Setting one takes up to a tenth of a launch, and
// what is launched again and again with other arguments, as the passes of a sort, has them again in the next run.
type instance struct {
	*cl.Kernel
	args []any
}

// kernelKey tells the kernels of a program apart.
type kernelKey struct {
	name string
	wg   int
}

// signature is how a kernel declares its arguments; nil where the driver does not tell.
type signature []cl.KernelArgInfo

// Kernel returns the kernel of that name. wg is the work-group size that the program is compiled for. No driver is
// called. The first launch fails for a name that the program lacks, a work-group size that is not the compiled one, or
// one that the device cannot run.
func (p *Program) Kernel(name string, wg int) *Kernel {
	key := kernelKey{name, wg}
	k, ok := p.kernels[key]
	if !ok {
		k = &Kernel{s: p.s, program: p, kernelKey: key}
		p.kernels[key] = k
	}
	k.wanted = k.wanted || p.s.rare == 0
	return k
}
