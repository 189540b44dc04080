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

// Template bounds Scan.Items where a kernel file computes what is scanned: its loads and
// stores take registers too.
type Template struct{ Items int }

// Compact is the launch shape of selection and partition. Items is at most 64 on
// GPU-shaped devices. Look and InOrder as in Scan.
type Compact struct{ WG, Items, Look, InOrder int }

// RadixTile is the tile of a pass of the radix sort: WG*Items pairs, or WG*Small
// where WG*Items would leave compute units without a tile. Resident, if not 0, is how
// many tiles a compute unit should have registers for, where that can be asked for.
type RadixTile struct{ WG, Items, Small, Resident int }

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

// SegSort is the launch shape of the segmented sort: the counting rank; the sort of
// segments in local memory, GroupItems64 being GroupItems for 64-bit keys; and the sort
// and merge of blocks of longer segments. Those longer than local memory are listed, for up
// to AtOnce items whether there are any or not, because to ask takes longer. On CPU-shaped devices the ranks are not used, WG
// is 1, and Items is the longest segment or block that a work-item sorts by itself.
type SegSort struct {
	RankWG, RankItems                 int
	GroupWG, GroupItems, GroupItems64 int
	Block, Block64                    SegBlock // by the size of keys
	AtOnce                            int
}

// GPULS are the parameters of GPU-LS by the paper's names: characters of the initial
// sorting, and the lengths of the longest groups of type S (a power of two) and M. Medium is
// 1 if M groups are sorted by one radix sort, 2 if by the segmented merge sort, 3 if by a
// radix sort of each. WG*Items, a power of two, is how many suffixes of type S a work-group sorts, or R1 if that is more.
type GPULS struct{ H0, R1, R2, Medium, WG, Items int }

// SegBlock is a block of WG*Items items, at most 32 for each work-item on GPU-shaped
// devices. Segments are merged where their blocks take Rounds rounds on average or fewer,
// else sorted globally.
type SegBlock struct{ WG, Items, Rounds int }

// Skew is the launch shape of the kernel that sorts a text of at most Small symbols in one
// work-group; Small is at most 65,534. More ranks than Window are brought
// near to where they go by a pass of the radix sort before they are stored; 0 is never.
type Skew struct{ WG, Small, Window int }

// Groups is the launch shape of package suffixsort's rounds of small groups, those of at most
// Limit suffixes: a tile is WG*Items suffixes, more than Limit, at most 32 for each work-item.
// On CPU-shaped devices WG is 1 and Items are the suffixes of a chunk.
type Groups struct{ WG, Items, Limit int }

// LCP is the launch shape of longest common prefixes. A work-item compares Limit
// characters by itself, at least 64 but in tests; longer comparisons are cut into pieces
// of Piece characters.
type LCP struct{ WG, Items, Limit, Piece int }

// Inverse is the launch shape of the inverse Burrows-Wheeler transform: Walkers start at
// once, or as many as leave Steps to each of them; both are powers of two, Steps at least
// 4. Resident is how many of them a compute unit has under way, Chains how many a
// work-item.
type Inverse struct{ WG, Walkers, Steps, Resident, Chains int }

// Search is the launch shape of searches, a work-item for each of Items patterns. Order or more
// patterns are sorted by their first symbols before they are searched for in the suffix array of
// OrderText or more characters; where Order is 0 they never are.
type Search struct{ WG, Items, Order, OrderText int }

// LRQ is the launch shape of longest repeat queries: a work-item walks Walk steps before it
// uses the maxima of blocks of 2^FanoutLog repeats; of a position with more than Piece
// longest repeats each Piece are listed by another one.
type LRQ struct{ WG, Items, Walk, FanoutLog, Piece int }

