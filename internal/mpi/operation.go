package mpi

import (
	"context"
	"fmt"
	"runtime"
	"sync"
	"time"
)

// Status says what was received.
type Status struct {
	Source, Tag int
	// Count is the number of elements.
	Count int

	bytes int
}

// maxPart is the most bytes, or elements of a reduction, that one call of the library is given: counts are of type int.
var maxPart = 1 << 30

// operation is a call of this package while it is under way: requests of the library, and what is pinned for them.
type operation struct {
	l        *library
	thread   *thread
	pin      runtime.Pinner
	requests []*uint64
	poller   *poller
	last     Status // of the request that ended last
	failed   error  // of the first request that did
}

// poller is the memory that MPI_Test writes to.
type poller struct {
	status [16]int32
	flag   int32
	count  int32
}

// abandoned are operations that were left before their end; the library may still use their memory.
var abandoned struct {
	sync.Mutex
	list []*operation
}

// bytes pins memory, and returns its address; 0 for none.
func (o *operation) bytes(b []byte) uintptr {
	if len(b) == 0 {
		return 0
	}
	o.pin.Pin(&b[0])
	return address(&b[0])
}

// words pins a list.
func words[T int32 | int64](o *operation, list []T) uintptr {
	if len(list) == 0 {
		return 0
	}
	o.pin.Pin(&list[0])
	return address(&list[0])
}

// start calls f, whose last argument is a request.
func (o *operation) start(f function, args ...uintptr) error {
	request := new(uint64)
	o.pin.Pin(request)
	if err := o.l.call(f, append(args, address(request))...); err != nil {
		return err
	}
	o.requests = append(o.requests, request)
	return nil
}

// poll tests the requests for some time, and tells whether all have ended.
func (o *operation) poll(limit time.Duration) (bool, error) {
	for began := time.Now(); ; {
		for len(o.requests) > 0 {
			ended, err := o.test()
			if !ended {
				break
			}
			o.requests = o.requests[1:]
			if o.failed == nil {
				o.failed = err
			}
		}
		if len(o.requests) == 0 {
			return true, o.failed
		}
		if time.Since(began) > limit || o.thread.contended() {
			return false, nil
		}
	}
}

// test tells whether the first request has ended.
func (o *operation) test() (bool, error) {
	p := o.poller
	if err := o.l.call(mpiTest, address(o.requests[0]), address(&p.flag), address(&p.status[0])); err != nil {
		return true, err
	}
	if p.flag == 0 {
		return false, nil
	}
	o.read()
	return true, nil
}

// read takes what the status says.
func (o *operation) read() {
	p, a := o.poller, o.l.abi
	o.last = Status{Source: int(p.status[a.statusSource]), Tag: int(p.status[a.statusTag]), bytes: o.last.bytes}
	if err := o.l.call(mpiGetCount, address(&p.status[0]), a.typeByte, address(&p.count)); err == nil && p.count > 0 {
		o.last.bytes += int(p.count)
	}
}

// The library is polled for a slice of time. Then the goroutine sleeps for a share of the time that it has waited, and
// polls for a share of that: ranks that wait leave the processor to those that compute.
const (
	slice      = 50 * time.Microsecond
	sleepShare = 16
	maxSleep   = 200 * time.Microsecond
	pollShare  = 8
)

// run begins an operation on the thread of MPI, and waits for it. Where it is left before its end, broken is called.
func run(ctx context.Context, l *library, t *thread, broken func(error), begin func(*operation) error) (Status, error) {
	if err := context.Cause(ctx); err != nil {
		return Status{}, err
	}
	o := &operation{l: l, thread: t, poller: new(poller)}
	o.pin.Pin(o.poller)
	var (
		done bool
		err  error
	)
	began := time.Now()
	t.do(func() {
		if err = begin(o); err == nil {
			done, err = o.poll(slice)
		}
	})
	for err == nil && !done {
		if ctx.Err() != nil {
			err = context.Cause(ctx)
			break
		}
		pause := min(time.Since(began)/sleepShare, maxSleep)
		time.Sleep(pause)
		t.do(func() { done, err = o.poll(pause / pollShare) })
	}
	if len(o.requests) > 0 {
		abandoned.Lock()
		abandoned.list = append(abandoned.list, o)
		abandoned.Unlock()
		outstanding.Add(1)
		broken(fmt.Errorf("%w: %w", ErrBroken, err))
		return Status{}, err
	}
	o.pin.Unpin()
	return o.last, err
}

// parts calls f for each part of n bytes or elements, in order.
func parts(n int, f func(from, to int) error) error {
	for from := 0; from < n; from += maxPart {
		if err := f(from, min(n, from+maxPart)); err != nil {
			return err
		}
	}
	return nil
}
