package amdgpu

import (
	"fmt"
	"math/bits"
	"strconv"
	"strings"
)

// dpp is how the first source of an instruction comes from other lanes: lane i reads lane from(i).
type dpp struct {
	from     func(lane, width int) int // below 0: there is none
	rowMask  uint8                     // rows of 16 lanes that are written
	bankMask uint8                     // groups of 4 lanes in each row, likewise
	zero     bool                      // bound_ctrl: 0 where there is none
	anyLane  bool                      // fi: inactive lanes are read, too
}

// inRow reads within the row of 16 lanes.
func inRow(f func(lane int) int) func(lane, width int) int {
	return func(lane, _ int) int {
		if to := f(lane & 15); to >= 0 && to < 16 {
			return lane&^15 | to
		}
		return -1
	}
}

// parseDPP reads a modifier, if it is one of DPP.
func (d *decoder) parseDPP(in *inst, name, value string) (bool, error) {
	if in.dpp == nil {
		in.dpp = &dpp{rowMask: 15, bankMask: 15}
	}
	p := in.dpp
	n, err := strconv.ParseInt(value, 0, 32)
	by := int(n)
	switch name {
	case "quad_perm", "dpp8":
		var order []int
		for _, digit := range strings.Split(strings.Trim(value, "[]"), ",") {
			i, err := strconv.Atoi(digit)
			if err != nil {
				return true, fmt.Errorf("%s:%s", name, value)
			}
			order = append(order, i)
		}
		if len(order) != 4 && len(order) != 8 {
			return true, fmt.Errorf("%s:%s", name, value)
		}
		p.from = func(lane, _ int) int { return lane&^(len(order)-1) | order[lane&(len(order)-1)] }
		return true, nil
	case "row_mirror":
		p.from = inRow(func(lane int) int { return 15 - lane })
		return true, nil
	case "row_half_mirror":
		p.from = inRow(func(lane int) int { return lane&8 | 7 - lane&7 })
		return true, nil
	case "row_shl":
		p.from = inRow(func(lane int) int { return lane + by })
	case "row_shr":
		p.from = inRow(func(lane int) int { return lane - by })
	case "row_ror":
		p.from = inRow(func(lane int) int { return (lane - by) & 15 })
	case "row_newbcast", "row_share":
		p.from = inRow(func(int) int { return by })
	case "row_xmask":
		p.from = inRow(func(lane int) int { return lane ^ by })
	case "row_bcast":
		p.from = func(lane, _ int) int { // the last lane of the row, or of the half, before
			if by == 15 {
				return lane&^15 - 1
			}
			return lane&^31 - 1
		}
	case "wave_shr":
		p.from = func(lane, _ int) int { return lane - 1 }
	case "wave_shl":
		p.from = func(lane, width int) int {
			if lane+1 == width {
				return -1
			}
			return lane + 1
		}
	case "wave_ror":
		p.from = func(lane, width int) int { return (lane - 1) & (width - 1) }
	case "wave_rol":
		p.from = func(lane, width int) int { return (lane + 1) & (width - 1) }
	case "row_mask":
		p.rowMask = uint8(by)
	case "bank_mask":
		p.bankMask = uint8(by)
	case "bound_ctrl":
		p.zero = true // objdump writes 0 for gfx9 and 1 since
	case "fi":
		p.anyLane = by != 0
	default:
		if p.from == nil {
			in.dpp = nil
		}
		return false, nil
	}
	return true, err
}

// enabled are the lanes that are written.
func (p *dpp) enabled(w *wave) uint64 {
	mask := uint64(0)
	for i := range w.width {
		if p.rowMask>>(i/16)&1 != 0 && p.bankMask>>(i/4%4)&1 != 0 {
			mask |= 1 << i
		}
	}
	return mask &^ w.unmoved
}

// moved is the first source from other lanes.
func (w *wave) moved(in *inst) (lanes, bool) {
	p, src, active := in.dpp, w.vector(&in.src[0], 1), w.exec()
	d := w.tmp[0][:w.width]
	w.unmoved = 0
	for i := range d {
		from := p.from(i, w.width)
		switch {
		case from >= 0 && (p.anyLane || active>>from&1 != 0):
			d[i] = src[from]
		case p.zero:
			d[i] = 0
		default:
			w.unmoved |= 1 << i
		}
	}
	return d, w.unmoved != w.allLanes()
}

