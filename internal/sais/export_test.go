package sais

import "github.com/suffixcl/suffixcl/device"

// NewFor is New with a work area of so many words.
func NewFor(s *device.Session, n, work int) (*Sorter, error) {
	return newSorter(s, n, needs{work: work, heads: n / 2})
}

// WorkPercent is the least work area, in words for 100 characters.
const WorkPercent = workPercent

var MostNames = mostNames
