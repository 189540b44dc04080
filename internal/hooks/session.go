package hooks

import (
	"sync"
	"sync/atomic"
)

// Session is what a session of package device does for tests, beside its work. What is nil or false is not done.
type Session struct {
	// Signatures has the arguments of each launch compared with the declaration of the kernel, where the driver
	// tells that. A difference fails the launch.
	Signatures bool
	// Edit returns what is compiled instead of the text of a program.
	Edit func(text string) string
	// Fill writes what memory holds before anything has been written there: that of a new buffer, and of each
	// piece carved from a workspace.
	Fill func(memory []byte)
	// Launched is told of each launch.
	Launched func(kernel string, groups int)
	// ReadBack is told what Buffer.Read returns: counts, as a rule, by which the host goes on.
	ReadBack func(memory []byte)
}

var (
	opening sync.Mutex
	session atomic.Pointer[Session]
)

// Opening has the sessions that open opens do as h says, until they are closed. It calls open, and waits for
// another such call to return.
func Opening(h Session, open func()) {
	opening.Lock()
	defer opening.Unlock()
	session.Store(&h)
	defer session.Store(nil)
	open()
}

// ForSession is what a session that is opened now does for tests.
func ForSession() Session {
	if h := session.Load(); h != nil {
		return *h
	}
	return Session{}
}
