// Package table writes tables whose rows have as many bytes each.
package table

import (
	"io"
	"runtime"

	"github.com/suffixcl/suffixcl/internal/addressspace"
	"github.com/suffixcl/suffixcl/internal/parallel"
)

// atOnce is the number of bytes that a processor makes at a time.
const atOnce = 1 << 20

// Write writes n rows of so many bytes each, which fill makes in b for the rows from lo to hi. It fills on several
// processors, and while it writes. Memory: 2 MiB for each of them.
func Write(w io.Writer, n, bytes int, fill func(b []byte, lo, hi int)) error {
	each := max(atOnce/bytes, 1)
	batch := min(each*runtime.GOMAXPROCS(0), max(n, 1))
	full := make(chan []byte, 1)
	free := make(chan []byte, 2)
	free <- addressspace.Make[byte](batch * bytes)
	free <- addressspace.Make[byte](batch * bytes)
	stop := make(chan struct{})
	go func() {
		defer close(full)
		for at := 0; at < n; at += batch {
			var b []byte
			select {
			case b = <-free:
			case <-stop:
				return
			}
			end := min(at+batch, n)
			parallel.Do(end-at, min(each, 1<<12), func(lo, hi int) { fill(b[lo*bytes:hi*bytes], at+lo, at+hi) })
			select {
			case full <- b[:(end-at)*bytes]:
			case <-stop:
				return
			}
		}
	}()
	for b := range full {
		if _, err := w.Write(b); err != nil {
			close(stop)
			for range full { // fill has ended then
			}
			return err
		}
		free <- b[:cap(b)]
	}
	return nil
}
