package suffixsort

import (
	"slices"

	"github.com/suffixcl/suffixcl/device"
	"github.com/suffixcl/suffixcl/internal/tune"
	"github.com/suffixcl/suffixcl/internal/tuned"
	"github.com/suffixcl/suffixcl/scan"
)

// The files of programs, and the templates that they have parameters of.
var (
	common       = []string{"heads.cl", "answer.cl", "suffixsort.cl"}
	textFile     = "suffixsort_text.cl"
	windowsFiles = []string{"text.cl", "suffixsort_windows.cl"}
	listsFile    = "suffixsort_lists.cl"
	keysFile     = "suffixsort_keys.cl"
	chainsFile   = "suffixsort_chains.cl"
	samplesFile  = "suffixsort_samples.cl"

	markedTemplate = scan.TemplateOptions{
		Source:       device.Source{Files: with(chainsFile), Defines: device.Defines{"SUFFIXSORT_MARKED": 1}},
		ElementBytes: 4,
	}
	inducedTemplate = scan.TemplateOptions{
		Source:       device.Source{Files: with(samplesFile), Defines: device.Defines{"SUFFIXSORT_INDUCED": 1}},
		ElementBytes: 8,
	}
	// suffixesSource has the pass that writes the suffixes of sorted phrases.
	suffixesSource = device.Source{Defines: device.Defines{
		"RADIX_LAST_PARAMS":            ", uint index",
		"RADIX_STORE_KEY(to, key)":     "((void)(key))",
		"RADIX_STORE_VALUE(to, value)": "values_out[to] = (value) & index",
	}}
	// symbolsSource has the pass that writes the symbols before sorted suffixes, and the row of the marker.
	symbolsSource = device.Source{Defines: device.Defines{
		"RADIX_LAST_PARAMS": ", uint marker, __global uchar *symbols, __global uint *rows",
		"RADIX_STORE_KEY(to, key)": "symbols[to] = (uchar)(key);" +
			" if (((key) & 0xff) == marker) rows[0] = (uint)(to) + 1",
		"RADIX_STORE_VALUE(to, value)": "((void)(value))",
	}}
	partitionTemplate = device.Source{Files: with(listsFile), Defines: device.Defines{"SUFFIXSORT_PARTITION": 1}}
	startsTemplate    = scan.TemplateOptions{
		Source:       device.Source{Files: with(listsFile), Defines: device.Defines{"SUFFIXSORT_STARTS": 1}},
		ElementBytes: 8,
	}
	lastsTemplate = scan.TemplateOptions{
		Source:       device.Source{Files: with(listsFile), Defines: device.Defines{"SUFFIXSORT_LASTS": 1}},
		ElementBytes: 4,
	}
)

func with(files ...string) []string { return slices.Concat(common, files) }

// mapFiles have the kernels that treat every element on its own.
var mapFiles = []string{textFile, listsFile, chainsFile}

// mapSource has those of a file. On devices of CPU shape, whose drivers compile no kernel before it is launched, one
// program has all.
func mapSource(set tune.Set, file string) device.Source {
	m, files := set.Map, []string{file}
	if m.WG == 1 {
		files = mapFiles
	}
	if slices.Contains(files, textFile) {
		files = append([]string{"periodic_recurs.cl"}, files...)
	}
	return device.Source{
		Files: with(slices.Concat(windowsFiles, files)...),
		Defines: device.Defines{
			"SUFFIXSORT_MAP": 1, "WG": m.WG, "ITEMS": tileOf(m) / m.WG, "LIMIT": set.Groups.Limit,
		},
	}
}

// What a program around a sort is for: SUFFIXSORT_SAMPLES, but for the first.
const (
	ofSuffixes  = 0
	ofSamples   = 1
	ofTransform = 2 // from samples
)

// firstSource has the kernels around a sort.
func firstSource(set tune.Set, of int) device.Source {
	m, files := set.Map, windowsFiles
	defines := device.Defines{
		"SUFFIXSORT_FIRST": 1, "WG": m.WG, "ITEMS": tileOf(m) / m.WG, "RUN": runOf(m), "LIMIT": set.Groups.Limit,
	}
	if of != ofSuffixes {
		files = append(slices.Clone(files), samplesFile)
		defines["SUFFIXSORT_SAMPLES"] = of
	}
	return device.Source{Files: with(files...), Defines: defines}
}

// What small groups are sorted by: DOUBLING of the kernels.
const (
	byWindows = 0
	byRanks   = 1
)

