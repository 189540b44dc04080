package tune

// Tiny returns parameters for tests: the smallest tiles that exercise every
// path, so that a few hundred elements cross many tile boundaries. cpu chooses
// the CPU kernel shape.
func Tiny(cpu bool) Set {
	if cpu {
		return Set{
			Map:       Map{WG: 1, Items: 7},
			Scan:      Scan{WG: 1, Items: 5, Look: 1},
			Template:  Template{Items: 5},
			Compact:   Compact{WG: 1, Items: 5, Look: 1},
			RadixSort: radixSort(RadixTile{}, 1, 6, 64, 0, 0, 0),
			Merge:     Merge{WG: 1, Items: 5, Items64: 4},
			SegSort: SegSort{RankWG: 1, RankItems: 1, GroupWG: 1, GroupItems: 70, GroupItems64: 50,
				Block: SegBlock{1, 20, 4}, Block64: SegBlock{1, 30, 4}},
			GPULS:      GPULS{H0: 1, R1: 4, R2: 16, Medium: 1, WG: 1, Items: 8},
			Skew:       Skew{WG: 1, Small: 2, Window: 30},
			Groups:     Groups{WG: 1, Items: 7, Limit: 32},
			Middle:     Middle{WG: 1, Items: 1, DivideWG: 1, DivideItems: 1},
			SmallTexts: SmallTexts{Short: TextTile{1, 1}, Long: TextTile{1, 1}, Groups: 2, Batch: 300},
			LCP:        LCP{WG: 1, Items: 7, Limit: 32, Piece: 20},
			Inverse:    Inverse{WG: 1, Walkers: 1 << 7, Steps: 4, Resident: 6, Chains: 2},
			Search:     Search{WG: 1, Items: 3, Order: 2, OrderText: 2},
			LRQ:        LRQ{WG: 1, Items: 7, Walk: 2, FanoutLog: 1, Piece: 3, Method: LRQBounded},
			Intervals:  Intervals{WG: 1, Items: 7, FanoutLog: 1},
			Matches:    Matches{WG: 1, Items: 7, Block: 3},
			Duplicates: Duplicates{WG: 1, Items: 40},
			RLBWT: RLBWT{WG: 1, Items: 7, Walkers: 16, Shortest: 1, Longest: 7, Events: 2, Runs: 8, PartBlocks: 2,
				PartRows: 3, MergeBlocks: 7, FileBlocks: 7, Segment: 95},
			SMEM: SMEM{WG: 1, Items: 7, Walkers: 3, Together: 2, Chunk: 9},
		}
	}
	return Set{
		Map:       Map{WG: 8, Items: 2},
		Scan:      Scan{WG: 8, Items: 3, Look: 2},
		Template:  Template{Items: 3},
		Compact:   Compact{WG: 8, Items: 3, Look: 2},
		RadixSort: radixSort(RadixTile{WG: 16, Items: 3, Small: 2}, 16, 3, 0, 16, 2, 2),
		Merge:     Merge{WG: 8, Items: 3, Items64: 2},
		SegSort: SegSort{RankWG: 16, RankItems: 8, GroupWG: 32, GroupItems: 8, GroupItems64: 6,
			Block: SegBlock{16, 5, 4}, Block64: SegBlock{16, 3, 4}},
		GPULS:      GPULS{H0: 1, R1: 4, R2: 16, Medium: 1, WG: 8, Items: 2},
		Skew:       Skew{WG: 8, Small: 3, Window: 30},
		Groups:     Groups{WG: 16, Items: 4, Limit: 32},
		Middle:     Middle{WG: 32, Items: 6, DivideWG: 16, DivideItems: 2},
		SmallTexts: SmallTexts{Short: TextTile{8, 2}, Long: TextTile{8, 3}, Groups: 2, Batch: 300},
		LCP:        LCP{WG: 8, Items: 2, Limit: 32, Piece: 16},
		Inverse:    Inverse{WG: 8, Walkers: 1 << 7, Steps: 4, Resident: 48, Chains: 2},
		Search:     Search{WG: 8, Items: 2, Order: 2, OrderText: 2},
		LRQ:        LRQ{WG: 8, Items: 2, Walk: 2, FanoutLog: 2, Piece: 2, Method: LRQBounded},
		Intervals:  Intervals{WG: 8, Items: 2, FanoutLog: 2},
		Matches:    Matches{WG: 8, Items: 2, Block: 3},
		Duplicates: Duplicates{WG: 8, Items: 5},
		RLBWT: RLBWT{WG: 8, Items: 2, Walkers: 16, Shortest: 5, Longest: 50, Events: 4, Runs: 33, PartBlocks: 3,
			PartRows: 10, MergeBlocks: 5, FileBlocks: 40, Segment: 101},
		SMEM: SMEM{WG: 8, Items: 2, Walkers: 16, Together: 1, Chunk: 30},
	}
}

// radixSort fills a RadixSort that has one tile for all pairs.
func radixSort(t RadixTile, reduceWG, reduceItems, chunks, histogramWG, histogramItems, copies int) RadixSort {
	r := RadixSort{K4V0: t, K4V4: t, K4V8: t, K8V0: t, K8V4: t, K8V8: t, Chunks: chunks}
	r.Reduce.WG, r.Reduce.Items = reduceWG, reduceItems
	r.Histogram.WG, r.Histogram.Items, r.Histogram.Copies = histogramWG, histogramItems, copies
	return r
}
