// Package tune holds the tuning parameters of every primitive: plain structs,
// looked up by device, architecture, vendor and kind, in that order. It is the
// one source of truth for the macros that the kernels demand; a kernel built
// without one of them stops with #error.
//
// All sizes are counts: WG is work-items in a work-group, Items is elements
// that one work-item handles in a tile, so a tile holds WG*Items elements.
package tune

// Map is the launch shape of kernels that treat every element on its own.
type Map struct{ WG, Items int }

// Scan is the launch shape of prefix sums. Items counts elements of 32 bits, which
// are kept in registers on GPU-shaped devices; of wider ones it takes fewer. On
// CPU-shaped devices WG is 1 and Items is the chunk length. A look-back inspects
// Look predecessors a lane at once. InOrder is 1 where work-groups start in the
// order of their numbers, so that tiles need no tickets.
type Scan struct{ WG, Items, Look, InOrder int }

// ItemsOf is Items for elements of that many bytes.
func (s Scan) ItemsOf(bytes int) int { return max(s.Items*4/bytes, 1) }

// Compact is the launch shape of selection and partition. Items is at most 64 on
// GPU-shaped devices. Look and InOrder as in Scan.
type Compact struct{ WG, Items, Look, InOrder int }

// RadixTile is the tile of a pass of the radix sort: WG*Items pairs, or WG*Small
// where WG*Items would leave compute units without a tile. Registers, if not 0, is
// how many a work-item may have where that can be asked for.
type RadixTile struct{ WG, Items, Small, Registers int }

// RadixSort is the launch shape of the radix sort.
type RadixSort struct {
	// Tiles of the one-kernel pass, by bytes of key and value. On CPU-shaped
	// devices they are not used.
	K4V0, K4V4, K4V8, K8V0, K8V4, K8V8 RadixTile
	// Reduce is the tile of reduce-then-scan passes. On CPU-shaped devices WG is
	// 1 and Items is the shortest chunk worth a work-item.
	Reduce struct{ WG, Items int }
	// Chunks is the number of chunks for each compute unit of a CPU-shaped device;
	// not used elsewhere.
	Chunks int
	// Histogram: Items keys of a work-item are under way, and each digit has
	// Copies counters in a work-group. Copies divides WG. On CPU-shaped devices
	// it is not used.
	Histogram struct{ WG, Items, Copies int }
}

// Tile is the tile of a one-kernel pass for keys and values of that many bytes.
func (r *RadixSort) Tile(keyBytes, valueBytes int) *RadixTile {
	return map[[2]int]*RadixTile{
		{4, 0}: &r.K4V0, {4, 4}: &r.K4V4, {4, 8}: &r.K4V8,
		{8, 0}: &r.K8V0, {8, 4}: &r.K8V4, {8, 8}: &r.K8V8,
	}[[2]int{keyBytes, valueBytes}]
}

// radixSort fills a RadixSort that treats all pairs alike that need the same bytes
// of local memory.
func radixSort(four, eight RadixTile, reduceWG, reduceItems, chunks, histogramWG, histogramItems, copies int) RadixSort {
	r := RadixSort{K4V0: four, K4V4: four, K4V8: eight, K8V0: eight, K8V4: eight, K8V8: eight, Chunks: chunks}
	r.Reduce.WG, r.Reduce.Items = reduceWG, reduceItems
	r.Histogram.WG, r.Histogram.Items, r.Histogram.Copies = histogramWG, histogramItems, copies
	return r
}

// Merge is the launch shape of the merge; Items64 is Items for elements of 8 bytes and
// more. Items is kept in registers on GPU-shaped devices; on CPU-shaped ones WG is 1
// and Items is the chunk length.
type Merge struct{ WG, Items, Items64 int }

// SegSort is the launch shape of the segmented sort: the counting rank, and the sort of
// segments in local memory, GroupItems64 being GroupItems for 64-bit keys. On CPU-shaped
// devices the ranks are not used, WG is 1, and Items is the longest segment that a
// work-item sorts by itself.
type SegSort struct{ RankWG, RankItems, GroupWG, GroupItems, GroupItems64 int }

// LCP is the launch shape of longest common prefixes. A work-item compares Limit
// characters by itself, at least 64 but in tests; longer comparisons are cut into pieces
// of Piece characters.
type LCP struct{ WG, Items, Limit, Piece int }

// Inverse is the launch shape of the inverse Burrows-Wheeler transform: Walkers start at
// once, or as many as leave Steps to each of them; both are powers of two, Steps at least
// 4. Resident is how many of them a compute unit has under way, Chains how many a
// work-item.
type Inverse struct{ WG, Walkers, Steps, Resident, Chains int }

