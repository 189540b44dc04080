package ranges

import (
	"context"
	"sync"
	"sync/atomic"

	"github.com/suffixcl/suffixcl/device"
	"github.com/suffixcl/suffixcl/internal/async"
)

// mostTogether is the most bits of a character of texts that devices load together: wider ones are copied to each as
// they are in less time than they come from the others.
const mostTogether = 4

// together has the devices of this process load the text. Each takes pieces, packs them, and passes them on packed: so
// every character goes to one device, and 0.25 bytes of DNA to the others.
type together struct {
	devices int
	mu      sync.Mutex
	rounds  []*round // attempts, by different codes
}

func newTogether(devices int) *together { return &together{devices: devices} }

// round is attempt number k.
func (t *together) round(k int) *round {
	t.mu.Lock()
	defer t.mu.Unlock()
	for len(t.rounds) <= k {
		t.rounds = append(t.rounds, newRound(t.devices))
	}
	return t.rounds[k]
}

// round is the text on its way to all devices.
type round struct {
	taken atomic.Int64  // pieces
	boxes []chan parcel // of each device: what others have packed

	mu      sync.Mutex
	agreed  int
	strange int    // characters without a code
	sum     uint64 // of all pieces
	all     chan struct{}
}

func newRound(devices int) *round {
	r := &round{boxes: make([]chan parcel, devices), all: make(chan struct{})}
	for k := range r.boxes {
		r.boxes[k] = make(chan parcel)
	}
	return r
}

// take is the number of the next piece.
func (r *round) take() int { return int(r.taken.Add(1)) - 1 }

// agree waits for what all devices have found, and returns how many characters have no code. A text that is not what it
// was is an error.
func (r *round) agree(ctx context.Context, text *Text, strange int, sum uint64) (int, error) {
	r.mu.Lock()
	r.agreed, r.strange, r.sum = r.agreed+1, r.strange+strange, r.sum+sum
	if r.agreed == len(r.boxes) {
		close(r.all)
	}
	r.mu.Unlock()
	select {
	case <-r.all:
		return r.strange, text.same(r.sum)
	case <-ctx.Done():
		return 0, context.Cause(ctx)
	}
}

// words are some of the packed text.
type words struct{ at, n int }

// parcel is a part of the packed text on its way to another device.
type parcel struct {
	words
	host []uint64        // of the device that has packed it
	read *sync.WaitGroup // told when it has been copied
}

// courier passes on what a device has packed.
type courier struct {
	reader *async.Reader
	host   [parcelsAtOnce][]uint64 // page-locked memory for parcels, by turns
	orders chan words              // which the device has finished
}

// parcelsAtOnce is how many parcels of a device are on their way, and how many come to it.
const parcelsAtOnce = 2

// openCourier opens a courier for so many parcels of most words. Its reader must be closed.
func (r *run[P]) openCourier(host *pinned, parcels, most int) (*courier, error) {
	reader, err := async.OpenReader(r.session)
	c := &courier{reader: reader, orders: make(chan words, parcels)}
	for k := range c.host {
		c.host[k] = take[uint64](host, most)
	}
	return c, err
}

// send passes the words of all orders on to the other devices. While they copy a parcel, the next one comes. Nobody
// reads a parcel any more when it returns.
func (c *courier) send(ctx context.Context, packed *device.Buffer[uint64], round *round, from int) error {
	var read [parcelsAtOnce]sync.WaitGroup
	defer func() {
		for k := range read {
			read[k].Wait()
		}
	}()
	turn := 0
	for {
		var w words
		var ok bool
		select {
		case w, ok = <-c.orders:
		case <-ctx.Done():
			return context.Cause(ctx)
		}
		if !ok {
			return nil
		}
		read[turn].Wait()
		host := c.host[turn][:w.n]
		if err := async.Read(c.reader, packed.View(w.at, w.n), host).Wait(); err != nil {
			return err
		}
		for q, box := range round.boxes {
			if q == from {
				continue
			}
			read[turn].Add(1)
			select {
			case box <- parcel{w, host, &read[turn]}:
			case <-ctx.Done():
				read[turn].Done()
				return context.Cause(ctx)
			}
		}
		turn = (turn + 1) % parcelsAtOnce
	}
}
