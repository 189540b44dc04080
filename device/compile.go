package device

import (
	"errors"
	"fmt"
	"regexp"
	"strconv"
	"strings"

	"github.com/suffixcl/suffixcl/cl"
)

func (b *builder) compile(text string, resident int) (*cl.Program, error) {
	p, err := b.context.CreateProgramWithSource([]string{text})
	if err != nil {
		return nil, err
	}
	if err := p.BuildProgram([]*cl.Device{b.device}, buildOptions); err != nil {
		p.Release()
		var failed *cl.BuildError
		if errors.As(err, &failed) {
			failed.Log = inFiles(failed.Log, text)
		}
		return nil, err
	}
	b.compiled++
	if resident > 0 {
		p = b.withResident(p, resident)
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
func (b *builder) withResident(p *cl.Program, resident int) *cl.Program {
	binary, err := p.Binary(b.device)
	if err != nil {
		return p
	}
	patched := reqntid.ReplaceAll(binary, fmt.Appendf(nil, "$0\n.minnctapersm %d", resident))
	if better := b.fromBinary(patched); better != nil {
		p.Release()
		return better
	}
	return p
}

var reqntid = regexp.MustCompile(`(?m)^\.reqntid .*$`)

// fromBinary builds a program of a binary, or returns nil if the driver refuses it.
func (b *builder) fromBinary(binary []byte) *cl.Program {
	p, err := b.context.CreateProgramWithBinary([]*cl.Device{b.device}, [][]byte{binary})
	if err != nil {
		return nil
	}
	if err := p.BuildProgram([]*cl.Device{b.device}, buildOptions); err != nil {
		p.Release()
		return nil
	}
	return p
}
