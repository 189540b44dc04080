package device

import (
	"cmp"

	"github.com/suffixcl/suffixcl/cl"
)

// launch runs a launch with these views. The error says what the kernel has overwritten.
func (b *bounds) launch(views []view, run func() error) error {
	b.mu.Lock()
	defer b.mu.Unlock()
	if err := b.session.finishTransfers(); err != nil {
		return err
	}
	commands, zones := b.session.queue.commands, redZones(views)
	for i := range zones {
		b.fill(zones[i].poison)
	}
	if err := cmp.Or(
		transferZones(zones, func(z *watched) []byte { return z.saved }, commands.EnqueueReadBuffer),
		transferZones(zones, func(z *watched) []byte { return z.poison }, commands.EnqueueWriteBuffer),
	); err != nil {
		return err
	}
	if err := run(); err != nil {
		return err
	}
	if err := cmp.Or(
		transferZones(zones, func(z *watched) []byte { return z.found }, commands.EnqueueReadBuffer),
		transferZones(zones, func(z *watched) []byte { return z.saved }, commands.EnqueueWriteBuffer),
	); err != nil {
		return err
	}
	for i := range zones {
		if err := zones[i].compare(views); err != nil {
			return err
		}
	}
	return nil
}

// fill fills memory with poison.
func (b *bounds) fill(memory []byte) {
	for len(memory) > 0 {
		memory = memory[copy(memory, b.poison(int64(len(memory)))):]
	}
}

// finishTransfers waits for what other queues have begun.
func (s *Session) finishTransfers() error {
	for _, q := range []*cl.CommandQueue{s.uploads.commands, s.downloads.commands} {
		if q != nil {
			if err := q.Finish(); err != nil {
				return err
			}
		}
	}
	return nil
}
