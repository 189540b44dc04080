package distributed

import (
	"github.com/suffixcl/suffixcl/device"
	"github.com/suffixcl/suffixcl/internal/mpi"
)

// OverMPI is exported for tests.
func OverMPI(c *mpi.Comm) Communicator { return newOverMPI(c) }

// SetOnHost has the host sort up to n items.
func SetOnHost(n int) (restore func()) {
	old := onHost
	onHost = n
	return func() { onHost = old }
}

// OwnerOf is exported for tests.
var OwnerOf = ownerOf

// SetGathers has the recursion gathered where it fits, or never.
func SetGathers(on bool) (restore func()) {
	old := gathers
	gathers = on
	return func() { gathers = old }
}

// SetSmallWork has rank 0 take n bytes besides those for its block to sort for others.
func SetSmallWork(n uint64) (restore func()) {
	old := smallWork
	smallWork = n
	return func() { smallWork = old }
}

// SetUnshared has ranks with devices of their own.
func SetUnshared() (restore func()) {
	old := identify
	identify = func(*device.Session) identity { return identity{} }
	return func() { identify = old }
}

// SetPipe has ranks that share a device pass arrays through n bytes.
func SetPipe(n int) (restore func()) {
	bytes, on := pipeBytes, piped
	pipeBytes, piped = n, func(*device.Session) bool { return true }
	return func() { pipeBytes, piped = bytes, on }
}

// Ways of pCSS.
var Ways = []string{string(wayMerge), string(wayOneRank), string(wayRanks), ""}

// SetWay has pCSS sort by one way alone, and by windows where it does not end.
func SetWay(name string) (restore func()) {
	old := only
	only = way(name)
	return func() { only = old }
}

// SetOverlap has n characters of the next block sorted with a block.
func SetOverlap(n int) (restore func()) {
	old := firstOverlap
	firstOverlap = n
	return func() { firstOverlap = old }
}

// SetWide has positions of 64 bits in texts of n characters or more.
func SetWide(n uint64) (restore func()) {
	old := widePositions
	widePositions = n
	return func() { widePositions = old }
}

// SetSteps has a work-item of a merge take at most so many steps: for each suffix, and besides.
func SetSteps(each, first int) (restore func()) {
	oldEach, oldFirst := stepsEach, stepsFirst
	stepsEach, stepsFirst = each, first
	return func() { stepsEach, stepsFirst = oldEach, oldFirst }
}

// SetMergeItems has a work-item merge n suffixes.
func SetMergeItems(n int) (restore func()) {
	old := [3]int{mergeItemsCPU, mergeItemsGPU, mergeItemsShort}
	mergeItemsCPU, mergeItemsGPU, mergeItemsShort = n, n, n
	return func() { mergeItemsCPU, mergeItemsGPU, mergeItemsShort = old[0], old[1], old[2] }
}

// Communicator is that of a builder.
func (b *Builder) Communicator() Communicator { return b.comm }

// SetRangeCapacity has at most n suffixes in a range.
func SetRangeCapacity(n int) (restore func()) {
	old := rangeCapacity
	rangeCapacity = n
	return func() { rangeCapacity = old }
}

// SetMaxRouted has blocks of at most n characters routed.
func SetMaxRouted(n int) (restore func()) {
	old := maxRouted
	maxRouted = n
	return func() { maxRouted = old }
}
