package decompress

import (
	"bytes"
	"io"
	"runtime"
	"slices"

	"github.com/suffixcl/suffixcl/internal/parallel"
)

const (
	// taskBytes of streams are worth a processor.
	taskBytes = 1 << 17
	// windowEach is how much of the file a processor has of what is decompressed at once, and mostWindow how much all
	// have of a file whose streams are longer than that.
	windowEach, mostWindow = 1 << 18, 1 << 26
	// mostProcessors decompress faster than others take the text.
	mostProcessors = 32
	// A stream that gives more text than that is decompressed bit by bit.
	leastText, mostRatio = 1 << 20, 32
	usualRatio           = 4
	taskBuffer           = 1 << 14
)

// streams reads streams that follow each other, as members of gzip, on several processors: those that are whole in a
// part of the file, and decompress alone. All else is read as it comes, by one: long streams, and what is wrong. So
// text, errors and their places are those of one processor.
type streams struct {
	in     *input
	format format
	serial io.Reader // of what is read as it comes, or nil
	begun  int64     // place of serial
	long   int64     // bytes of the longest stream that serial read whole
	many   bool      // there was more than one stream
	tasks  []task    // with memory of those of rounds before
	next   int       // task that text is taken from
	at     int       // bytes of its text that were read
	rounds int       // of goroutines, for tests
}

// task is some streams, one after the other.
type task struct {
	file, text []byte
	whole      bool
	in         *input    // of the file
	reader     io.Reader // of in, which is used again
}

// cores are those of the machine: more goroutines than these only take memory.
var cores = runtime.NumCPU()

func processors() int { return min(runtime.GOMAXPROCS(0), cores, mostProcessors) }

func openStreams(in *input, f format) (io.Reader, error) {
	s := &streams{in: in, format: f}
	if s.round() {
		return s, nil
	}
	return s, s.open()
}

func (s *streams) open() (err error) {
	s.begun = s.in.offset()
	s.serial, err = s.format.open(s.in)
	return err
}

func (s *streams) Read(p []byte) (int, error) {
	for {
		if s.serial != nil {
			n, err := s.serial.Read(p)
			if err != errBorder {
				return n, err
			}
			s.serial, s.many, s.long = nil, true, max(s.long, s.in.offset()-s.begun)
		}
		if s.next < len(s.tasks) {
			if n := s.take(p); n > 0 || len(p) == 0 {
				return n, nil
			}
			continue
		}
		if _, err := s.in.Peek(1); err != nil {
			return 0, err
		}
		if !s.round() {
			if err := s.open(); err != nil {
				return 0, err
			}
		}
	}
}

// take gives text of the first task.
func (s *streams) take(p []byte) int {
	t := &s.tasks[s.next]
	n := copy(p, t.text[s.at:])
	if s.at += n; s.at == len(t.text) {
		_, _ = s.in.Discard(len(t.file)) // which are buffered
		s.next, s.at = s.next+1, 0
	}
	return n
}

// round decompresses streams, if some are whole in what can be looked at of the file.
func (s *streams) round() bool {
	processors := processors()
	if processors == 1 || s.format.begins == nil {
		return false
	}
	if s.many {
		s.in.enlarge(s.window(processors))
	}
	data, err := s.in.Peek(s.in.Size())
	s.divide(data, err == io.EOF, processors)
	if !s.many && len(s.tasks) > 0 {
		s.many = true
		return s.round()
	}
	if len(s.tasks) < 2 { // which one reads as fast
		s.tasks = s.tasks[:0]
		return false
	}
	s.rounds++
	parallel.Each(processors, len(s.tasks), func(i int) { s.tasks[i].decompress(s.format) })
	for i := range s.tasks {
		if !s.tasks[i].whole {
			s.tasks = s.tasks[:i]
			break
		}
	}
	return len(s.tasks) > 0
}

// window is how much of the file is looked at: a stream for each processor, and a part of one.
func (s *streams) window(processors int) int {
	each := max(windowEach, s.long)
	if each > windowEach {
		each += each / int64(processors)
	}
	if window := each * int64(processors); window <= mostWindow {
		return int(window)
	}
	if 2*each <= mostWindow { // two of them
		return mostWindow
	}
	return processors * windowEach
}

// divide makes tasks of the streams that are whole, enough for all processors. What is the last one is not known before
// the file ends.
func (s *streams) divide(data []byte, ended bool, processors int) {
	s.tasks, s.next = s.tasks[:0], 0
	from := 0
	for at := 0; from < processors*windowEach || len(s.tasks) < processors; {
		next := s.format.next(data, at+1)
		if next < 0 {
			if ended && from > 0 {
				s.add(data[from:])
			}
			return
		}
		if at = next; at-from >= taskBytes {
			s.add(data[from:at])
			from = at
		}
	}
}

// add adds a task.
func (s *streams) add(file []byte) {
	n := len(s.tasks)
	s.tasks = slices.Grow(s.tasks, 1)[:n+1]
	t := &s.tasks[n]
	t.file, t.text, t.whole = file, t.text[:0], false
}

// next is the place of the next stream that seems to begin, or -1.
func (f format) next(data []byte, from int) int {
	for from < len(data) {
		at := bytes.Index(data[from:], []byte(f.magic))
		if at < 0 {
			return -1
		}
		if from += at; f.begins(data[from:]) {
			return from
		}
		from++
	}
	return -1
}

// again is a reader that can begin anew.
type again interface {
	reset() error
}

// open begins to read the streams, with the reader of the round before where it can begin anew.
func (t *task) open(f format) (err error) {
	if t.in == nil {
		t.in = newInput(nil, taskBuffer)
		t.in.task = true
	}
	t.in.source.r = bytes.NewReader(t.file)
	t.in.Reset(t.in.source)
	if r, ok := t.reader.(again); ok {
		return r.reset()
	}
	t.reader, err = f.open(t.in)
	return err
}

// decompress reads the streams, as if the file had nothing else.
func (t *task) decompress(f format) {
	if t.open(f) != nil {
		t.reader = nil
		return
	}
	most := max(leastText, mostRatio*len(t.file))
	for b := slices.Grow(t.text, usualRatio*len(t.file)); len(b) < most; {
		if len(b) == cap(b) {
			b = append(b, 0)[:len(b)]
		}
		n, err := t.reader.Read(b[len(b):cap(b)])
		if b = b[:len(b)+n]; err != nil {
			t.text, t.whole = b, err == io.EOF && t.in.atEnd() == nil
			return
		}
	}
}
