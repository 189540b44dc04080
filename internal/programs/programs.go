// Package programs lists every program that the library builds, so that gates
// can compile all of them without a device. A package that builds programs adds
// its Sources here; the test finds kernel files that nobody listed.
package programs

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/suffixcl/suffixcl/bwt"
	"github.com/suffixcl/suffixcl/device"
	"github.com/suffixcl/suffixcl/fmindex"
	"github.com/suffixcl/suffixcl/internal/periodic"
	"github.com/suffixcl/suffixcl/internal/tune"
	"github.com/suffixcl/suffixcl/lcp"
	"github.com/suffixcl/suffixcl/lrq"
	"github.com/suffixcl/suffixcl/match"
	"github.com/suffixcl/suffixcl/merge"
	"github.com/suffixcl/suffixcl/patterns"
	"github.com/suffixcl/suffixcl/prefixdoubling"
	"github.com/suffixcl/suffixcl/radixsort"
	"github.com/suffixcl/suffixcl/sais"
	"github.com/suffixcl/suffixcl/scan"
	"github.com/suffixcl/suffixcl/segsort"
	"github.com/suffixcl/suffixcl/skew"
	"github.com/suffixcl/suffixcl/suffixsort"
	"github.com/suffixcl/suffixcl/verify"
)

// packages, from the lowest to the highest: each function is what the package's
// constructors build from.
var packages = []func(tune.Set) []device.Source{
	device.Sources,
	scan.Sources,
	radixsort.Sources,
	merge.Sources,
	periodic.Sources,
	segsort.Sources,
	skew.Sources,
	sais.Sources,
	suffixsort.Sources,
	prefixdoubling.Sources,
	bwt.Sources,
	lcp.Sources,
	verify.Sources,
	patterns.Sources,
	fmindex.Sources,
	match.Sources,
	lrq.Sources,
}

// All returns the programs for a set of tuning parameters.
func All(set tune.Set) []device.Source {
	var all []device.Source
	for _, sources := range packages {
		all = append(all, sources(set)...)
	}
	return all
}

// Name tells the variants of All apart for people: the files without common.cl
// and the defines other than WG.
func Name(src device.Source) string {
	var b strings.Builder
	for i, file := range src.Files {
		if i > 0 {
			b.WriteByte('+')
		}
		b.WriteString(strings.TrimSuffix(file, ".cl"))
	}
	for _, name := range slices.Sorted(maps.Keys(src.Defines)) {
		if name == "WG" {
			continue
		}
		fmt.Fprintf(&b, " %s=%v", name, src.Defines[name])
	}
	return b.String()
}
