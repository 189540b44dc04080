package parallel

import (
	"io"
	"runtime"
	"sync/atomic"
)

// leastTogether are the parts that are written together, and togetherEach those for each processor: parts take unlike
// times.
const leastTogether, togetherEach = 32, 4

// Lines writes what several processors format, in its order. The zero value is ready.
type Lines struct {
	parts []formatted
	whole []byte
	most  int64 // bytes of a part so far, as much as others may take
}

// formatted is a part of a text, and what ended it.
type formatted struct {
	text []byte
	at   int // in what is written
	err  error
}

// Write writes n parts of a text, many of them at once: format appends one, on any processor. What comes before the
// first error is written, with what the part has that ends with it. Memory, in all calls: twice 32 parts, or twice 4
// for each processor.
func (l *Lines) Write(w io.Writer, n int, format func(to []byte, part int) ([]byte, error)) error {
	processors := runtime.GOMAXPROCS(0)
	together := max(leastTogether, togetherEach*processors)
	l.parts = append(l.parts, make([]formatted, max(min(n, together)-len(l.parts), 0))...)
	var most atomic.Int64
	most.Store(l.most)
	defer func() { l.most = most.Load() }()
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
		if err := l.write(w, processors, parts); err != nil {
			return err
		}
	}
	return nil
}

// write writes parts up to the first error.
func (l *Lines) write(w io.Writer, processors int, parts []formatted) (err error) {
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
	whole := parts[0].text
	if len(parts) > 1 {
		if cap(l.whole) < size {
			l.whole = make([]byte, size+size/8) // the next ones have about as much
		}
		whole = l.whole[:size]
		Each(processors, len(parts), func(i int) { copy(whole[parts[i].at:], parts[i].text) })
	}
	if len(whole) == 0 {
		return err
	}
	if _, wrong := w.Write(whole); wrong != nil {
		return wrong
	}
	return err
}
