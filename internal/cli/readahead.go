package cli

import "io"

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
}

func (a *aheadReader) read(limit int64) {
	defer close(a.parts)
	for ; limit > 0 && a.err == nil; limit -= ReadChunk {
		part := make([]byte, min(limit, ReadChunk))
		var n int
		for n < len(part) && a.err == nil {
			var more int
			more, a.err = a.r.Read(part[n:])
			n += more
		}
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
	n := copy(p, a.part)
	a.part = a.part[n:]
	return n, nil
}
