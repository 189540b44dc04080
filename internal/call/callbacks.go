package call

import (
	"bytes"
	"runtime"
	"strconv"
	"sync"
	"sync/atomic"
)

// callbacks are the goroutines in which the call that runs may call functions of the caller: its own, and the one that
// reads and writes for a stream. An engine call from there comes from such a function, since the call itself makes
// none.
type callbacks struct {
	own, stream atomic.Uint64
	several     sync.Map // goroutines that hand out blocks in any order, true
}

// here tells whether this goroutine is one of them. Its number is asked for only where there are some.
func (c *callbacks) here() bool {
	some := c.own.Load() != 0 || c.stream.Load() != 0
	if !some {
		c.several.Range(func(any, any) bool {
			some = true
			return false
		})
	}
	return some && c.has(goroutine())
}

func (c *callbacks) has(id uint64) bool {
	if id == 0 {
		return false
	}
	_, one := c.several.Load(id)
	return one || id == c.own.Load() || id == c.stream.Load()
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
