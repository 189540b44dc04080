package distributed

// pdc3 is the algorithm of that name. pSFFX gathers the recursion on one rank. Where the whole text may be sorted
// there, that takes less time.
func (r *rank) pdc3(block []byte, sa []uint64) error {
	if only == "" {
		if done, err := r.gatheredText(block, sa); done || err != nil {
			return err
		}
	}
	r.report("text", 0, int64(r.n))
	memory, text, err := replicate(r, block, itself)
	if err != nil {
		return err
	}
	defer memory.Free()
	return r.byRanks(text, sa)
}
