// Package tune holds the tuning parameters of every primitive. It is the one source of truth
// for the macros that the kernels demand; a kernel built without one of them stops with #error.
//
// Parameters are plain structs (Set). Their values are data: a file for each kind of device,
// vendor, architecture or device in rows/, which also says where each value comes from, and the
// files that `suffixcl-lab tune` writes. docs/tuning.md describes both.
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
// where a compute unit would have no more than SmallTiles larger ones; 0 stands for 2.
// Resident, if not 0, is how many tiles a compute unit should have registers for, where
// that can be asked for; SmallResident, if not 0, is the same of small tiles.
type RadixTile struct{ WG, Items, Small, Resident, SmallResident, SmallTiles int }

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

// Merge is the launch shape of the merge; Items64 is Items for elements of 8 bytes and
// more. Items is kept in registers on GPU-shaped devices; on CPU-shaped ones WG is 1
// and Items is the chunk length.
type Merge struct{ WG, Items, Items64 int }

// SegSort is the launch shape of the segmented sort: the counting rank; the sort of
// segments in local memory, GroupItems64 being GroupItems for 64-bit keys; and the sort
// and merge of blocks of longer segments. On CPU-shaped devices the ranks are not used, WG is
// 1, and Items is the longest segment or block that a work-item sorts by itself.
type SegSort struct {
	RankWG, RankItems                 int
	GroupWG, GroupItems, GroupItems64 int
	Block, Block64                    SegBlock // by the size of keys
}

// GPULS are the parameters of GPU-LS by the paper's names:
//
//	H0   characters of the initial sorting     1, 4, 8, 16 or 32               8 in the paper
//	R1   length of the longest group of type S a power of two from 2 to 2048   256 in the paper
//	R2   length of the longest group of type M at least R1                     65536 in the paper
//
// Medium is how groups of type M are sorted. WG*Items, a power of two, is how many suffixes of type S a work-group
// sorts, or R1 if that is more.
type GPULS struct{ H0, R1, R2, Medium, WG, Items int }

// The sorts of groups of type M. The paper tries the last two.
const (
	MediumGlobal = 1 + iota // one radix sort of all groups by (group, key)
	MediumMerge             // the segmented merge sort
	MediumRadix             // a radix sort of each by many work-groups, which cut it into sub-segments
)

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

// Middle is the launch shape of package suffixsort's rounds of large groups. One of at most WG*Items suffixes is sorted
// in local memory, others are divided before, by samples of up to DivideWG*DivideItems. WG is a power of two, at least
// 4, Items at most 32 for each work-item. CPU-shaped devices do not use it.
type Middle struct{ WG, Items, DivideWG, DivideItems int }

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

// LRQ is the launch shape of longest repeat queries. Method is how the longest of the repeats that cover a position
// is found. LRQBounded walks Walk steps, then uses the maxima of blocks of 2^FanoutLog repeats; where a position has
// more than Piece longest repeats, each Piece of them are listed by another work-item.
type LRQ struct{ WG, Items, Walk, FanoutLog, Piece, Method int }

// The methods of longest repeat queries. The first two are the paper's.
const (
	LRQRaw     = 1 + iota // a walk over the raw LLR array, Algorithms 1 and 3: O(n) a position
	LRQCompact            // binary search and a walk over the useful repeats, Algorithms 2 and 4
	LRQBounded            // a bounded walk over the useful repeats, then maxima of blocks: O(log n) a position
)

// Intervals is the launch shape of the intervals of LCP arrays. 2^FanoutLog values have a minimum in the tree of
// minima. On CPU-shaped devices WG is 1, and Items are the slots that a work-item goes through with a stack.
type Intervals struct{ WG, Items, FanoutLog int }

// Matches is the launch shape of matches between a reference and queries. The classes of Block suffixes of the
// reference are counted together.
type Matches struct{ WG, Items, Block int }

// Duplicates is the launch shape of the choice of anchors. On CPU-shaped devices WG is 1, and Items are the windows
// that a work-item goes through.
type Duplicates struct{ WG, Items int }

// RLBWT is the launch shape of run-length transforms, and how their work is cut. Strings are walked in pieces of
// Shortest to Longest letters, so many that there are Walkers if they are long enough; of a piece Events steps are
// listed. A work-item packs Runs runs into blocks. It merges PartBlocks blocks or PartRows new rows, of MergeBlocks
// blocks at a time. A file is made of FileBlocks blocks at a time, and a work-group goes through Segment runs of them.
type RLBWT struct {
	WG, Items                          int
	Walkers, Shortest, Longest, Events int
	Runs                               int
	PartBlocks, PartRows, MergeBlocks  int
	FileBlocks, Segment                int
}

// SMEM is the launch shape of the search for SMEMs. Walkers are the work-items of a search, which has Together queries
// at a time in each. Long queries are cut in chunks of Chunk letters or more.
type SMEM struct{ WG, Items, Walkers, Together, Chunk int }

// TextTile is a work-group of WG work-items that each hold Items suffixes of a text.
type TextTile struct{ WG, Items int }

// SmallTexts is the launch shape of the sorter of small texts. On GPU-shaped devices a work-group sorts a text: in
// tiles of Short if it fits into one, else of Long; texts longer than that go through global memory. Items is at most
// 31. On CPU-shaped devices a work-item sorts a text, and Items is not used. Groups is how many work-groups a compute
// unit has memory for where they sort in global memory, Batch how many bytes of texts it should get at a time.
type SmallTexts struct {
	Short, Long   TextTile
	Groups, Batch int
}

// Set is everything tuned, for one device.
type Set struct {
	Map        Map
	Scan       Scan
	Template   Template
	Compact    Compact
	RadixSort  RadixSort
	Merge      Merge
	SegSort    SegSort
	GPULS      GPULS
	Skew       Skew
	Groups     Groups
	Middle     Middle
	SmallTexts SmallTexts
	LCP        LCP
	Inverse    Inverse
	Search     Search
	LRQ        LRQ
	Intervals  Intervals
	Matches    Matches
	Duplicates Duplicates
	RLBWT      RLBWT
	SMEM       SMEM
}
