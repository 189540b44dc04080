package device

import (
	"fmt"
	"slices"

	"github.com/suffixcl/suffixcl/cl"
)

const (
	maxInstances = 16
	// fewArgs are set again rather than that an instance is made: where counters are, and the number of an answer, are
	// others in each run.
	fewArgs = 2
)

// make makes the kernel, if it has not been made.
func (k *Kernel) make() error {
	if len(k.instances) > 0 {
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
	k.instances = []*instance{{Kernel: kernel}}
	return nil
}

// release releases the instances.
func (k *Kernel) release() {
	for _, i := range k.instances {
		i.Release()
	}
	k.instances = nil
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

// resolve appends arguments to those of the next launch.
func (k *Kernel) resolve(args []any) error {
	for _, a := range args {
		switch a := a.(type) {
		case []any:
			if err := k.resolve(a); err != nil {
				return err
			}
		case kernelBuffer:
			mem, err := a.kernelArg(k.s)
			if err != nil {
				return fmt.Errorf("argument %d: %w", len(k.args), err)
			}
			k.args = append(k.args, mem)
			if v := a.span(); k.s.bounds != nil && v.of != nil {
				k.views = append(k.views, v)
			}
		case nil:
			k.args = append(k.args, (*cl.MemObject)(nil))
		default:
			k.args = append(k.args, a)
		}
	}
	return nil
}

// choose returns an instance that has the arguments, or most of them, or none yet.
func (k *Kernel) choose() (*instance, error) {
	best, fewest := 0, len(k.args)+1
	for j := 0; j < len(k.instances) && fewest > 0; j++ {
		at := (k.last + 1 + j) % len(k.instances) // launches come in the same order again
		if others := k.instances[at].others(k.args, fewest); others < fewest {
			best, fewest = at, others
		}
	}
	if most := len(k.instances); fewest > fewArgs && most < maxInstances && !k.s.caps.CPUShape &&
		k.instances[best].args != nil {
		kernel, err := k.program.program.CreateKernel(k.name)
		if err != nil {
			return nil, err
		}
		best = (k.last + 1) % (most + 1)
		k.instances = slices.Insert(k.instances, best, &instance{Kernel: kernel})
	}
	k.last = best
	return k.instances[best], nil
}

// others counts the arguments that are not set so, up to a number.
func (i *instance) others(args []any, most int) (count int) {
	if len(i.args) != len(args) {
		return len(args)
	}
	for a := 0; a < len(args) && count < most; a++ {
		if !equal(args[a], i.args[a]) {
			count++
		}
	}
	return count
}

// equal tells whether arguments are the same. What is not compared may be.
func equal(a, b any) bool {
	switch a := a.(type) {
	case *cl.MemObject:
		b, ok := b.(*cl.MemObject)
		return ok && a == b
	case uint32:
		b, ok := b.(uint32)
		return ok && a == b
	case uint64:
		b, ok := b.(uint64)
		return ok && a == b
	}
	return false
}

// set sets the arguments that are not set so.
func (i *instance) set(args []any) error {
	if len(i.args) != len(args) {
		i.args = make([]any, len(args))
	}
	for a, arg := range args {
		if equal(arg, i.args[a]) {
			continue
		}
		i.args[a] = nil
		if err := i.SetArg(a, arg); err != nil {
			return fmt.Errorf("argument %d: %w", a, err)
		}
		i.args[a] = arg
	}
	return nil
}

func (k *Kernel) launch(groups int, bytes int64, args []any) error {
	s := k.s
	if err := k.make(); err != nil {
		return err
	}
	k.args, k.views = k.args[:0], k.views[:0]
	if err := k.resolve(args); err != nil {
		return err
	}
	if want, got := k.instances[0].NumArgs(), len(k.args); want != got {
		return fmt.Errorf("%d arguments, wants %d", got, want)
	}
	if k.signature != nil {
		if _, err := k.signature.check(0, args); err != nil {
			return err
		}
	}
	kernel, err := k.choose()
	if err == nil {
		err = kernel.set(k.args)
	}
	if err != nil {
		return err
	}
	if s.hooks.Launched != nil {
		s.hooks.Launched(k.name, groups)
	}
	if s.bounds != nil {
		return s.bounds.launch(k.views, func() error { return k.enqueue(kernel, groups, bytes) })
	}
	return k.enqueue(kernel, groups, bytes)
}

// enqueue enqueues an instance that has its arguments.
func (k *Kernel) enqueue(kernel *instance, groups int, bytes int64) error {
	q := &k.s.queue
	global, local := [1]int{groups * k.wg}, [1]int{k.wg}
	e, err := (*cl.Event)(nil), q.launches.lock(q.commands)
	if err != nil {
		return err
	}
	if q.profile.enabled {
		e, err = q.commands.EnqueueNDRangeKernel(kernel.Kernel, nil, global[:], local[:], nil)
	} else {
		err = q.commands.EnqueueNDRangeKernelNoEvent(kernel.Kernel, nil, global[:], local[:], nil)
	}
	q.launches.unlock()
	if err != nil {
		return err
	}
	q.launched.note(k.name)
	if e != nil {
		q.record(e, k.name, bytes)
	}
	return nil
}
