package device

import (
	"fmt"
	"math/bits"
)

// selfTestGroup is four subgroups of the widest kind.
const selfTestGroup = 256

func selfTestSource(wg int) Source {
	return Source{Files: []string{"selftest.cl"}, Defines: Defines{"WG": wg}}
}

// laneRows is how many rows lane_operations of selftest.cl writes.
const laneRows = 24

// selfTest runs the lane operations and work-group scans that kernels are made of, in the form that the session's
// capabilities choose. It compares the results with those of the host. The error is the first difference.
func selfTest(s *Session) error { return testLanes(s, selfTestWidth(&s.caps)) }

// wantSelfTest asks for the program of selfTest.
func wantSelfTest(s *Session) { selfTestKernel(s, selfTestWidth(&s.caps)) }

func selfTestKernel(s *Session, wg int) *Kernel {
	return s.Program(selfTestSource(wg)).Kernel("lane_operations", wg)
}

// selfTestWidth is the work-group of the self-test.
func selfTestWidth(c *Caps) int {
	wg := min(selfTestGroup, c.MaxWorkGroup)
	if c.CPUShape {
		wg = 1 // as all kernels have there; wider ones take PoCL most of a second to compile
	}
	for wg&(wg-1) != 0 {
		wg &= wg - 1
	}
	return wg
}

func testLanes(s *Session, wg int) error {
	in, out, err := laneOperations(s, selfTestSource(wg), wg)
	if err == nil {
		err = checkLanes(in, out)
	}
	if err != nil {
		err = fmt.Errorf("device: self-test of %s, work-group of %d: %w", s.caps.Name, wg, err)
	}
	return err
}

// laneOperations runs the kernel of selftest.cl.
func laneOperations(s *Session, src Source, wg int) (x, got []uint64, err error) {
	in, err := Alloc[uint64](s, wg)
	if err != nil {
		return nil, nil, err
	}
	defer in.Release()
	out, err := Alloc[uint64](s, laneRows*wg)
	if err != nil {
		return nil, nil, err
	}
	defer out.Release()
	x, got = make([]uint64, wg), make([]uint64, laneRows*wg)
	for i, v := 0, uint64(0x9E3779B97F4A7C15); i < wg; i++ {
		v ^= v << 13
		v ^= v >> 7
		v ^= v << 17
		x[i] = v
	}
	if err := in.Write(x); err != nil {
		return nil, nil, err
	}
	s.Program(src).Kernel("lane_operations", wg).Launch(1, 0, in, out)
	return x, got, out.Read(got)
}

// pairSum adds the halves of words on their own.
func pairSum(a, b uint64) uint64 {
	return uint64(uint32(a>>32)+uint32(b>>32))<<32 | uint64(uint32(a)+uint32(b))
}

// checkLanes compares what lane_operations wrote for input x.
func checkLanes(x, got []uint64) error {
	wg := len(x)
	row := func(r int) []uint64 { return got[r*wg : (r+1)*wg] }
	width := int(row(0)[0])
	if width < 1 || width > 64 || wg%width != 0 {
		return fmt.Errorf("subgroups of %d", width)
	}
	// Where every lane is: the order of work-items in subgroups is the driver's.
	at := make([]int, wg)
	for i := range at {
		at[i] = -1
	}
	for i := range x {
		lane, group := int(row(1)[i]), int(row(2)[i])
		if lane >= width || group >= wg/width || at[group*width+lane] >= 0 {
			return fmt.Errorf("work-item %d says it is lane %d of subgroup %d", i, lane, group)
		}
		at[group*width+lane] = i
	}
	check := func(r int, name string, i int, want uint64) error {
		if v := row(r)[i]; v != want {
			return fmt.Errorf("%s of work-item %d is %#x, want %#x", name, i, v, want)
		}
		return nil
	}

	var errs []error
	note := func(err error) {
		if err != nil && len(errs) == 0 {
			errs = append(errs, err)
		}
	}
	hasLanes := row(23)[0] != 0
	var groupsBefore uint32
	for group := 0; group < wg/width; group++ {
		members := at[group*width : (group+1)*width]
		var mask uint64
		var sum uint32
		for lane, i := range members {
			mask |= x[i] & 1 << lane
			sum += uint32(x[i])
		}
		var lanes uint32
		for lane, i := range members {
			low := func(lane int) uint64 { return uint64(uint32(x[members[lane]])) }
			lanes += uint32(x[i])
			note(check(3, "sg_ballot", i, mask))
			note(check(4, "sg_prefix", i, uint64(bits.OnesCount64(mask&(1<<lane-1)))))
			note(check(5, "sg_shuffle", i, low(int(x[i]>>32)%width)))
			note(check(6, "sg_up", i, low(max(lane-1, 0))))
			if hasLanes {
				note(check(19, "lane scan", i, uint64(lanes)))
				note(check(20, "lane_shuffle", i, uint64(sum)))
				note(check(21, "subgroup scan", i, uint64(groupsBefore)))
			}
		}
		groupsBefore += sum
	}

	// The scans of a work-group are in the order of lanes and subgroups too.
	var sum32, max32 uint32
	var sum64, pair, low4, high4 uint64
	for _, i := range at {
		note(check(7, "scan of uint", i, uint64(sum32)))
		note(check(9, "maximum scan of uint", i, uint64(max32)))
		note(check(11, "scan of ulong", i, sum64))
		note(check(13, "scan of uint2", i, pair))
		note(check(15, "scan of uint4", i, low4))
		note(check(16, "scan of uint4, high half", i, high4))
		v := x[i]
		sum32, max32, sum64, pair, low4 = sum32+uint32(v), max(max32, uint32(v)), sum64+v, pairSum(pair, v), pairSum(low4, v)
		high4 = pairSum(high4, 1<<32|uint64(uint32(v)^uint32(v>>32)))
	}
	for i := range x {
		note(check(8, "sum of uint", i, uint64(sum32)))
		note(check(10, "maximum of uint", i, uint64(max32)))
		note(check(12, "sum of ulong", i, sum64))
		note(check(14, "sum of uint2", i, pair))
		note(check(17, "sum of uint4", i, low4))
		note(check(18, "sum of uint4, high half", i, high4))
		if hasLanes {
			note(check(22, "sum of subgroups", i, uint64(sum32)))
		}
	}
	if len(errs) > 0 {
		return errs[0]
	}
	return nil
}