// Set is everything tuned, for one device.
type Set struct {
	Map       Map
	Scan      Scan
	Template  Template
	Compact   Compact
	RadixSort RadixSort
	Merge     Merge
	SegSort   SegSort
	GPULS     GPULS
	Skew      Skew
	Groups    Groups
	LCP       LCP
	Inverse   Inverse
	Search    Search
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

// hopperRadixSort has a tile for each pair: registers are what limits them.
func hopperRadixSort() RadixSort {
	r := radixSort(RadixTile{384, 24, 24, 2}, RadixTile{256, 32, 20, 2}, 256, 15, 0, 1024, 8, 16)
	r.K4V0 = RadixTile{256, 24, 16, 0}
	r.K8V4 = RadixTile{256, 36, 16, 2}
	r.K8V8 = RadixTile{256, 28, 16, 2}
	return r
}

// cpuSet has one work-item a chunk.
var cpuSet = Set{
	Map:       Map{WG: 1, Items: 1 << 14},
	Scan:      Scan{WG: 1, Items: 1 << 14, Look: 1},
	Template:  Template{Items: 1 << 14},
	Compact:   Compact{WG: 1, Items: 1 << 14, Look: 1},
	RadixSort: radixSort(RadixTile{}, RadixTile{}, 1, 1<<14, 4, 0, 0, 0),
	Merge:     Merge{WG: 1, Items: 1 << 14, Items64: 1 << 14},
	SegSort:   SegSort{RankWG: 1, RankItems: 1, GroupWG: 1, GroupItems: 1 << 10, GroupItems64: 1 << 10, Block: SegBlock{1, 1 << 10, 0}, Block64: SegBlock{1, 1 << 10, 0}, AtOnce: 1 << 22},
	GPULS:     GPULS{H0: 8, R1: 256, R2: 65536, Medium: 1, WG: 1, Items: 256},
	Skew:      Skew{WG: 1, Small: 128},
	Groups:    Groups{WG: 1, Items: 1 << 9, Limit: 32},
	LCP:       LCP{WG: 1, Items: 1 << 10, Limit: 1 << 9, Piece: 1 << 12},
	Inverse:   Inverse{WG: 1, Walkers: 1 << 14, Steps: 64, Resident: 256, Chains: 8},
	Search:    Search{WG: 1, Items: 32, Order: 1 << 17, OrderText: 1 << 22},
	LRQ:       LRQ{WG: 1, Items: 64, Walk: 64, FanoutLog: 5, Piece: 1 << 10},
}

// mesaSet is for llvmpipe, whose work-items have 65,535 rounds of loops: one pattern each.
func mesaSet() Set {
	s := cpuSet
	s.Search.Items = 1
	return s
}

var table = []row{
	{
		match: Key{Kind: "gpu"},
		set: Set{
			Map:       Map{WG: 256, Items: 4},
			Scan:      Scan{WG: 256, Items: 16, Look: 1},
			Template:  Template{Items: 16},
			Compact:   Compact{WG: 256, Items: 16, Look: 1},
			RadixSort: gpuRadixSort,
			Merge:     Merge{WG: 256, Items: 19, Items64: 9},
			SegSort:   SegSort{RankWG: 128, RankItems: 8, GroupWG: 256, GroupItems: 17, GroupItems64: 9, Block: SegBlock{256, 17, 7}, Block64: SegBlock{256, 15, 12}, AtOnce: 1 << 22},
			GPULS:     GPULS{H0: 8, R1: 1024, R2: 1 << 20, Medium: 1, WG: 256, Items: 4},
			Skew:      Skew{WG: 256, Small: 2048, Window: 1 << 23},
			Groups:    Groups{WG: 256, Items: 4, Limit: 256},
			LCP:       LCP{WG: 256, Items: 8, Limit: 128, Piece: 32},
			Inverse:   Inverse{WG: 256, Walkers: 1 << 20, Steps: 16, Resident: 2048, Chains: 1},
			Search:    Search{WG: 128, Items: 1},
			LRQ:       LRQ{WG: 256, Items: 4, Walk: 64, FanoutLog: 5, Piece: 32},
		},
		from: "2026-11-20: 256 is the largest work-group AMD reports; an odd number of items a work-item keeps blocked local-memory access free of bank conflicts; 47.5 KiB local memory with 64-bit keys; onesweep tiles of 30 KiB, so that two fit into the 64 KiB of an AMD compute unit; merge and segmented sort: best of 9 and 8 shapes on an H200, driver 580, with GroupItems so that 2,047 items go into local memory; its blocks as below; longest common prefixes and inverse transform: best of 6 and 9 shapes on an H200; longest repeats: not tuned, Piece so that listing takes some thousand dependent steps at most; Skew.Window: an H200 stores 77 G words a second in any order within its caches, 16 G beyond; Skew.Small: not tuned, 2,048 symbols take 20 KiB; Groups as below",
	},
	{
		match: Key{Arch: "sm_90", Kind: "gpu"},
		set: Set{
			Map:       Map{WG: 256, Items: 4},
			Scan:      Scan{WG: 512, Items: 88, Look: 1, InOrder: 1},
			Template:  Template{Items: 32},
			Compact:   Compact{WG: 512, Items: 28, Look: 1, InOrder: 1},
			RadixSort: hopperRadixSort(),
			Merge:     Merge{WG: 256, Items: 19, Items64: 15},
			SegSort:   SegSort{RankWG: 128, RankItems: 8, GroupWG: 256, GroupItems: 17, GroupItems64: 9, Block: SegBlock{512, 15, 7}, Block64: SegBlock{256, 15, 12}, AtOnce: 1 << 22},
			GPULS:     GPULS{H0: 8, R1: 1024, R2: 1 << 20, Medium: 1, WG: 256, Items: 4},
			Skew:      Skew{WG: 1024, Small: 4096, Window: 1 << 23},
			Groups:    Groups{WG: 256, Items: 4, Limit: 256},
			LCP:       LCP{WG: 256, Items: 8, Limit: 128, Piece: 32},
			Inverse:   Inverse{WG: 256, Walkers: 1 << 20, Steps: 16, Resident: 2048, Chains: 1},
			Search:    Search{WG: 128, Items: 1},
			LRQ:       LRQ{WG: 256, Items: 4, Walk: 64, FanoutLog: 5, Piece: 32},
		},
		from: "2026-11-20, H200, driver 580, 2^28 elements of 32 bits. Exclusive sum: 512x88 3412 GB/s, 512x80 3346, 512x64 3185, 512x32 3152, 256x80 3299, 384x96 3249; with tickets and Look 2 no faster. Select of half: 512x28 3099 GB/s, 512x24 3016, 256x32 2975, 1024x32 2753. Work-groups start in the order of their numbers there, as CUB's scan takes for granted too. Radix sort: suffixcl tune at 2^26 and 2^20, G/s: u32/u32 35.9 (2^28: 384x24 36.7, 512x20 36.3, 256x40 36.2, 256x52 32.9; three or four resident tiles 22 to 32, one 25 to 28), u32 53.6, u32/u64 25.6, u64 19.0, u64/u32 14.2, u64/u64 11.3; histogram, 2^28 u32/u32: 1024x8 and 16 copies 37.9, 8 copies 37.4; 1024x16 and 16 copies 38.0, but small sorts are slower. More local memory than the driver reports. Merge of 64-bit keys: 15 items 227 G/s, 9 items 217 (suffixcl tune, as 512x28); the rest of merge and Map are those of every GPU. Segmented sort, 2^26 pairs in segments of 2 to 60,511: blocks of 256x17, 512x17, 512x15, 384x23, 256x23, 256x31, 1024x11 21.1, 21.2, 22.6, 20.5, 20.0, 16.9, 20.1 G/s; 64-bit keys, 256x9, 512x9, 384x13, 256x11, 256x15, 1024x5: 13.0, 12.9, 13.3, 13.4, 14.0, 10.5; merging is as fast as the global sort in segments of 2^20 (8 rounds; the rows leave one to a faster radix sort), with 64-bit keys faster still in one of 2^26. GPU-LS, geometric mean of 9 corpora beside libcubwt 1.0.0: R1 of 256, 1024, 2048 with R2 2^20 1.061, 1.083, 1.081; R1 1024 with R2 of 2^16 and 2^32 1.020 and 1.083, and the segmented merge 1.074; before that H0 of 4 and 16 0.81 and 1.01 of 8. Templates of 32 were measured, 88 not. Skew.Window, and Small of 4,096: skew 14 to 16 % faster on coreutils.13rel and coreutils.texi.100rev than without and 1,024, texts of 2 MB as before. Map: 8 of suffixsort's corpora with 8, 4, 2, 1 items: 0.97, 1, 0.99, 0.97 of the speed. Groups, geometric mean of 20 corpora beside libcubwt 1.0.0: 256x4 with groups up to 256, 192 and 128 2.01, 2.04 and 1.97, in another run 2.09 and 2.08; 256x6 1.99, 256x8 and 128 1.85, 128x8 1.95, 512x3 2.02, 512x4 1.92, 512x2 and 128 1.97, 256x2 and 64 1.85",
	},
	{
		match: Key{Kind: "cpu"},
		set:   cpuSet,
		from:  "2026-11-20, PoCL 3.1 on 2 cores: one work-item a chunk; chunks small enough for the L2 and large enough to hide 10 us of launch; GroupItems, of skew the square of Small times its logarithm, of LCP Items times Limit / 16, of Groups Items times the 56 rounds of a window and the 32 of Limit, of searches 32 patterns of ordinary length, and Items of longest repeats, so that a work-item's loops stay below the 65,535 rounds, all together, after which llvmpipe stops them; Chains the best of 1, 4 and 8; Order and OrderText of searches 2026-11-22, docs/matching.md",
	},
	{
		match: Key{Vendor: "mesa", Kind: "cpu"},
		set:   mesaSet(),
		from:  "2026-11-23, that of CPUs, but patterns as long as llvmpipe's work-items can go through: package patterns",
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
			Template:  Template{Items: 5},
			Compact:   Compact{WG: 1, Items: 5, Look: 1},
			RadixSort: radixSort(RadixTile{}, RadixTile{}, 1, 6, 64, 0, 0, 0),
			Merge:     Merge{WG: 1, Items: 5, Items64: 4},
			SegSort:   SegSort{RankWG: 1, RankItems: 1, GroupWG: 1, GroupItems: 70, GroupItems64: 50, Block: SegBlock{1, 20, 4}, Block64: SegBlock{1, 30, 4}, AtOnce: 300},
			GPULS:     GPULS{H0: 1, R1: 4, R2: 16, Medium: 1, WG: 1, Items: 8},
			Skew:      Skew{WG: 1, Small: 2, Window: 30},
			Groups:    Groups{WG: 1, Items: 7, Limit: 32},
			LCP:       LCP{WG: 1, Items: 7, Limit: 32, Piece: 20},
			Inverse:   Inverse{WG: 1, Walkers: 1 << 7, Steps: 4, Resident: 6, Chains: 2},
			Search:    Search{WG: 1, Items: 3, Order: 2, OrderText: 2},
			LRQ:       LRQ{WG: 1, Items: 7, Walk: 2, FanoutLog: 1, Piece: 3},
		}
	}
	return Set{
		Map:       Map{WG: 8, Items: 2},
		Scan:      Scan{WG: 8, Items: 3, Look: 2},
		Template:  Template{Items: 3},
		Compact:   Compact{WG: 8, Items: 3, Look: 2},
		RadixSort: radixSort(RadixTile{16, 3, 2, 0}, RadixTile{16, 3, 2, 0}, 16, 3, 0, 16, 2, 2),
		Merge:     Merge{WG: 8, Items: 3, Items64: 2},
		SegSort:   SegSort{RankWG: 16, RankItems: 8, GroupWG: 32, GroupItems: 8, GroupItems64: 6, Block: SegBlock{16, 5, 4}, Block64: SegBlock{16, 3, 4}, AtOnce: 300},
		GPULS:     GPULS{H0: 1, R1: 4, R2: 16, Medium: 1, WG: 8, Items: 2},
		Skew:      Skew{WG: 8, Small: 3, Window: 30},
		Groups:    Groups{WG: 8, Items: 8, Limit: 32},
		LCP:       LCP{WG: 8, Items: 2, Limit: 32, Piece: 16},
		Inverse:   Inverse{WG: 8, Walkers: 1 << 7, Steps: 4, Resident: 48, Chains: 2},
		Search:    Search{WG: 8, Items: 2, Order: 2, OrderText: 2},
		LRQ:       LRQ{WG: 8, Items: 2, Walk: 2, FanoutLog: 2, Piece: 2},
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
