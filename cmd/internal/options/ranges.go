package options

import (
	"slices"
	"strings"

	"github.com/spf13/pflag"
	"github.com/suffixcl/suffixcl"
	"github.com/suffixcl/suffixcl/distributed"
	"github.com/suffixcl/suffixcl/internal/cli"
	"github.com/suffixcl/suffixcl/seqio"
)

// AllDevices is the value of --device for all devices of the best kind that there is.
const AllDevices = "all"

// AddRanges declares what verbs have that sort in ranges: several devices, a directory of what was finished.
func (f *Job) AddRanges(flags *pflag.FlagSet) {
	f.several = true
	flags.Lookup("device").Usage = `device: index, words of its name, "gpu", "cpu", "auto", several with commas between ` +
		`them, or "all" (default $SUFFIXCL_DEVICE, else auto)`
	flags.Var((*cli.Directory)(&f.Resume), "resume",
		"directory that keeps finished ranges; a job that was ended goes on from there (sorts in ranges)")
}

// Devices are the names of --device that have commas between them, if it is not one with a comma in its name.
func (f *Job) Devices() (names []string) {
	if f.Device != AllDevices && !strings.Contains(f.Device, ",") || cli.IsDevice(f.Device) {
		return nil
	}
	for name := range strings.SplitSeq(f.Device, ",") {
		names = append(names, strings.TrimSpace(name))
	}
	return names
}

// CheckDevices returns an error of several devices for a verb that works on one, or of a name that is missing.
func (f *Job) CheckDevices(verb string) error {
	switch names := f.Devices(); {
	case names == nil:
		return nil
	case !f.several:
		return cli.Usage("%s works on one device: --device %s names several", verb, f.Device)
	case slices.Contains(names, ""):
		return cli.Usage("--device %s: a name is empty", f.Device)
	}
	return nil
}

// SeveralDevices tells whether --device names several, or all.
func (f *Job) SeveralDevices() bool { return f.Devices() != nil }

// AlwaysRanges tells whether the flags have a text sorted in ranges whatever the memory.
func (f *Job) AlwaysRanges() bool {
	return f.Resume != "" || f.RanksInRanges() || f.Sorter() == suffixcl.AlgorithmRanges || f.SeveralDevices()
}

// RanksInRanges tells whether --mpi sorts in ranges.
func (f *Job) RanksInRanges() bool {
	return f.MPI && (f.Resume != "" || f.Algorithm.Value == string(suffixcl.AlgorithmRanges))
}

// CheckRanges returns an error of flags for what is sorted in ranges only. plain: bytes in their plain order.
func (f *Job) CheckRanges(plain bool) error {
	ranges, chosen := suffixcl.AlgorithmRanges, suffixcl.Algorithm(f.Algorithm.Value)
	wanted := ""
	switch {
	case f.Resume != "":
		wanted = "--resume"
	case f.SeveralDevices():
		wanted = "--device " + f.Device
	case f.Sorter() == ranges:
		wanted = "--algorithm " + string(ranges)
	default:
		return nil
	}
	switch {
	case f.RanksInRanges() && f.Resume == "" && !f.SeveralDevices():
		return nil // checkMPI has the rest
	case !plain:
		return cli.Usage("%s sorts bytes in their plain order, in ranges: neither --symbols, --order nor --set go with it",
			wanted)
	case f.MPI && f.SeveralDevices():
		return cli.Usage("--device %s does not go with --mpi", f.Device)
	case chosen != ranges && chosen != suffixcl.AlgorithmAuto && chosen != "":
		return cli.Usage("%s sorts in ranges: --algorithm %s does not go with it", wanted, chosen)
	}
	return nil
}

// AddMPI declares the flag for ranks, and the sorters that they have, if the verb sorts.
func (f *Job) AddMPI(flags *pflag.FlagSet) {
	flags.BoolVar(&f.MPI, "mpi", false, "this is a rank under mpirun: each has a part of the text, which is a plain file")
	if len(f.Algorithm.Of) > 0 {
		for _, a := range distributed.Algorithms() {
			f.AddSorters(flags, suffixcl.Algorithm(a))
		}
	}
}

// CheckMPI returns an error of flags that do not go together.
func (f *Job) CheckMPI(names ...string) error {
	of := distributed.Algorithm(f.Algorithm.Value)
	distributes := slices.Contains(distributed.Algorithms(), of)
	switch {
	case !f.MPI && distributes:
		return cli.Usage("--algorithm %s needs --mpi", of)
	case f.MPI && !distributes && !f.RanksInRanges() && of != "" && of != distributed.Algorithm(suffixcl.AlgorithmAuto):
		return cli.Usage("--algorithm %s sorts on one device; with --mpi there are %v and %s", of,
			distributed.Algorithms(), suffixcl.AlgorithmRanges)
	case f.MPI && slices.Contains(names, "-"):
		return cli.Usage("with --mpi texts and results are files")
	case f.MPI && f.Input.Value != seqio.Plain.String():
		return cli.Usage("with --mpi a text is bytes: --input does not go with it")
	case f.MPI && f.SymbolBytes() > 1:
		return cli.Usage("with --mpi a text is bytes: --symbols does not go with it")
	}
	return nil
}
