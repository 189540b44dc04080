package serve

import (
	"errors"
	"fmt"
	"os"
	"runtime"
	"runtime/debug"
)

// watch are the files that an index is read from while it is served.
type watch []watched

type watched struct {
	name string
	info os.FileInfo
}

// add notes what files are. One that is not there is none of the index's.
func (w *watch) add(names ...string) {
	for _, name := range names {
		if info, err := os.Stat(name); err == nil {
			*w = append(*w, watched{name, info})
		}
	}
}

// errChanged says that an answer may be wrong.
var errChanged = errors.New("its files were changed while it was served")

// check returns an error that wraps errChanged if a file was written to. One that was removed, or that another took the
// place of, stays mapped as it was.
func (w watch) check() error {
	for _, f := range w {
		info, err := os.Stat(f.name)
		if err != nil || !os.SameFile(info, f.info) {
			continue
		}
		if info.Size() != f.info.Size() || !info.ModTime().Equal(f.info.ModTime()) {
			return fmt.Errorf("%s: %w", f.name, errChanged)
		}
	}
	return nil
}

// guarded calls f. What the system says of a page that is no longer in a file becomes an error, and so does an index
// out of range: of data that was right when it was opened, they tell that it has changed. This holds for the goroutine
// that calls.
func guarded(f func() error) (err error) {
	faults := debug.SetPanicOnFault(true)
	defer func() {
		debug.SetPanicOnFault(faults)
		switch failure := recover().(type) {
		case nil:
		case runtime.Error:
			err = fmt.Errorf("%w: %w", errChanged, failure)
		default:
			err = fmt.Errorf("serve: %v", failure)
		}
	}()
	return f()
}
