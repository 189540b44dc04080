package main

import (
	"slices"
	"strconv"
	"strings"

	"github.com/suffixcl/suffixcl"
	"github.com/suffixcl/suffixcl/device"
	"github.com/suffixcl/suffixcl/internal/bytesize"
	"github.com/suffixcl/suffixcl/internal/cli"
)

// allDevices is the value of --device for all devices of the best kind that there is.
const allDevices = "all"

// devices are the names of --device that have commas between them, if it is not one with a comma in its name.
func (f *jobFlags) devices() (names []string) {
	if f.Device != allDevices && !strings.Contains(f.Device, ",") || cli.IsDevice(f.Device) {
		return nil
	}
	for name := range strings.SplitSeq(f.Device, ",") {
		names = append(names, strings.TrimSpace(name))
	}
	return names
}

// checkDevices returns an error of several devices for a verb that works on one, or of a name that is missing.
func (f *jobFlags) checkDevices(verb string) error {
	switch names := f.devices(); {
	case names == nil:
		return nil
	case !f.several:
		return cli.Usage("%s works on one device: --device %s names several", verb, f.Device)
	case slices.Contains(names, ""):
		return cli.Usage("--device %s: a name is empty", f.Device)
	}
	return nil
}

// severalDevices tells whether --device names several, or all.
func (f *jobFlags) severalDevices() bool { return f.devices() != nil }

// checkRanges returns an error of flags for what is sorted in ranges only. plain: bytes in their plain order.
func (f *jobFlags) checkRanges(plain bool) error {
	ranges, chosen := suffixcl.AlgorithmRanges, suffixcl.Algorithm(f.algorithm.Value)
	wanted := ""
	switch {
	case f.resume != "":
		wanted = "--resume"
	case f.severalDevices():
		wanted = "--device " + f.Device
	case f.sorter() == ranges:
		wanted = "--algorithm " + string(ranges)
	default:
		return nil
	}
	switch {
	case f.ranksInRanges() && f.resume == "" && !f.severalDevices():
		return nil // checkMPI has the rest
	case !plain:
		return cli.Usage("%s sorts bytes in their plain order, in ranges: neither --symbols, --order nor --set go with it",
			wanted)
	case f.mpi && f.severalDevices():
		return cli.Usage("--device %s does not go with --mpi", f.Device)
	case chosen != ranges && chosen != suffixcl.AlgorithmAuto && chosen != "":
		return cli.Usage("%s sorts in ranges: --algorithm %s does not go with it", wanted, chosen)
	}
	return nil
}

// openOthers opens the devices of --device after the first, which is open.
func (j *job) openOthers() error {
	names := j.flags.devices()
	if len(names) == 0 {
		return nil
	}
	open := func(c device.Config) error {
		c.MaxMemory, c.Helper = int64(j.flags.MaxMemory), helper
		s, err := cli.OpenDevice(c)
		if err != nil {
			return err
		}
		e, err := suffixcl.New(s, suffixcl.EngineOptions{Algorithm: j.flags.sorter()})
		if err != nil {
			s.Close()
			return err
		}
		j.others = append(j.others, e)
		return nil
	}
	if j.flags.Device != allDevices {
		for _, name := range names[1:] {
			if err := open(device.Config{Selector: name}); err != nil {
				return err
			}
		}
		return nil
	}
	alike, err := cli.Alike(j.engine.Caps())
	if err != nil {
		return err
	}
	for _, d := range alike {
		if err := open(device.Config{Device: d}); err != nil {
			return err
		}
	}
	return nil
}

// inRanges tells whether a text of n bytes is sorted in ranges, and says so.
func (j *job) inRanges(what string, n int64) (bool, error) {
	if j.alwaysRanges(n) {
		return true, nil
	}
	plan, err := j.plan(n)
	if err != nil || !planOfRanges(plan) {
		return false, err
	}
	j.noteRanges(what, plan)
	return true, nil
}

// alwaysRanges tells whether a text of n bytes is sorted in ranges whatever the memory.
func (j *job) alwaysRanges(n int64) bool {
	f := j.flags
	return f.resume != "" || f.ranksInRanges() || f.sorter() == suffixcl.AlgorithmRanges || f.severalDevices() ||
		n > suffixcl.MaxLen
}

// planOfRanges tells whether a plan is one of ranges, of which a phase says how many there are.
func planOfRanges(plan device.MemoryPlan) bool { return rangesOf(plan) > 0 }

// rangesOf is how many ranges a plan has; 0 if it is not one of ranges.
func rangesOf(plan device.MemoryPlan) int {
	for _, p := range plan {
		if number, _, ok := strings.Cut(p.Phase, " ranges"); ok {
			if n, err := strconv.Atoi(number); err == nil {
				return n
			}
		}
	}
	return 0
}

// noteRanges says that a result is made in ranges, unless that was asked for.
func (j *job) noteRanges(what string, plan device.MemoryPlan) {
	if j.flags.sorter() == suffixcl.AlgorithmAuto {
		j.note("the %s does not fit in one piece: sorted in %s", what,
			bytesize.Count(rangesOf(plan), "range"))
	}
}

// rangesResult is what a verb makes in ranges: a suffix array, a transform or an LCP array.
type rangesResult struct {
	name    string
	options suffixcl.RangeOptions
	width   int // bytes of an entry
}

func suffixArrayInRanges(width int) rangesResult {
	return rangesResult{"suffix array", suffixcl.RangeOptions{Packed: width == 5}, width}
}

func transformInRanges() rangesResult {
	return rangesResult{"transform", suffixcl.RangeOptions{Transform: true, NoPositions: true}, 1}
}

func lcpInRanges(width int) rangesResult {
	return rangesResult{"LCP array", suffixcl.RangeOptions{LCP: true, NoPositions: true}, width}
}

// fits returns an error if entries for a text of n bytes need more than their width.
func (r rangesResult) fits(n int64) error {
	if !r.options.Transform && r.width == 4 && n > suffixcl.MaxLen {
		return cli.Usage("the %s of a text of %d bytes has entries of --width 5 or 8", r.name, n)
	}
	return nil
}
