package distributed

import "golang.org/x/sys/unix"

// processors are the processors that this process may run on, as a set of bits.
func processors() (set [16]uint64, known bool) {
	var mask unix.CPUSet
	if unix.SchedGetaffinity(0, &mask) != nil {
		return set, false
	}
	for i := range min(len(set), len(mask)) {
		set[i] = uint64(mask[i])
	}
	return set, true
}