// slotsOf is how many slots a work-group of small groups looks through, at most: of all suffixes, where many are in
// none, as many as it treats in four turns; of representatives fewer, so that one turn does. On GPUs least is that.
func slotsOf(set tune.Set, keys int) (most, least int) {
	span := set.Groups.WG * set.Groups.Items
	if set.Groups.WG == 1 {
		return span, span
	}
	if least = max((span-set.Groups.Limit)/32, 1) * 32; keys == byRanks {
		return least, least
	}
	return 4 * span, least
}

// groupsSource has a round of small groups.
func groupsSource(set tune.Set, keys int) device.Source {
	g := set.Groups
	slots, _ := slotsOf(set, keys)
	return device.Source{
		Files: with(slices.Concat(windowsFiles, []string{keysFile, "suffixsort_tile.cl", "suffixsort_groups.cl"})...),
		Defines: device.Defines{
			"SUFFIXSORT_GROUPS": 1, "DOUBLING": keys, "SLOTS": slots, "ROUNDS": 0,
			"WG": g.WG, "ITEMS": g.Items, "LIMIT": g.Limit, "COUNTED": g.Limit,
		},
	}
}

// roundLimit is how many suffixes the groups have at most that all rounds of doubling in one launch sort: small ones,
// and others that a work-group has room for.
func roundLimit(set tune.Set) int {
	return max(set.Groups.Limit, min(set.Groups.WG*set.Groups.Items, 1<<10))
}

// roundsSource has all rounds of doubling in one launch. A work-group looks through as many slots as of all suffixes.
func roundsSource(set tune.Set) device.Source {
	g := set.Groups
	slots, _ := slotsOf(set, byWindows)
	return device.Source{
		Files: with(slices.Concat(windowsFiles,
			[]string{keysFile, "suffixsort_tile.cl", "globalbarrier.cl", "suffixsort_groups.cl"})...),
		Defines: device.Defines{
			"SUFFIXSORT_GROUPS": 1, "DOUBLING": byRanks, "SLOTS": slots, "ROUNDS": 1,
			"WG": g.WG, "ITEMS": g.Items, "LIMIT": roundLimit(set), "COUNTED": g.Limit,
		},
	}
}

// middleSource has the rounds of large groups that are sorted in local memory.
func middleSource(set tune.Set, keys int) device.Source {
	return localSource(set, keys, 0, set.Middle.WG, set.Middle.Items)
}

// divisionSource divides the longer ones.
func divisionSource(set tune.Set, keys int) device.Source {
	return localSource(set, keys, 1, set.Middle.DivideWG, set.Middle.DivideItems)
}

func localSource(set tune.Set, keys, divide, wg, items int) device.Source {
	return device.Source{
		Files: with(slices.Concat(windowsFiles, []string{keysFile, "localsort.cl", "suffixsort_middle.cl"})...),
		Defines: device.Defines{
			"SUFFIXSORT_GROUPS": 1, "DOUBLING": keys, "DIVIDE": divide, "FIT": set.Middle.WG * set.Middle.Items,
			"WG": wg, "ITEMS": items, "K": "ulong", "K64": 1, "SEGMENTED": 0,
		},
	}
}

// singleLimit is how many suffixes of representatives one work-group sorts: on devices of CPU shape none.
func singleLimit(set tune.Set) int {
	g := set.Groups
	if g.WG == 1 {
		return 0
	}
	return g.WG * min(2*g.Items, 4096/g.WG)
}

// singleSource has all rounds of doubling in one work-group.
func singleSource(set tune.Set) device.Source {
	g, limit := set.Groups, singleLimit(set)
	return device.Source{
		Files: with("suffixsort_tile.cl", "suffixsort_single.cl"),
		Defines: device.Defines{
			"SUFFIXSORT_GROUPS": 1, "SLOTS": limit, "WG": g.WG, "ITEMS": limit / g.WG, "LIMIT": g.Limit,
		},
	}
}

// builder makes the kernels of the steps.
type builder struct {
	grid
	session *device.Session
	set     tune.Set
	n       int // characters
}

func newBuilder(s *device.Session, n int) builder {
	set := *tuned.Of(s)
	return builder{grid: newGrid(s.Caps(), set.Map), session: s, set: set, n: n}
}

// maps is a kernel of a file that treats every element on its own.
func (b builder) maps(file, name string) *device.Kernel {
	return b.session.Program(mapSource(b.set, file)).Kernel("suffixsort_"+name, b.set.Map.WG)
}

// groups is the program of a round of small groups.
func (b builder) groups(keys int) *device.Program {
	return b.session.Program(groupsSource(b.set, keys))
}
