package amdgpu

import (
	"math/bits"
	"slices"
)

// Counters are what was counted of a kernel while it ran.
type Counters struct {
	Launches, Groups, Wavefronts uint64
	Instructions                 [classes]uint64
	Lanes                        uint64 // active, summed over vector instructions
	Misaligned                   uint64 // plain accesses of a lane
	SameValue                    uint64 // races that are none because of Options.SameValue

	// With Options.Count only. Requests are instructions with an active lane.
	GlobalRequests, GlobalLines, GlobalIdeal uint64 // lines of 128 bytes that they touch, and have to touch
	LocalRequests, LocalCycles, LocalIdeal   uint64 // by conflicts of the 32 banks, and without
}

// lineBits: lines of 128 bytes.
const lineBits = 7

// countGlobal counts the lines at the addresses of the active lanes.
func (w *wave) countGlobal(active uint64, bytes int) {
	if !w.launch.options.Count || active == 0 {
		return
	}
	var lines [64]uint64
	n := 0
	for mask := active; mask != 0; mask &= mask - 1 {
		lines[n] = w.at[bits.TrailingZeros64(mask)] >> lineBits
		n++
	}
	slices.Sort(lines[:n])
	c := w.launch.count
	c.GlobalRequests++
	c.GlobalLines += uint64(len(slices.Compact(lines[:n])))
	c.GlobalIdeal += uint64((n*bytes + 1<<lineBits - 1) >> lineBits)
}

// banks of local memory, each of which serves a word in a cycle.
const banks = 32

// countLocal counts the cycles that the banks need. Wide accesses are served for fewer lanes at a time. A word is read
// or written for all lanes at once; atomic operations on it come one after the other.
func (w *wave) countLocal(active uint64, bytes int, atomic bool) {
	if !w.launch.options.Count || active == 0 {
		return
	}
	words := max(bytes/4, 1)
	at := max(banks/words, 1) // lanes
	c := w.launch.count
	c.LocalRequests++
	for first := 0; first < w.width; first += at {
		mask := active >> first & (1<<at - 1)
		if mask == 0 {
			continue
		}
		var seen [banks][64]uint32
		var count [banks]int
		most := 1
		for ; mask != 0; mask &= mask - 1 {
			address := uint32(w.at[first+bits.TrailingZeros64(mask)]) >> 2
			for k := range uint32(words) {
				word, bank := address+k, (address+k)%banks
				if atomic || !slices.Contains(seen[bank][:count[bank]], word) {
					seen[bank][count[bank]] = word
					count[bank]++
					most = max(most, count[bank])
				}
			}
		}
		c.LocalCycles += uint64(most)
		c.LocalIdeal++
	}
}
