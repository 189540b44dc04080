package ranges

import (
	"cmp"
	"context"

	"golang.org/x/sync/errgroup"

	"github.com/suffixcl/suffixcl/device"
)

// loadBytes is the page-locked memory that loading the text takes: memory of the first device, and of devices that load
// the text once more.
func (r *run[P]) loadBytes() int64 {
	if r.number > 0 && r.sparse.keepsText && (r.dense == nil || r.dense.keepsText) {
		return 0
	}
	return r.delivery.bytes()
}

// loadText has the text on the device, and memory to sort ranges.
func (r *run[P]) loadText(ctx context.Context) error {
	m, s := r.memory, r.session
	for _, l := range []*device.Layout{m.tables, m.coded, r.words[0], m.sorting} {
		if err := l.Allocate(s); err != nil {
			return err
		}
	}
	r.ws = m.ws.Workspace(s)
	if err := r.writeCover(); err != nil {
		return err
	}
	if places := r.options.Packed.places(); len(places) > 0 {
		if err := m.places.Buffer(s).Write(places); err != nil {
			return err
		}
	}
	err := r.host.allocate(s, max(r.loadBytes(), r.blockBytes()))
	if err != nil {
		return err
	}
	return r.load(ctx, r.delivery, r.number)
}

// reload has the text on the device once more, without the others.
func (r *run[P]) reload(ctx context.Context) error {
	alone := r.delivery.parcels
	alone.devices = 1
	return r.load(ctx, newDelivery(r.text, alone), 0)
}

// load brings the text to a device. The first device to which it is delivered sends it.
func (r *run[P]) load(ctx context.Context, d *delivery, device int) error {
	ending, stop := context.WithCancel(ctx)
	defer stop()
	group, working := errgroup.WithContext(ending)
	if device == 0 {
		d.open(r.host.all())
		group.Go(func() error { return d.send(working) })
	}
	err := r.receive(working, d, device)
	if err != nil {
		stop()
	}
	return cmp.Or(context.Cause(ctx), group.Wait(), err)
}
