package cli

import (
	"bytes"
	"io"
)

// ReadAhead begins to read the text while its reader does other work, up to so many bytes. Reading waits for them, and
// goes on after them: it gives the same text, and the same error in the same place. Only regular files are read ahead:
// what comes from another process is waited for where that can be interrupted.
func (in *Input) ReadAhead(limit int64) {
	if in.Size <= 0 || limit == 0 {
		return
	}
	a := &aheadReader{r: in.r, done: make(chan struct{})}
	if in.Length >= 0 {
		limit = min(limit, in.Length)
	}
	in.r = a
	go a.read(limit, in.Length >= 0)
}

// aheadReader gives what was read ahead, and then what a reader goes on with.
type aheadReader struct {
	r    io.Reader
	done chan struct{} // closed when the fields below are there
	text bytes.Buffer
	err  error
}

func (a *aheadReader) read(limit int64, whole bool) {
	defer close(a.done)
	if whole {
		a.text.Grow(int(limit))
	}
	_, a.err = io.CopyN(&a.text, a.r, limit)
}

func (a *aheadReader) Read(p []byte) (int, error) {
	<-a.done
	if a.text.Len() > 0 {
		return a.text.Read(p)
	}
	a.text = bytes.Buffer{} // all of it was given
	if a.err != nil {
		return 0, a.err
	}
	return a.r.Read(p)
}
