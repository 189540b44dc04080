package fmd

// Cutter finds where blocks begin, from run to run.
type Cutter struct {
	start   uint64 // first word of the block
	kind    int    // of the counts that it begins with
	at, end int    // bits of the block
	rows    uint64 // of its runs
}

// NewCutter begins a block that has so many others before it, and that begins with counts of a kind: 0, 1 or 2 for 16,
// 32 or 64 bits. Errors: a block that the format has no room for.
func NewCutter(blocks uint64, kind int) (*Cutter, error) {
	c, err := newCutter(blocks*blockWords, kind)
	return &c, err
}

func newCutter(start uint64, kind int) (Cutter, error) {
	c := Cutter{start: start}
	return c, c.begin(kind)
}

func (c *Cutter) begin(kind int) error {
	tail := tailOf(c.start)
	if headWords[kind] > tail {
		return errTooDense
	}
	c.kind, c.at, c.end, c.rows = kind, 64*headWords[kind], 64*(tail+1), 0
	return nil
}

// Add takes the next run, and tells whether a block begins with it. The first run has begun one by NewCutter. Errors:
// those of NewCutter.
func (c *Cutter) Add(r Run) (begins bool, err error) {
	_, width := codeOf(r)
	return c.add(width, r.Len)
}

func (c *Cutter) add(width int, rows uint64) (begins bool, err error) {
	if c.at+width >= c.end {
		c.start += blockWords
		if err := c.begin(kindOf(c.rows)); err != nil {
			return false, err
		}
		begins = true
	}
	c.at += width
	c.rows += rows
	return begins, nil
}

// Kind is that of the counts that the block of the last run begins with.
func (c *Cutter) Kind() int { return c.kind }

// Next is the kind of the counts of the block after it, if the runs end here.
func (c *Cutter) Next() int { return kindOf(c.rows) }

// Words is how many words the blocks of a file have: those with runs, and one of counts of a kind. Errors: a block that
// the format has no room for.
func Words(blocks uint64, kind int) (uint64, error) {
	start := blocks * blockWords
	if headWords[kind] > tailOf(start) {
		return 0, errTooDense
	}
	return start + uint64(headWords[kind]), nil
}
