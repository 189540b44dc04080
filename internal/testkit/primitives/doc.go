// Package primitives has the suites of the primitives beneath sorters: scans, compaction, sorts, segmented sorts and
// merges. They take an implementation as a function on slices, as those of conformance do.
package primitives

import "github.com/suffixcl/suffixcl/conformance"

// What suites take and are made of.
type (
	Config = conformance.Config
	Case   = conformance.Case
)
