package device

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/suffixcl/suffixcl/cl"
	"github.com/suffixcl/suffixcl/internal/hooks"
)

// serveBuilds is the work of a helper: it reads an order and requests, and writes replies, until the requests end.
func serveBuilds(in io.Reader, out io.Writer) error {
	requests := json.NewDecoder(in)
	var o order
	if err := requests.Decode(&o); err != nil {
		return fmt.Errorf("device: a helper is started by a session: %w", err)
	}
	b, err := openBuilder(o)
	if err != nil {
		return err
	}
	defer b.context.Release()
	if _, err := fmt.Fprintln(out, greeting); err != nil {
		return err
	}
	replies := json.NewEncoder(out)
	for {
		var r request
		if err := requests.Decode(&r); errors.Is(err, io.EOF) {
			return nil
		} else if err != nil {
			return err
		}
		answer := reply{Key: r.Key}
		if err := b.serve(r); err != nil {
			answer.Error = err.Error()
		}
		if err := replies.Encode(answer); err != nil {
			return err
		}
	}
}

// openBuilder opens the device of an order. Of several that are the same any will do.
func openBuilder(o order) (*builder, error) {
	devices, err := List()
	if err != nil {
		return nil, err
	}
	for _, d := range devices {
		caps := identify(d)
		b := newBuilder(&caps, d.Platform().Version(), "off")
		if b.identity != o.Identity {
			continue
		}
		b.disk = diskCache{dir: o.Cache, limit: cacheLimit}
		b.device = d
		b.context, err = cl.CreateContext([]*cl.Device{d})
		return &b, err
	}
	return nil, noDevice{fmt.Errorf("no device is %q", o.Identity)}
}

// serve builds a program and leaves it in the cache, or launches its kernels for the driver's.
func (b *builder) serve(r request) error {
	defer hooks.Begin("program " + strings.Join(filesOf(r.Text), "+"))()
	var p *cl.Program
	if len(r.Binary) > 0 {
		p = b.fromBinary(r.Binary)
	}
	if p == nil {
		var err error
		if p, err = b.compile(r.Text, r.Resident); err != nil {
			return err
		}
	}
	defer p.Release()
	if b.disk.dir != "" {
		binary, err := p.Binary(b.device)
		if err != nil {
			return err
		}
		b.disk.store(r.Key, binary)
	}
	return b.rehearse(p, r.Kernels)
}

// filesOf are the files of an assembled text, but for those that all have.
func filesOf(text string) (names []string) {
	for line := range strings.Lines(text) {
		name, ok := strings.CutPrefix(line, `#line 1 "`)
		if name = strings.TrimSuffix(name, "\"\n"); ok && strings.HasSuffix(name, ".cl") && name != "common.cl" {
			names = append(names, name)
		}
	}
	return names
}

// rehearse launches kernels for nothing: they end at once in three dimensions (see rehearsable).
func (b *builder) rehearse(p *cl.Program, kernels []kernelShape) error {
	if len(kernels) == 0 {
		return nil
	}
	q, err := b.context.CreateCommandQueue(b.device, 0)
	if err != nil {
		return err
	}
	defer q.Release()
	for _, shape := range kernels {
		if err := launchNothing(q, p, shape); err != nil {
			return err
		}
	}
	return q.Finish()
}

func launchNothing(q *cl.CommandQueue, p *cl.Program, shape kernelShape) error {
	k, err := p.CreateKernel(shape.Name)
	if err != nil {
		return err
	}
	defer k.Release()
	for i := range k.NumArgs() {
		if err := setNothing(k, i); err != nil {
			return err
		}
	}
	size := []int{shape.WG, 1, 1}
	if err := q.EnqueueNDRangeKernelNoEvent(k, nil, size, size, nil); err != nil {
		return err
	}
	return q.Finish()
}

// setNothing sets an argument to NULL, or to a 0 of its size.
func setNothing(k *cl.Kernel, i int) (err error) {
	for _, nothing := range []any{(*cl.MemObject)(nil), uint32(0), uint64(0), uint8(0), uint16(0)} {
		if err = k.SetArg(i, nothing); err == nil {
			return nil
		}
	}
	return err
}
