package device

import (
	"fmt"

	"github.com/suffixcl/suffixcl/cl"
)

// Kernel is a kernel with its work-group size, ready to launch.
type Kernel struct {
	s      *Session
	kernel *cl.Kernel
	name   string
	wg     int
}

// Kernel returns the kernel of that name. wg is the work-group size that the
// program was compiled for; a different one in the binary is an error, and so is
// one that the device cannot run.
func (p *Program) Kernel(name string, wg int) (*Kernel, error) {
	k, err := p.program.CreateKernel(name)
	if err != nil {
		return nil, fmt.Errorf("device: kernel %s: %w", name, err)
	}
	if fit, known := p.groups[name]; !known || fit != wg {
		if err := p.fits(k, name, wg); err != nil {
			k.Release()
			return nil, err
		}
		p.groups[name] = wg
	}
	return &Kernel{s: p.s, kernel: k, name: name, wg: wg}, nil
}

// fits returns an error unless a kernel runs with work-groups of that size.
func (p *Program) fits(k *cl.Kernel, name string, wg int) error {
	d := p.s.device
	compiled, err := k.CompileWorkGroupSize(d)
	if err == nil && compiled[0] != 0 && compiled != [3]int{wg, 1, 1} {
		err = fmt.Errorf("device: kernel %s is compiled for work-groups of %v, launched with %d", name, compiled, wg)
	}
	if err == nil && compiled[0] == 0 {
		// With a compiled size rusticl reports too little, and every driver has
		// checked it in the build.
		var most int
		if most, err = k.WorkGroupSize(d); err == nil && wg > most {
			err = fmt.Errorf("device: kernel %s needs work-groups of %d, %s runs at most %d", name, wg, p.s.caps.Name, most)
		}
	}
	return err
}

// Kernels fetches several kernels of one work-group size into their places, or
// none of them.
func (p *Program) Kernels(wg int, places map[string]**Kernel) error {
	for name, place := range places {
		k, err := p.Kernel(name, wg)
		if err != nil {
			for _, place := range places {
				(*place).Release()
				*place = nil
			}
			return err
		}
		*place = k
	}
	return nil
}

// Release frees the kernel; enqueued launches are not affected.
func (k *Kernel) Release() {
	if k != nil {
		k.kernel.Release()
	}
}

// kernelBuffer is implemented by *Buffer[T].
type kernelBuffer interface {
	kernelArg(s *Session) (*cl.MemObject, error)
}

// Launch enqueues groups work-groups. bytes is the memory traffic that the
// launch has to cause, for the profile. Arguments are buffers (nil is a null
// pointer), fixed-width scalars, and lists of arguments ([Buffer.Args]), in the kernel's order. Errors are sticky.
// Zero groups enqueue nothing.
func (k *Kernel) Launch(groups int, bytes int64, args ...any) {
	s := k.s
	if s.err != nil || groups == 0 {
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
				err = k.kernel.SetArgBuffer(at, mem)
			}
		case nil:
			err = k.kernel.SetArgBuffer(at, nil)
		case uint32:
			err = k.kernel.SetArgUint32(at, a)
		case uint64:
			err = k.kernel.SetArgUint64(at, a)
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
	if want, got := k.kernel.NumArgs(), count(args); want != got {
		return fmt.Errorf("%d arguments, wants %d", got, want)
	}
	if _, err := k.set(0, args); err != nil {
		return err
	}
	global, local := [1]int{groups * k.wg}, [1]int{k.wg}
	if !s.profile.enabled {
		return s.queue.EnqueueNDRangeKernelNoEvent(k.kernel, nil, global[:], local[:], nil)
	}
	e, err := s.queue.EnqueueNDRangeKernel(k.kernel, nil, global[:], local[:], nil)
	if err != nil {
		return err
	}
	s.record(e, k.name, bytes)
	return nil
}

// Groups is the number of work-groups that cover n elements with tiles of tile.
func Groups(n, tile int) int { return (n + tile - 1) / tile }
