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
	rounds [2]round // one is written while another is formatted
	next   int
	most   int64 // bytes of a part so far, as much as others may take
}

// round is parts that are written together, and the errors that ended them.
type round struct {
	parts [][]byte
	errs  []error
	wait  func() error // for the write of these parts; nil before the first
}

// Write writes n parts of a text, many of them at once: format appends one, on any processor, while those before are
// written. All text before the first error is written, and the text of the part that ends with the error. Where w is a
// [Beginner], the last parts may not be written yet. Memory, in all calls: twice 32 parts, or twice 4 for each
// processor.
func (l *Lines) Write(w io.Writer, n int, format func(to []byte, part int) ([]byte, error)) (err error) {
	to, ok := w.(Beginner)
	if !ok {
		behind := &Behind{To: w}
		defer func() {
			if wrong := behind.Wait(); wrong != nil {
				err = wrong
			}
			l.rounds[0].wait, l.rounds[1].wait = nil, nil // the next writer may be another
		}()
		to = behind
	}
	processors := runtime.GOMAXPROCS(0)
	together := max(leastTogether, togetherEach*processors)
	var most atomic.Int64
	most.Store(l.most)
	defer func() { l.most = most.Load() }()
	for from := 0; from < n; from += together {
		r := &l.rounds[l.next]
		l.next = 1 - l.next
		if err := r.room(min(n-from, together)); err != nil {
			return err
		}
		Each(processors, len(r.parts), func(i int) {
			text := r.parts[i]
			if room := int(most.Load()); cap(text) < room {
				text = make([]byte, 0, room+room/8)
			}
			r.parts[i], r.errs[i] = format(text[:0], from+i)
			if size := int64(len(r.parts[i])); size > most.Load() {
				most.Store(size) // another may store less: that is good enough
			}
		})
		parts, err := r.parts, error(nil)
		for i := range parts {
			if err = r.errs[i]; err != nil {
				parts = parts[:i+1]
				break
			}
		}
		if r.wait = to.Begin(parts); err != nil {
			return err
		}
	}
	return nil
}

// room makes it a round of n parts, once those of before are written.
func (r *round) room(n int) error {
	if r.wait != nil {
		if err := r.wait(); err != nil {
			return err
		}
		r.wait = nil
	}
	if cap(r.parts) < n {
		r.parts = append(r.parts[:cap(r.parts)], make([][]byte, n-cap(r.parts))...)
		r.errs = make([]error, cap(r.parts))
	}
	r.parts, r.errs = r.parts[:n], r.errs[:n]
	return nil
}
