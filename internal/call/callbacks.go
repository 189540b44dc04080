package call

import (
	"bytes"
	"runtime"
	"strconv"
	"sync"
	"sync/atomic"
)

// callbacks are the goroutines in which the call that runs may call functions of the caller: its own, the one that
// reads and writes for a stream, and those that hand out results. An engine call from there comes from such a function,
// since the call itself makes none.
type callbacks struct {
	// By place: these do not end before the call, or before they have said so.
	own      atomic.Uint64
	gathered sync.Map // goroutines that receive what was asked together, true

	// By number.
	stream  atomic.Uint64
	several sync.Map // goroutines that hand out blocks in any order, true
}

// here tells whether this goroutine is one of them. Its number is asked for only where there are some.
func (c *callbacks) here() bool {
	here := place()
	if here == c.own.Load() {
		return true
	}
	if _, receives := c.gathered.Load(here); receives {
		return true
	}
	some := c.stream.Load() != 0
	c.several.Range(func(any, any) bool {
		some = true
		return false
	})
	return some && c.numbered(goroutine())
}

// numbered is here for those that are known by number.
func (c *callbacks) numbered(id uint64) bool {
	if id == 0 {
		return false
	}
	_, one := c.several.Load(id)
	return one || id == c.stream.Load()
}

// receive says that this goroutine receives, until it says that it has.
func (c *callbacks) receive() (received func()) {
	here := place()
	c.gathered.Store(here, true)
	return func() { c.gathered.Delete(here) }
}

func (c *callbacks) reset() {
	c.own.Store(0)
	c.stream.Store(0)
	c.several.Clear()
}

// goroutine is the number of this goroutine. The runtime tells it in traces only: "goroutine 7 [running]:".
// Nothing but the recognition of callbacks depends on it. It takes some microseconds.
func goroutine() uint64 {
	var trace [64]byte
	fields := bytes.Fields(trace[:runtime.Stack(trace[:], false)])
	if len(fields) < 2 {
		return 0
	}
	id, _ := strconv.ParseUint(string(fields[1]), 10, 64) // 0 is none
	return id
}
