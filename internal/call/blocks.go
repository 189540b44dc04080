package call

import (
	"cmp"
	"slices"
	"sort"
	"time"

	"github.com/suffixcl/suffixcl/device"
	"github.com/suffixcl/suffixcl/internal/async"
)

// BlockLength is how many elements a block of a result has at most. Tests make it smaller.
var BlockLength = 1 << 20

// EachBlock calls use with the first n elements of the buffers, of `words` words each, a block at a time, while the
// next one is copied. The time that it waits is that of downloads.
func (c *Call) EachBlock(
	n, words int, buffers []*device.Buffer[uint32], use func(first int, blocks [][]uint32) error,
) error {
	var copies []async.Transfer
	wait := func() (err error) {
		for _, t := range copies {
			err = cmp.Or(err, t.Wait())
		}
		copies = nil
		return err
	}
	defer wait()
	length := min(BlockLength, n)
	begin := func(first int) (blocks [][]uint32) {
		count := min(length, n-first) * words
		for i, b := range buffers {
			memory := c.Engine.HostMemory(first/length%2, len(buffers)*length*words)[i*length*words:]
			blocks = append(blocks, memory[:count])
			copies = append(copies, async.StartDownload(b.View(first*words, count), blocks[i]))
		}
		return blocks
	}
	if n == 0 {
		return nil
	}
	next := begin(0)
	for first := 0; first < n; first += length {
		began := time.Now()
		err := cmp.Or(wait(), c.Session.Check(c.Ctx))
		c.Stats.Download += time.Since(began)
		if err != nil {
			return err
		}
		blocks := next
		if first+length < n {
			next = begin(first + length)
		}
		if err := use(first, blocks); err != nil {
			return err
		}
	}
	return nil
}

func Resize[T any](s []T, n int) []T { return slices.Grow(s[:0], n)[:n] }

// ExponentialSearch counts the first of a list for which f is true, as it is of none after those, in time that is
// logarithmic in their number (J. L. Bentley & A. C. Yao, 1976).
func ExponentialSearch[T any](list []T, f func(T) bool) int {
	reach := 1
	for reach < len(list) && f(list[reach]) {
		reach *= 2
	}
	from := reach / 2
	return from + sort.Search(min(reach, len(list))-from, func(i int) bool { return !f(list[from+i]) })
}
