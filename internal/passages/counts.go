package passages

// Counted searches an index that tells how often parts of a document occur. It looks for a start or an end by doubling
// and halving: 2 log2 of the letters between what is known and what is found, each time.
type Counted struct {
	Length   int                                  // letters of the document
	MinCount uint64                               // 1 or more
	Count    func(start, end int) (uint64, error) // how often a part occurs, which has letters
	Equal    func(a, b, n int) bool               // Same of Searcher
}

// Len implements Searcher.
func (c *Counted) Len() int { return c.Length }

// Same implements Searcher.
func (c *Counted) Same(a, b, n int) bool { return c.Equal(a, b, n) }

// Start implements Searcher.
func (c *Counted) Start(bound, end int) (int, error) {
	letters, err := furthest(0, end-bound, func(letters int) (bool, error) {
		count, err := c.Count(end-letters, end)
		return count >= c.MinCount, err
	})
	return end - letters, err
}

// End implements Searcher.
func (c *Counted) End(start, end int) (last int, count uint64, err error) {
	last, err = furthest(end, c.Length, func(at int) (bool, error) {
		found, err := c.Count(start, at)
		if found >= c.MinCount {
			count = found // of the furthest that holds, which is the last one that does
		}
		return found >= c.MinCount, err
	})
	if err == nil && last == end {
		count, err = c.Count(start, end)
	}
	return last, count, err
}