// LRQ is the launch shape of longest repeat queries: a work-item walks Walk steps before it
// uses the maxima of blocks of 2^FanoutLog repeats.
type LRQ struct{ WG, Items, Walk, FanoutLog int }

// Set is everything tuned, for one device.
type Set struct {
	Map       Map
	Scan      Scan
	Compact   Compact
	RadixSort RadixSort
	Merge     Merge
	SegSort   SegSort
	LCP       LCP
	Inverse   Inverse
	LRQ       LRQ
}

// Key identifies a device to the table, most specific field first.
type Key struct {
	Device string // full device name
	Arch   string // "sm_90", "gfx90a"
	Vendor string // "nvidia", "amd", "intel", "pocl", ...
	Kind   string // "gpu" or "cpu": the kernel shape, not the device type
}

// row is one line of the table: the first field of match that is set decides.
type row struct {
	match Key
	set   Set
	from  string // provenance: device, driver, date, or the reasoning
}

// gpuRadixSort stays within 32 KiB of local memory.
var gpuRadixSort = radixSort(RadixTile{256, 28, 14, 0}, RadixTile{256, 14, 8, 0}, 256, 15, 0, 256, 8, 2)

var table = []row{
	{
		match: Key{Kind: "gpu"},
		set: Set{
			Map:       Map{WG: 256, Items: 8},
			Scan:      Scan{WG: 256, Items: 16, Look: 1},
			Compact:   Compact{WG: 256, Items: 16, Look: 1},
			RadixSort: gpuRadixSort,
			Merge:     Merge{WG: 256, Items: 19, Items64: 9},
			SegSort:   SegSort{RankWG: 128, RankItems: 8, GroupWG: 256, GroupItems: 17, GroupItems64: 9},
			LCP:       LCP{WG: 256, Items: 8, Limit: 128, Piece: 32},
			Inverse:   Inverse{WG: 256, Walkers: 1 << 20, Steps: 16, Resident: 2048, Chains: 1},
			LRQ:       LRQ{WG: 256, Items: 4, Walk: 64, FanoutLog: 5},
		},
		from: "2026-11-20: 256 is the largest work-group AMD reports; an odd number of items a work-item keeps blocked local-memory access free of bank conflicts; 47.5 KiB local memory with 64-bit keys; onesweep tiles of 30 KiB, so that two fit into the 64 KiB of an AMD compute unit; merge and segmented sort: best of 9 and 8 shapes on an H200, driver 580, with GroupItems so that 2,047 items go into local memory; longest common prefixes and inverse transform: best of 6 and 9 shapes on an H200; longest repeats: not tuned",
	},
	{
		match: Key{Arch: "sm_90", Kind: "gpu"},
		set: Set{
			Map:       Map{WG: 256, Items: 8},
			Scan:      Scan{WG: 512, Items: 32, Look: 1, InOrder: 1},
			Compact:   Compact{WG: 1024, Items: 24, Look: 1, InOrder: 1},
			RadixSort: radixSort(RadixTile{512, 22, 12, 0}, RadixTile{384, 24, 16, 0}, 256, 15, 0, 1024, 8, 8),
			Merge:     Merge{WG: 256, Items: 19, Items64: 9},
			SegSort:   SegSort{RankWG: 128, RankItems: 8, GroupWG: 256, GroupItems: 17, GroupItems64: 9},
			LCP:       LCP{WG: 256, Items: 8, Limit: 128, Piece: 32},
			Inverse:   Inverse{WG: 256, Walkers: 1 << 20, Steps: 16, Resident: 2048, Chains: 1},
			LRQ:       LRQ{WG: 256, Items: 4, Walk: 64, FanoutLog: 5},
		},
		from: "2026-11-20, H200, driver 580, 2^28 elements of 32 bits: exclusive sum 3154 GB/s (the gpu row 2525; with tickets 2626; 1024x32 3142, 256x32 3114; Look 2 no faster), select of half 2134 GB/s (the gpu row 1702; 1024x16 2061; with tickets 1921). Work-groups start in the order of their numbers there, as CUB's scan takes for granted too. Radix sort the best of 256x52, 384x30, 256x48 and 512x22 for 32-bit pairs (25.4, 27.4, 24.9, 28.5 G pairs/s), of 256x36, 256x32, 384x22 and 384x24 for 64-bit keys (10.7, 10.3, 11.2, 11.5), without a register cap; more local memory than the driver reports. Map, merge and segmented sort are those of every GPU",
	},
	{
		match: Key{Kind: "cpu"},
		set: Set{
			Map:       Map{WG: 1, Items: 1 << 14},
			Scan:      Scan{WG: 1, Items: 1 << 14, Look: 1},
			Compact:   Compact{WG: 1, Items: 1 << 14, Look: 1},
			RadixSort: radixSort(RadixTile{}, RadixTile{}, 1, 1<<14, 4, 0, 0, 0),
			Merge:     Merge{WG: 1, Items: 1 << 14, Items64: 1 << 14},
			SegSort:   SegSort{RankWG: 1, RankItems: 1, GroupWG: 1, GroupItems: 1 << 10, GroupItems64: 1 << 10},
			LCP:       LCP{WG: 1, Items: 1 << 14, Limit: 1 << 12, Piece: 1 << 12},
			Inverse:   Inverse{WG: 1, Walkers: 1 << 14, Steps: 64, Resident: 256, Chains: 8},
			LRQ:       LRQ{WG: 1, Items: 1 << 9, Walk: 64, FanoutLog: 4},
		},
		from: "2026-11-20, PoCL 3.1 on 2 cores: one work-item a chunk; chunks small enough for the L2 and large enough to hide 10 us of launch; GroupItems, and Items of longest repeats, so that a work-item's loops stay below the 65,535 rounds after which llvmpipe stops them",
	},
}

