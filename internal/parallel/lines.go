package parallel

import (
	"io"
	"runtime"
	"sync/atomic"
)

// leastTogether is the least number of parts that are written together, and togetherEach the number for each processor:
// parts take unlike times.
const leastTogether, togetherEach = 32, 4

// Lines writes text that several processors format, in its order. The zero value is ready.
type Lines struct {
	parts   []formatted
	buffers [2][]byte // one is written while another is put together
	most    int64     // bytes of a part so far, as much as others may take
}

// formatted is a part of a text, and the error that ended it.
type formatted struct {
	text []byte
	at   int // in what is written
	err  error
}

// Write writes n parts of a text, many of them at once: format appends one, on any processor, while those before are
// written. All text before the first error is written, and the text of the part that ends with the error. Memory, in
// all calls: three times 32 parts, or three times 4 for each processor.
func (l *Lines) Write(w io.Writer, n int, format func(to []byte, part int) ([]byte, error)) (err error) {
	processors := runtime.GOMAXPROCS(0)
	together := max(leastTogether, togetherEach*processors)
	l.parts = append(l.parts, make([]formatted, max(min(n, together)-len(l.parts), 0))...)
	var most atomic.Int64
	most.Store(l.most)
	written := make(chan error, 1) // what became of the parts before
	written <- nil
	defer func() {
		l.most = most.Load()
		if wrong := <-written; wrong != nil {
			err = wrong
		}
	}()
	for from := 0; from < n; from += together {
		parts := l.parts[:min(n-from, together)]
		Each(processors, len(parts), func(i int) {
			p := &parts[i]
			if room := int(most.Load()); cap(p.text) < room {
				p.text = make([]byte, 0, room+room/8)
			}
			p.text, p.err = format(p.text[:0], from+i)
			if size := int64(len(p.text)); size > most.Load() {
				most.Store(size) // another may store less: that is good enough
			}
		})
		whole, err := join(&l.buffers[from/together%len(l.buffers)], processors, parts)
		if wrong := <-written; wrong != nil {
			written <- wrong
			return wrong
		}
		if err != nil || from+together >= n { // nothing is formatted meanwhile
			written <- write(w, whole)
			return err
		}
		go func() { written <- write(w, whole) }()
	}
	return nil
}

func write(w io.Writer, data []byte) error {
	if len(data) == 0 {
		return nil
	}
	_, err := w.Write(data)
	return err
}

// join puts parts together in a buffer, up to the first error.
func join(buffer *[]byte, processors int, parts []formatted) (whole []byte, err error) {
	size := 0
	for i := range parts {
		p := &parts[i]
		p.at = size
		size += len(p.text)
		if p.err != nil {
			parts, err = parts[:i+1], p.err
			break
		}
	}
	if cap(*buffer) < size {
		*buffer = make([]byte, size+size/8) // the next ones have about as much
	}
	whole = (*buffer)[:size]
	Each(processors, len(parts), func(i int) { copy(whole[parts[i].at:], parts[i].text) })
	return whole, err
}
