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

// Scan is the launch shape of prefix sums. Items is kept in registers on
// GPU-shaped devices; on CPU-shaped ones WG is 1 and Items is the chunk length.
type Scan struct{ WG, Items int }

// Compact is the launch shape of selection and partition.
type Compact struct{ WG, Items int }

// RadixSort is the launch shape of the radix sort. On CPU-shaped devices WG is
// 1, Items is the shortest chunk worth a work-item, and Chunks is the number
// of chunks per compute unit; Chunks is not used elsewhere.
type RadixSort struct{ WG, Items, DigitBits, Chunks int }

// Merge is the launch shape of the merge; Items64 is Items for elements of 8 bytes and
// more. Items is kept in registers on GPU-shaped devices; on CPU-shaped ones WG is 1
// and Items is the chunk length.
type Merge struct{ WG, Items, Items64 int }

// SegSort is the launch shape of the segmented sort: the counting rank, and the sort of
// segments in local memory, GroupItems64 being GroupItems for 64-bit keys. On CPU-shaped
// devices the ranks are not used, WG is 1, and Items is the longest segment that a
// work-item sorts by itself.
type SegSort struct{ RankWG, RankItems, GroupWG, GroupItems, GroupItems64 int }

// Set is everything tuned, for one device.
type Set struct {
	Map       Map
	Scan      Scan
	Compact   Compact
	RadixSort RadixSort
	Merge     Merge
	SegSort   SegSort
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

var table = []row{
	{
		match: Key{Kind: "gpu"},
		set: Set{
			Map:       Map{WG: 256, Items: 8},
			Scan:      Scan{WG: 256, Items: 8},
			Compact:   Compact{WG: 256, Items: 8},
			RadixSort: RadixSort{WG: 256, Items: 15, DigitBits: 8},
			Merge:     Merge{WG: 256, Items: 19, Items64: 9},
			SegSort:   SegSort{RankWG: 128, RankItems: 8, GroupWG: 256, GroupItems: 17, GroupItems64: 9},
		},
		from: "2026-11-20: 256 is the largest work-group AMD reports; an odd number of items a work-item keeps blocked local-memory access free of bank conflicts; 47.5 KiB local memory with 64-bit keys; merge and segmented sort: best of 9 and 8 shapes on an H200, driver 580, with GroupItems so that 2,047 items go into local memory",
	},
	{
		match: Key{Kind: "cpu"},
		set: Set{
			Map:       Map{WG: 1, Items: 1 << 14},
			Scan:      Scan{WG: 1, Items: 1 << 14},
			Compact:   Compact{WG: 1, Items: 1 << 14},
			RadixSort: RadixSort{WG: 1, Items: 1 << 14, DigitBits: 8, Chunks: 4},
			Merge:     Merge{WG: 1, Items: 1 << 14, Items64: 1 << 14},
			SegSort:   SegSort{RankWG: 1, RankItems: 1, GroupWG: 1, GroupItems: 1 << 10, GroupItems64: 1 << 10},
		},
		from: "2026-11-20, PoCL 3.1 on 2 cores: one work-item a chunk; chunks small enough for the L2 and large enough to hide 10 us of launch; GroupItems so that a work-item's loops stay below the 65,535 rounds after which llvmpipe stops them",
	},
}

// Tiny returns parameters for tests: the smallest tiles that exercise every
// path, so that a few hundred elements cross many tile boundaries. cpu chooses
// the CPU kernel shape.
func Tiny(cpu bool) Set {
	if cpu {
		return Set{
			Map:       Map{WG: 1, Items: 7},
			Scan:      Scan{WG: 1, Items: 5},
			Compact:   Compact{WG: 1, Items: 5},
			RadixSort: RadixSort{WG: 1, Items: 6, DigitBits: 8, Chunks: 64},
			Merge:     Merge{WG: 1, Items: 5, Items64: 4},
			SegSort:   SegSort{RankWG: 1, RankItems: 1, GroupWG: 1, GroupItems: 70, GroupItems64: 50},
		}
	}
	return Set{
		Map:       Map{WG: 8, Items: 2},
		Scan:      Scan{WG: 8, Items: 3},
		Compact:   Compact{WG: 8, Items: 3},
		RadixSort: RadixSort{WG: 16, Items: 3, DigitBits: 8},
		Merge:     Merge{WG: 8, Items: 3, Items64: 2},
		SegSort:   SegSort{RankWG: 16, RankItems: 8, GroupWG: 32, GroupItems: 8, GroupItems64: 6},
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
