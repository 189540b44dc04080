package serve

import (
	"context"
	"errors"
	"sync"

	"github.com/suffixcl/suffixcl/device"
	"github.com/suffixcl/suffixcl/patterns"
)

// errStopped is that of requests that wait when the service ends.
var errStopped = errors.New("the service ends")

// searcher is an FM-index on a device.
type searcher interface {
	Count(ctx context.Context, b *patterns.Batch) ([]uint32, error)
	Locate(ctx context.Context, b *patterns.Batch, emit func(pattern int, positions []uint32) error) error
	Close() error
}

// asked is a pattern that waits for a launch, in bytes as a batch has them, and what is found.
type asked struct {
	ctx       context.Context // of the request
	pattern   []byte
	places    bool
	count     int64
	positions []uint32 // ascending, of a pattern with few enough
	err       error
	done      chan struct{}
}

// batcher gathers patterns into launches: what waits when one is done is the next.
type batcher struct {
	searcher searcher
	symbol   int // bytes of one
	maxHits  int
	told     func(requests int)

	lock    sync.Mutex
	waiting []*asked
	stopped bool
	wake    chan struct{}
	ended   chan struct{}
	ctx     context.Context
	stop    context.CancelCauseFunc
}

// Most of a launch.
const (
	batchPatterns = 1 << 16
	batchBytes    = 16 << 20
)

// newBatcher begins to serve. stop ends it.
func newBatcher(s searcher, symbol, maxHits int, told func(requests int)) *batcher {
	if told == nil {
		told = func(int) {}
	}
	b := &batcher{searcher: s, symbol: symbol, maxHits: maxHits, told: told,
		wake: make(chan struct{}, 1), ended: make(chan struct{})}
	b.ctx, b.stop = context.WithCancelCause(context.Background())
	go b.serve()
	return b
}

// ask waits for patterns, of which each is one of the request. Errors: the context's, the device's, errStopped.
func (b *batcher) ask(ctx context.Context, places bool, list ...[]byte) ([]*asked, error) {
	all := make([]*asked, len(list))
	for i, pattern := range list {
		all[i] = &asked{ctx: ctx, pattern: pattern, places: places, done: make(chan struct{})}
	}
	b.lock.Lock()
	if b.stopped {
		b.lock.Unlock()
		return nil, errStopped
	}
	b.waiting = append(b.waiting, all...)
	b.lock.Unlock()
	select {
	case b.wake <- struct{}{}:
	default:
	}
	for _, a := range all {
		select {
		case <-a.done:
		case <-ctx.Done():
			return nil, context.Cause(ctx)
		}
		if a.err != nil {
			return nil, a.err
		}
	}
	return all, nil
}

func (b *batcher) serve() {
	defer close(b.ended)
	for {
		select {
		case <-b.wake:
		case <-b.ctx.Done():
			return
		}
		for batch := b.take(); len(batch) > 0; batch = b.take() {
			b.answer(batch)
		}
	}
}

// take takes what waits, up to the most of a launch, but what nobody waits for.
func (b *batcher) take() (batch []*asked) {
	b.lock.Lock()
	defer b.lock.Unlock()
	bytes, taken := 0, 0
	for _, a := range b.waiting {
		if bytes += len(a.pattern); taken > 0 && (bytes > batchBytes || len(batch) == batchPatterns) {
			break
		}
		taken++
		if a.ctx.Err() == nil {
			batch = append(batch, a)
		}
	}
	rest := copy(b.waiting, b.waiting[taken:])
	clear(b.waiting[rest:])
	b.waiting = b.waiting[:rest]
	return batch
}

// answer answers a batch, in two halves where it does not fit the memory of the device.
func (b *batcher) answer(batch []*asked) {
	err := b.launch(batch)
	var memory *device.MemoryError
	if errors.As(err, &memory) && len(batch) > 1 {
		b.answer(batch[:len(batch)/2])
		b.answer(batch[len(batch)/2:])
		return
	}
	b.told(len(batch))
	for _, a := range batch {
		a.err = err
		close(a.done)
	}
}

// launch counts all patterns, and locates those that are asked for and have few enough occurrences.
func (b *batcher) launch(batch []*asked) error {
	all := patterns.Batch{SymbolBytes: b.symbol}
	for _, a := range batch {
		if err := all.Add(a.pattern); err != nil {
			return err
		}
	}
	counts, err := b.searcher.Count(b.ctx, &all)
	if err != nil {
		return err
	}
	some := patterns.Batch{SymbolBytes: b.symbol}
	var of [][]*asked // those of each pattern of some
	seen := map[string]int{}
	for i, a := range batch {
		a.count = int64(counts[i])
		if !a.places || a.count == 0 || a.count > int64(b.maxHits) {
			continue
		}
		k, ok := seen[string(a.pattern)]
		if !ok {
			k = len(of)
			seen[string(a.pattern)] = k
			of = append(of, nil)
			if err := some.Add(a.pattern); err != nil {
				return err
			}
		}
		of[k] = append(of[k], a)
	}
	if len(of) == 0 {
		return nil
	}
	return b.searcher.Locate(b.ctx, &some, func(pattern int, positions []uint32) error {
		kept := append([]uint32(nil), positions...)
		for _, a := range of[pattern] {
			a.positions = kept
		}
		return nil
	})
}

// close ends the launches; what waits gets an error.
func (b *batcher) close() error {
	b.lock.Lock()
	b.stopped = true
	b.lock.Unlock()
	b.stop(errStopped)
	<-b.ended
	b.lock.Lock()
	defer b.lock.Unlock()
	for _, a := range b.waiting {
		a.err = errStopped
		close(a.done)
	}
	b.waiting = nil
	return b.searcher.Close()
}
