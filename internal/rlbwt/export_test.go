package rlbwt

// SetShapes makes pieces and parts as small as tests want them, 0 for those that are meant. It is called before New.
func SetShapes(piece, event, pack, block, row, mergeBlocks int) (restore func()) {
	old := []int{forcedPiece, events, packRuns, partBlocks, partRows, mergeBlock}
	set := func(v []int) {
		for i, to := range []*int{&forcedPiece, &events, &packRuns, &partBlocks, &partRows, &mergeBlock} {
			if v[i] > 0 {
				*to = v[i]
			}
		}
	}
	set([]int{piece, event, pack, block, row, mergeBlocks})
	return func() {
		forcedPiece = 0
		set(old)
	}
}