func crossOperations() map[string]operation {
	return map[string]operation{
		"v_readfirstlane_b32": {class: classVector, dests: 1, run: func(w *wave, in *inst) {
			lane := 0
			if mask := w.exec(); mask != 0 {
				lane = bits.TrailingZeros64(mask)
			}
			w.put(&in.dst, w.vector(&in.src[0], 0)[lane])
		}},
		"v_readlane_b32": {class: classVector, dests: 1, run: func(w *wave, in *inst) {
			lane := int(w.scalar(&in.src[1])) & (w.width - 1)
			if w.exec()>>lane&1 == 0 && !w.launch.kernel.holdsScalars(in.src[0].index) {
				panic(fault("it reads lane %d, which is not active: %#x of %#x are", lane, w.exec(), w.full))
			}
			w.put(&in.dst, w.reg(in.src[0].index)[lane])
		}},
		"v_writelane_b32": {class: classVector, dests: 1, run: func(w *wave, in *inst) {
			w.reg(in.dst.index)[int(w.scalar(&in.src[1]))&(w.width-1)] = w.scalar(&in.src[0])
		}},
		"ds_bpermute_b32":   {class: classCross, dests: 1, run: runBackwardPermute},
		"ds_permute_b32":    {class: classCross, dests: 1, run: runForwardPermute},
		"v_permlane16_b32":  {class: classVector, dests: 1, packed: true, run: runPermuteRow(0)},
		"v_permlanex16_b32": {class: classVector, dests: 1, packed: true, run: runPermuteRow(16)},
		"v_movrels_b32": {class: classVector, dests: 1, run: func(w *wave, in *inst) {
			moved := *in
			moved.src[0].index += uint16(w.s[m0])
			merge(w.reg(in.dst.index), w.indexedRegister(moved.src[0].index), w.exec())
		}},
		"v_movreld_b32": {class: classVector, dests: 1, run: func(w *wave, in *inst) {
			merge(w.indexedRegister(in.dst.index+uint16(w.s[m0])), w.vector(&in.src[0], 0), w.exec())
		}},
	}
}

// indexedRegister is reg for a number that the program computes.
func (w *wave) indexedRegister(i uint16) lanes {
	if int(i) >= len(w.v)/w.width {
		panic(fault("an indexed register, v%d, is not one of the %d of the kernel", i, len(w.v)/w.width))
	}
	return w.reg(i)
}

// runBackwardPermute reads from the lane whose number times 4 is the address.
func runBackwardPermute(w *wave, in *inst) {
	address, data := w.vector(&in.src[0], 0), w.vector(&in.src[1], 1)
	d, active := w.out[0][:w.width], w.exec()
	for mask := active; mask != 0; mask &= mask - 1 {
		i := bits.TrailingZeros64(mask)
		from := int(address[i]+uint32(in.offset)) >> 2 & (w.width - 1)
		if active>>from&1 == 0 {
			panic(fault("lane %d reads lane %d, which is not active: %#x of %#x are", i, from, active, w.full))
		}
		d[i] = data[from]
	}
	merge(w.reg(in.dst.index), d, active)
}

// runForwardPermute writes to the lane whose number times 4 is the address; the others get 0.
func runForwardPermute(w *wave, in *inst) {
	address, data := w.vector(&in.src[0], 0), w.vector(&in.src[1], 1)
	d, active := broadcast(w.out[0][:w.width], 0), w.exec()
	for mask := active; mask != 0; mask &= mask - 1 {
		i := bits.TrailingZeros64(mask)
		d[int(address[i]+uint32(in.offset))>>2&(w.width-1)] = data[i]
	}
	merge(w.reg(in.dst.index), d, active)
}

// runPermuteRow reads within rows of 16 lanes, or from the other row of a pair: scalars have 4 bits for each lane.
func runPermuteRow(other int) func(w *wave, in *inst) {
	return func(w *wave, in *inst) {
		src, active := w.vector(&in.src[0], 0), w.exec()
		selectors := uint64(w.scalar(&in.src[2]))<<32 | uint64(w.scalar(&in.src[1]))
		d := w.out[0][:w.width]
		for mask := active; mask != 0; mask &= mask - 1 {
			i := bits.TrailingZeros64(mask)
			from := (i&^15 ^ other) | int(selectors>>(4*(i&15))&15)
			if active>>from&1 == 0 && in.opSel[0]&1 == 0 { // op_sel: inactive lanes may be read
				panic(fault("lane %d reads lane %d, which is not active: %#x of %#x are", i, from, active, w.full))
			}
			d[i] = src[from]
		}
		merge(w.reg(in.dst.index), d, active)
	}
}
