package device

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/suffixcl/suffixcl/internal/hooks"
)

// rarely calls f. What it asks a session for is left out of what is built ahead: programs and kernels for texts that
// are not common.
func (s *Session) rarely(f func()) {
	s.rare++
	defer func() { s.rare-- }()
	f()
}

// forget forgets what was asked for.
func (s *Session) forget() {
	for _, p := range s.wanted {
		p.wanted = false
	}
	s.wanted = nil
}

// buildAhead has helpers build what was asked for and is in no cache. It does not wait.
func (s *Session) buildAhead() {
	defer hooks.Begin("look for programs")()
	wanted := s.wanted
	s.forget()
	if s.context == nil || s.builder.edit != nil {
		return
	}
	var programs []*Program
	var requests []request
	for _, p := range wanted {
		if p.program != nil {
			continue
		}
		f, err := p.find()
		if err != nil {
			continue // the launch fails
		}
		if s.hooks.Ahead != nil {
			s.hooks.Ahead(p.src.name(), p.certain())
		}
		if s.builder.isBuilt(f) {
			continue
		}
		kernels := p.wantedKernels(rehearsed(f.text))
		programs = append(programs, p)
		requests = append(requests,
			request{Key: f.key, Text: f.text, Resident: p.src.resident, Binary: f.binary, Kernels: kernels})
	}
	s.builder.ahead.add(programs, requests)
}

// expectBuilds starts helpers, if not even the program that opens the session is in the cache: then neither are those
// of the call that follows. Helpers open the device while the session builds that program.
func (s *Session) expectBuilds() {
	if s.builder.ahead.most <= 0 || !s.caps.probes() {
		return
	}
	src, _ := s.caps.probeProgram()
	if f, err := s.Program(src).find(); err == nil && !s.builder.isBuilt(f) {
		s.builder.ahead.expect()
	}
}

// prepare builds what buildAhead builds, and waits. With all it builds every program that was asked for.
func (s *Session) prepare(ctx context.Context, all bool) error {
	programs := slices.Clone(s.wanted)
	if all {
		s.forget()
		for _, key := range slices.Sorted(maps.Keys(s.programs)) {
			p := s.programs[key]
			p.wanted = true
			for _, k := range p.kernels {
				k.wanted = true
			}
			programs = append(programs, p)
		}
		s.wanted = slices.Clone(programs)
	}
	s.buildAhead()
	for _, p := range programs {
		if err := s.Check(ctx); err != nil {
			return err
		}
		if err := p.build(); err != nil {
			return err
		}
		if !s.caps.rehearses() {
			continue
		}
		text, err := assemble(&s.caps, p.src)
		if err == nil {
			err = s.builder.rehearse(p.program, p.wantedKernels(rehearsed(text)))
		}
		if err != nil {
			return fmt.Errorf("device: preparing %s: %w", p.src.name(), err)
		}
	}
	return nil
}

// certain are the kernels that were not asked for rarely.
func (p *Program) certain() []string {
	var names []string
	for key, k := range p.kernels {
		if k.wanted {
			names = append(names, key.name)
		}
	}
	return names
}

// wantedKernels are the certain ones among those with names.
func (p *Program) wantedKernels(names []string) []kernelShape {
	var list []kernelShape
	for key, k := range p.kernels {
		if k.wanted && slices.Contains(names, key.name) {
			list = append(list, kernelShape{key.name, key.wg})
		}
	}
	slices.SortFunc(list, func(a, b kernelShape) int { return strings.Compare(a.Name, b.Name) })
	return list
}
