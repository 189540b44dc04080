package device

import (
	"fmt"
	"reflect"

	"github.com/suffixcl/suffixcl/cl"
)

// Kernel is a kernel with its work-group size. It is made at its first launch. Its session releases it.
type Kernel struct {
	s       *Session
	program *Program
	kernelKey
	kernel    *cl.Kernel // nil before the first launch
	wanted    bool       // see Session.rarely
	signature signature  // nil unless launches are checked
}

// kernelKey tells the kernels of a program apart.
type kernelKey struct {
	name string
	wg   int
}

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

// make makes the kernel, if it has not been made.
func (k *Kernel) make() error {
	if k.kernel != nil {
		return nil
	}
	if err := k.program.build(); err != nil {
		return err
	}
	kernel, err := k.program.program.CreateKernel(k.name)
	if err != nil {
		return err
	}
	err = k.fits(kernel)
	if err == nil && k.s.hooks.Signatures {
		k.signature, err = signatureOf(kernel)
	}
	if err != nil {
		kernel.Release()
		return err
	}
	k.kernel = kernel
	return nil
}

// fits returns an error unless the kernel runs with work-groups of its size.
func (k *Kernel) fits(kernel *cl.Kernel) error {
	d := k.s.device
	compiled, err := kernel.CompileWorkGroupSize(d)
	if err != nil {
		return err
	}
	if compiled[0] != 0 {
		// With a compiled size rusticl reports too small a limit, and every driver has checked it in the build.
		if compiled != [3]int{k.wg, 1, 1} {
			return fmt.Errorf("compiled for work-groups of %v, launched with %d", compiled, k.wg)
		}
		return nil
	}
	limit, err := kernel.WorkGroupSize(d)
	if err == nil && k.wg > limit {
		err = fmt.Errorf("needs work-groups of %d, %s runs at most %d", k.wg, k.s.caps.Name, limit)
	}
	return err
}

// kernelBuffer is implemented by *Buffer[T].
type kernelBuffer interface {
	kernelArg(s *Session) (*cl.MemObject, error)
	element() reflect.Type
}

// Launch enqueues the kernel with a number of work-groups. 0 work-groups enqueue nothing. bytes is the memory traffic
// that the launch has to cause, for the profile. Arguments stand in the kernel's order. Each is one of these:
//   - a *[Buffer]; nil is a null pointer;
//   - a number of fixed width, or an array of them;
//   - a []any, a list of arguments, as of [Buffer.Args].
//
// Errors are sticky, those of building the program included.
func (k *Kernel) Launch(groups int, bytes int64, args ...any) {
	s := k.s
	if s.queue.err != nil || groups == 0 {
		return
	}
	if err := k.launch(groups, bytes, args); err != nil {
		s.Fail(fmt.Errorf("kernel %s: %w", k.name, err))
	}
}

// count is the number of arguments, those of lists included.
func count(args []any) int {
	n := len(args)
	for _, a := range args {
		if list, ok := a.([]any); ok {
			n += count(list) - 1
		}
	}
	return n
}

// set sets the arguments from number `at` on, and returns the next.
func (k *Kernel) set(at int, args []any) (int, error) {
	for _, a := range args {
		var err error
		switch a := a.(type) {
		case []any:
			if at, err = k.set(at, a); err != nil {
				return at, err
			}
			continue
		case kernelBuffer:
			var mem *cl.MemObject
			if mem, err = a.kernelArg(k.s); err == nil {
				err = k.kernel.SetArg(at, mem)
			}
		case nil:
			err = k.kernel.SetArg(at, (*cl.MemObject)(nil))
		default:
			err = k.kernel.SetArg(at, a)
		}
		if err != nil {
			return at, fmt.Errorf("argument %d: %w", at, err)
		}
		at++
	}
	return at, nil
}

func (k *Kernel) launch(groups int, bytes int64, args []any) error {
	s := k.s
	if err := k.make(); err != nil {
		return err
	}
	if want, got := k.kernel.NumArgs(), count(args); want != got {
		return fmt.Errorf("%d arguments, wants %d", got, want)
	}
	if k.signature != nil {
		if _, err := k.signature.check(0, args); err != nil {
			return err
		}
	}
	if _, err := k.set(0, args); err != nil {
		return err
	}
	if s.hooks.Launched != nil {
		s.hooks.Launched(k.name, groups)
	}
	global, local := [1]int{groups * k.wg}, [1]int{k.wg}
	if !s.queue.profile.enabled {
		return s.queue.commands.EnqueueNDRangeKernelNoEvent(k.kernel, nil, global[:], local[:], nil)
	}
	e, err := s.queue.commands.EnqueueNDRangeKernel(k.kernel, nil, global[:], local[:], nil)
	if err != nil {
		return err
	}
	s.queue.record(e, k.name, bytes)
	return nil
}
