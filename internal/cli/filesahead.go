package cli

import (
	"context"
	"io"
	"os"
	"runtime"
	"sync"
)

const (
	// mostFiles are decompressed at a time. A device that appends genomes takes what three give.
	mostFiles = 8
	// partAhead is what is read at once.
	partAhead = 1 << 20
	// partsOfTurn are those that the file has whose turn it is, whatever the others have, and partsAtOnce those for which
	// its reader waits: to wake it for each takes as long as to use it, where others use the processors.
	partsOfTurn, partsAtOnce = 16, 8
)

// FilesAhead opens texts in their order, as OpenText does. While one is read, it and those after it are decompressed,
// a file on each processor. Texts, errors and their order are those of files that are read one after the other. Only
// regular files are opened before their turn, and only compressed ones are read.
//
// The text whose turn it is, and the next, are read while less than the room is taken, the one after them while less
// than half of it, the third while less than a quarter. So those that are needed first have room.
type FilesAhead struct {
	all     context.Context // of the caller
	ctx     context.Context // which Close ends
	cancel  context.CancelFunc
	names   []string
	options InputOptions
	room    int // parts
	most    int // files at a time
	files   []*fileAhead
	working sync.WaitGroup

	mu      sync.Mutex
	changed *sync.Cond
	turn    int // files that Next has given
	held    int // parts
	read    int // all parts
	spare   [][]byte
}

// NewFilesAhead begins to read files, up to so many bytes before their turn. Close must be called.
func NewFilesAhead(ctx context.Context, names []string, o InputOptions, room int64) *FilesAhead {
	f := &FilesAhead{all: ctx, names: names, options: o, room: int(room / partAhead),
		most: min(runtime.GOMAXPROCS(0), mostFiles)}
	f.ctx, f.cancel = context.WithCancel(ctx)
	f.changed = sync.NewCond(&f.mu)
	context.AfterFunc(f.ctx, f.wake)
	f.begin()
	return f
}

// wake has all goroutines look again.
func (f *FilesAhead) wake() {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.changed.Broadcast()
}

// begin begins to read the file whose turn is next, and those after it. One alone is read when it is used.
func (f *FilesAhead) begin() {
	for f.most > 1 && len(f.files) < min(f.turn+f.most, len(f.names)) {
		a := &fileAhead{of: f, place: len(f.files), opened: make(chan struct{})}
		f.files = append(f.files, a)
		f.working.Go(a.run)
	}
}

// Next opens the next file; io.EOF after the last. It must be closed. Errors as OpenText.
func (f *FilesAhead) Next() (*Input, error) {
	at := f.turn
	if at == len(f.names) {
		return nil, io.EOF
	}
	f.mu.Lock()
	f.turn++
	f.changed.Broadcast()
	f.mu.Unlock()
	if at >= len(f.files) {
		return OpenText(f.ctx, f.names[at], f.options)
	}
	defer f.begin()
	a := f.files[at]
	select {
	case <-a.opened:
	case <-f.ctx.Done():
		return nil, context.Cause(f.ctx)
	}
	switch {
	case a.err != nil:
		return nil, a.err
	case a.in == nil:
		return OpenText(f.ctx, f.names[at], f.options)
	}
	from := io.Reader(a.in.source)
	if a.in.ahead != nil {
		from = a
	}
	return a.in.recognised(f.ctx, func() error { return a.in.recogniseFormat(from) })
}

// Memory is what the texts before their turn have had at most, if all have been read.
func (f *FilesAhead) Memory() int64 {
	f.mu.Lock()
	defer f.mu.Unlock()
	return int64(min(f.read, f.room+partsOfTurn+1)) * partAhead
}

// Close ends reading, and closes the files that Next has not given. It waits for what reads, unless the context has
// ended.
func (f *FilesAhead) Close() {
	f.cancel()
	end := func() {
		for _, a := range f.files[min(f.turn, len(f.files)):] {
			if <-a.opened; a.in != nil {
				a.in.Close()
			}
		}
		f.working.Wait()
		f.mu.Lock()
		defer f.mu.Unlock()
		f.spare = nil
	}
	if f.all.Err() != nil {
		go end()
		return
	}
	end()
}

