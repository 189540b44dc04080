package ranges

import (
	"github.com/suffixcl/suffixcl/device"
)

// partLen is how many elements are compared with bounds at a time: a multiple of 64. The bitmap has a bit for each of
// these.
var partLen = 1 << 30

// elements are what suffixes are collected from: `count` of a kind of ranges_collect.cl.
type elements[P uint32 | uint64] struct {
	kind  uint32
	list  *device.Buffer[P] // of those that are listed
	count int
	part  int      // of a list, whose bitmap is there; if it is for an interval
	of    interval // the interval that the bitmap is for
}

// Kinds of elements.
const (
	ofText   = 0
	ofSample = 1
	ofList   = 2
)

// A scan of the whole text for each range takes longer than all else where there are many. Beyond manyScans ranges a
// list has the suffixes of rangesOfGroup of them or fewer, which one scan of the list tells apart.
var manyScans = 256

const rangesOfGroup = 5

// group is the suffixes of some ranges in a row. The zero value is none.
type group[P uint32 | uint64] struct {
	first, end int // ranges
	elements[P]
}