// Tiny returns parameters for tests: the smallest tiles that exercise every
// path, so that a few hundred elements cross many tile boundaries. cpu chooses
// the CPU kernel shape.
func Tiny(cpu bool) Set {
	if cpu {
		return Set{
			Map:       Map{WG: 1, Items: 7},
			Scan:      Scan{WG: 1, Items: 5, Look: 1},
			Compact:   Compact{WG: 1, Items: 5, Look: 1},
			RadixSort: radixSort(RadixTile{}, RadixTile{}, 1, 6, 64, 0, 0, 0),
			Merge:     Merge{WG: 1, Items: 5, Items64: 4},
			SegSort:   SegSort{RankWG: 1, RankItems: 1, GroupWG: 1, GroupItems: 70, GroupItems64: 50},
			LCP:       LCP{WG: 1, Items: 7, Limit: 32, Piece: 20},
			Inverse:   Inverse{WG: 1, Walkers: 1 << 7, Steps: 4, Resident: 6, Chains: 2},
			LRQ:       LRQ{WG: 1, Items: 7, Walk: 2, FanoutLog: 1},
		}
	}
	return Set{
		Map:       Map{WG: 8, Items: 2},
		Scan:      Scan{WG: 8, Items: 3, Look: 2},
		Compact:   Compact{WG: 8, Items: 3, Look: 2},
		RadixSort: radixSort(RadixTile{16, 3, 2, 0}, RadixTile{16, 3, 2, 0}, 16, 3, 0, 16, 2, 2),
		Merge:     Merge{WG: 8, Items: 3, Items64: 2},
		SegSort:   SegSort{RankWG: 16, RankItems: 8, GroupWG: 32, GroupItems: 8, GroupItems64: 6},
		LCP:       LCP{WG: 8, Items: 2, Limit: 32, Piece: 16},
		Inverse:   Inverse{WG: 8, Walkers: 1 << 7, Steps: 4, Resident: 48, Chains: 2},
		LRQ:       LRQ{WG: 8, Items: 2, Walk: 2, FanoutLog: 2},
	}
}

// Rows returns every distinct parameter set of the table and the tiny ones,
// for gates that must compile all of them. The key tells the kernel shape.
func Rows() map[string]Set {
	rows := map[string]Set{"tiny-gpu": Tiny(false), "tiny-cpu": Tiny(true)}
	for _, r := range table {
		rows[r.match.String()] = r.set
	}
	return rows
}

// For returns the parameters for a device: the row that matches its name, else
// its architecture, else its vendor, else its kind.
func For(k Key) Set {
	var best *row
	bestRank := 0
	for i := range table {
		r := &table[i]
		if rank := r.match.rank(k); rank > bestRank {
			best, bestRank = r, rank
		}
	}
	if best == nil {
		return For(Key{Kind: "gpu"})
	}
	return best.set
}

// rank is 0 when the row does not apply and grows with how specific it is. A
// row that names a kind never applies to the other kind.
func (m Key) rank(k Key) int {
	if m.Kind != "" && m.Kind != k.Kind {
		return 0
	}
	for i, f := range []struct{ want, have string }{{m.Device, k.Device}, {m.Arch, k.Arch}, {m.Vendor, k.Vendor}, {m.Kind, k.Kind}} {
		if f.want != "" {
			if f.want == f.have {
				return 4 - i
			}
			return 0
		}
	}
	return 0
}

// String names the row: its most specific field and its kind.
func (m Key) String() string {
	for _, f := range []string{m.Device, m.Arch, m.Vendor} {
		if f != "" {
			return f + "-" + m.Kind
		}
	}
	return m.Kind
}