// fileAhead is a file that is opened before its turn. If it is compressed, its text is read from here.
type fileAhead struct {
	of     *FilesAhead
	place  int
	opened chan struct{} // is closed when the next two are known
	in     *Input        // nil without an error: it is opened when it is its turn
	err    error

	// Those below are under the lock.
	parts  []partOfText
	failed error // after the parts
	closed bool
	more   bool // there were several parts, of which some are left

	now    partOfText
	buffer []byte // of now
}

// partOfText is a part, and the place in the file after it.
type partOfText struct {
	text   []byte
	offset int64
}

// run opens the file, and reads it if it is compressed.
func (a *fileAhead) run() {
	a.open()
	reads := a.err == nil && a.in != nil && a.in.Compression != ""
	if reads {
		a.in.ahead = a
	}
	close(a.opened)
	if !reads {
		return
	}
	defer a.in.file.Close()
	for a.waits() {
		part := a.of.part()
		n, err := fill(a.in.source, part)
		a.add(partOfText{part[:n], a.in.source.Offset()}, err)
		if err != nil {
			return
		}
	}
}

// open opens regular files.
func (a *fileAhead) open() {
	f := a.of
	name := f.names[a.place]
	if info, err := os.Stat(name); name == "-" || err == nil && !info.Mode().IsRegular() {
		return
	}
	in, err := openFile(f.ctx, name)
	if err == nil {
		in.options = f.options
		in, err = in.recognised(f.ctx, in.openSource)
	}
	a.in, a.err = in, err
}

// waits waits for room for a part, and takes it; false at the end.
func (a *fileAhead) waits() bool {
	f := a.of
	f.mu.Lock()
	defer f.mu.Unlock()
	for {
		rank := a.place - f.turn + 1 // 0: its turn
		switch {
		case a.closed || f.ctx.Err() != nil:
			return false
		case f.held < f.room>>max(rank-1, 0), rank <= 0 && len(a.parts) < partsOfTurn:
			f.held++
			f.read++
			return true
		}
		f.changed.Wait()
	}
}

// part is memory for a part.
func (f *FilesAhead) part() []byte {
	f.mu.Lock()
	defer f.mu.Unlock()
	if last := len(f.spare) - 1; last >= 0 {
		part := f.spare[last]
		f.spare = f.spare[:last]
		return part
	}
	return make([]byte, partAhead)
}

// free gives a part back. The lock is held.
func (f *FilesAhead) free(part []byte) {
	f.held--
	f.spare = append(f.spare, part[:partAhead])
	f.changed.Broadcast()
}

// add has a part read.
func (a *fileAhead) add(part partOfText, err error) {
	f := a.of
	f.mu.Lock()
	defer f.mu.Unlock()
	if a.failed = err; a.closed {
		f.free(part.text)
		return
	}
	a.parts = append(a.parts, part)
	f.changed.Broadcast()
}

// Read reads the text. After the end of the context it returns its error.
func (a *fileAhead) Read(p []byte) (int, error) {
	if len(a.now.text) == 0 {
		if err := a.next(); err != nil {
			return 0, err
		}
	}
	n := copy(p, a.now.text)
	a.now.text = a.now.text[n:]
	return n, nil
}

// next waits for the next part that is not empty.
func (a *fileAhead) next() error {
	f := a.of
	f.mu.Lock()
	defer f.mu.Unlock()
	for {
		if a.buffer != nil {
			f.free(a.buffer)
			a.buffer = nil
		}
		switch {
		case f.ctx.Err() != nil:
			return context.Cause(f.ctx)
		case a.closed:
			return os.ErrClosed
		case len(a.parts) >= partsAtOnce, len(a.parts) > 0 && (a.more || a.failed != nil):
			a.more = len(a.parts) > 1
			a.now, a.parts = a.parts[0], a.parts[1:]
			if a.buffer = a.now.text; len(a.buffer) > 0 {
				return nil
			}
		case a.failed != nil:
			return a.failed
		default:
			f.changed.Wait()
		}
	}
}

// offset is the place in the file after the part that is read.
func (a *fileAhead) offset() int64 {
	a.of.mu.Lock()
	defer a.of.mu.Unlock()
	return a.now.offset
}

// close ends reading.
func (a *fileAhead) close() {
	f := a.of
	f.mu.Lock()
	defer f.mu.Unlock()
	if a.closed {
		return
	}
	a.closed = true
	for _, part := range a.parts {
		f.free(part.text)
	}
	a.parts = nil
	if a.buffer != nil { // a call that was interrupted may still read it
		f.held--
		a.buffer = nil
	}
	f.changed.Broadcast()
}
