package suffixsort

import (
	"github.com/suffixcl/suffixcl/device"
	"github.com/suffixcl/suffixcl/internal/periodic"
)

// roundCounts are counters that a kernel adds to and the host reads, new ones for each launch. They serve several runs
// before they are cleared, as that takes long.
type roundCounts struct {
	session *device.Session
	buffer  *device.Buffer[uint32]
	used    int  // the others are 0
	middle  bool // the last round's are those of middleSort, which are read with the next ones
	answer  device.Answer
}

// How many counters there are, of the bytes of a text with words of package periodic from countPeriods on, and of a
// round.
const (
	countWords    = 1 << 13
	countPeriods  = 256
	countsOfBytes = countPeriods + periodic.Counts + 1
	countsOfRound = 6
)

// countLeft is which counter of middleSort tells whether a group was left as it is. An answer has three counters of the
// round, and that of the round before.
const (
	countLeft   = 4
	answerWords = 4
)

// newRoundCounts has those of a buffer that anything is in.
func newRoundCounts(s *device.Session, buffer *device.Buffer[uint32]) *roundCounts {
	return &roundCounts{session: s, buffer: buffer, used: countWords}
}

// args are the arguments of a kernel that counts in those of the next round. It answers if it is asked: then a read is
// next.
func (c *roundCounts) args(asked bool) []any {
	at := c.next()
	if asked {
		c.answer = c.session.Answer(answerWords)
	}
	return append([]any{c.buffer, at}, c.answer.Args()...)
}

// next is where the counters of the next round are, which are 0.
func (c *roundCounts) next() uint32 {
	c.answer = device.Answer{}
	return uint32(c.take(countsOfRound))
}

// nextMiddle is where those of middleSort are. The round after it must be a classification.
func (c *roundCounts) nextMiddle() uint32 {
	at := c.take(2 * countsOfRound)
	c.used -= countsOfRound
	c.middle = true
	return uint32(at)
}

// take takes counters next to each other, and tells where they are.
func (c *roundCounts) take(counters int) int {
	if c.used+counters > countWords {
		c.buffer.Fill(0)
		c.used = countsOfRound // an answer reads those of the round before, which the first one has not
	}
	c.used += counters
	return c.used - counters
}

// roundResult is what the counters of a round tell.
type roundResult struct {
	unsorted     tally
	long, longer bool // a group is longer than the first bound, than the second
	left         bool // middleSort left a group
}

// read waits for the counters of the last round.
func (c *roundCounts) read() (r roundResult, err error) {
	var counts [2 * countsOfRound]uint32 // of the round before, and of the last one
	last := counts[countsOfRound:]
	var words [answerWords]uint32
	answered, err := c.answer.Read(words[:])
	switch {
	case answered:
		copy(last, words[:3])
		counts[countLeft] = words[3]
	case c.middle:
		err = c.buffer.View(c.used-len(counts), len(counts)).Read(counts[:])
	default:
		err = c.buffer.View(c.used-len(last), len(last)).Read(last)
	}
	r.left, c.middle = c.middle && counts[countLeft] != 0, false
	r.unsorted = tally{small: int(last[0]), large: int(last[1])}
	r.long, r.longer = last[2]&2 != 0, last[2]&1 != 0
	return r, err
}
