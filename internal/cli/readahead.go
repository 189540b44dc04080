package cli

import (
	"context"
	"io"
)

// ReadAhead begins to read the text while its reader does other work, up to so many bytes. Reading waits for them, and
// goes on after them: it gives the same text, and the same error in the same place. Only regular files are read ahead:
// what comes from another process is waited for where that can be interrupted.
func (in *Input) ReadAhead(limit int64) {
	if in.Size <= 0 || limit == 0 {
		return
	}
	if in.Length >= 0 {
		limit = min(limit, in.Length)
	}
	a := &aheadReader{r: in.r, parts: make(chan []byte, (limit+ReadChunk-1)/ReadChunk)}
	if whole := max(in.Length, in.most()); whole > 0 && whole <= limit {
		a.whole = make([]byte, whole+1) // as ReadAll has it
		limit = whole
	}
	in.r = a
	go a.read(limit)
}

// aheadReader gives what was read ahead, part by part, and then what a reader goes on with. One buffer that grows would
// be copied, into new memory each time.
type aheadReader struct {
	r     io.Reader
	parts chan []byte // with room for all of them, so that nobody waits for who does not read; closed at the end
	part  []byte      // what is left of one
	err   error       // after the last part

	whole []byte // has all parts and room for a byte more, if it is known how long the text may be; else nil
	taken bool   // some was given
}

func (a *aheadReader) read(limit int64) {
	defer close(a.parts)
	space := a.whole
	for ; limit > 0 && a.err == nil; limit -= ReadChunk {
		size := min(limit, ReadChunk)
		if a.whole == nil {
			space = make([]byte, size)
		}
		part := space[:size]
		space = space[size:]
		var n int
		n, a.err = fill(a.r, part)
		a.parts <- part[:n]
	}
}

func (a *aheadReader) Read(p []byte) (int, error) {
	for len(a.part) == 0 {
		more := false
		if a.part, more = <-a.parts; more {
			continue
		}
		if a.err != nil {
			return 0, a.err
		}
		return a.r.Read(p)
	}
	a.taken = true
	n := copy(p, a.part)
	a.part = a.part[n:]
	return n, nil
}

// take waits for all that was read ahead, and gives it where it is: nothing is copied. There is room after it. It is
// nil if the parts are apart, or some was given already.
func (a *aheadReader) take(ctx context.Context, progress func(n int)) (text []byte) {
	if a.whole == nil || a.taken {
		return nil
	}
	a.taken = true
	n := 0
	for {
		select {
		case part, more := <-a.parts:
			if !more {
				return a.whole[:n]
			}
			n += len(part)
			progress(n)
		case <-ctx.Done():
			return a.whole[:n] // who reads on sees it
		}
	}
}
