package amdgpu

import (
	"testing"

	"github.com/stretchr/testify/assert"
)

// Marks are of exactly the bytes that were written, and go along with a copy.
func TestMarks(t *testing.T) {
	written := func(b *buffer) (list []int) {
		for i := range b.data {
			if b.shadow[i>>2].written>>(i&3)&1 != 0 {
				list = append(list, i)
			}
		}
		return list
	}
	var s space
	for offset := range 13 {
		for n := range 14 - offset {
			b := s.allocate(13, true)
			b.mark(offset, n)
			var want []int
			for i := range n {
				want = append(want, offset+i)
			}
			assert.Equal(t, want, written(b), "%d bytes at %d", n, offset)

			c := s.allocate(20, true)
			c.mark(0, 20)
			c.copyMarks(3, b, 0, 13)
			assert.Len(t, written(c), 7+n)
		}
	}
}
