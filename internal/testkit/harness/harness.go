// Package harness is what tests on devices and the device matrix share: the variants in
// which a device is used, and buffers that notice writes after their end.
package harness

import (
	"slices"
	"strings"

	"github.com/suffixcl/suffixcl/cl"
	"github.com/suffixcl/suffixcl/conformance"
	"github.com/suffixcl/suffixcl/device"
	"github.com/suffixcl/suffixcl/internal/driver"
	"github.com/suffixcl/suffixcl/internal/testkit/amdgpu"
	"github.com/suffixcl/suffixcl/internal/tune"
	"github.com/suffixcl/suffixcl/internal/tuned"
)

// Variant is a way to use a device.
type Variant struct {
	Name string
	tuned.Edits
	// Checked has each launch checked: kernels touch nothing but the views of buffers that they are given.
	Checked bool
}

// flipShape has kernels answer the host, too, where they can: on the drivers that CI has only here. On NVIDIA they do
// so anyway.
func flipShape(c *device.Caps) {
	c.CPUShape = !c.CPUShape
	Answers(c)
}

// Answers has kernels reach host memory where its addresses are those of kernels.
func Answers(c *device.Caps) {
	if c.Vendor == driver.PoCL || c.Platform == amdgpu.Platform {
		tuned.Quirks(c).ZeroCopy = true
	}
}

// wave64 is a GPU with wavefronts of 64 that offers nothing beyond OpenCL 1.2.
func wave64(c *device.Caps) {
	c.CPUShape, c.SubgroupWidth = false, 64
	c.Int64Atomics, c.ForwardProgress = false, false
	q := tuned.Quirks(c)
	q.Lanes, q.PTX = driver.LanesLocal, false
}

func tiny(c *device.Caps, set *tune.Set) { *set = tune.Tiny(c.CPUShape) }

// Simulated tells a simulator, whose speed says nothing.
func Simulated(c *device.Caps) bool {
	return c.Vendor == driver.Oclgrind || c.Platform == amdgpu.Platform
}

// slow tells a simulator or a software rasteriser, where tiles of full size take seconds.
func slow(c *device.Caps) bool {
	return c.Vendor == driver.Oclgrind || c.Vendor == driver.Mesa && c.Kind() != "gpu"
}

// oneWaveWhereSlow are tiny tiles of work-groups that are a wavefront of 64, on a slow driver.
func oneWaveWhereSlow(c *device.Caps, set *tune.Set) {
	if slow(c) {
		*set = oneWave()
	}
}

func oneWave() tune.Set {
	set := tune.Tiny(false)
	for _, wg := range []*int{
		&set.Map.WG, &set.Scan.WG, &set.Compact.WG, &set.Merge.WG, &set.SegSort.RankWG, &set.SegSort.GroupWG,
		&set.SegSort.Block.WG, &set.SegSort.Block64.WG,
		&set.RadixSort.K4V0.WG, &set.RadixSort.K4V4.WG, &set.RadixSort.K4V8.WG, &set.RadixSort.K8V0.WG,
		&set.RadixSort.K8V4.WG, &set.RadixSort.K8V8.WG,
		&set.RadixSort.Reduce.WG, &set.RadixSort.Histogram.WG,
		&set.GPULS.WG, &set.Skew.WG, &set.Groups.WG, &set.SmallTexts.Short.WG, &set.SmallTexts.Long.WG,
		&set.LCP.WG, &set.Inverse.WG, &set.Search.WG, &set.LRQ.WG, &set.Intervals.WG,
		&set.Matches.WG, &set.RLBWT.WG, &set.SMEM.WG,
	} {
		*wg = 64
	}
	return set
}

// Variants of every device. The first is the device as it is.
var Variants = []Variant{
	{Name: "native"},
	{Name: "tiny", Edits: tuned.Edits{Caps: Answers, Set: tiny}},
	{Name: "other-shape-tiny", Edits: tuned.Edits{Caps: flipShape, Set: tiny}},
	{Name: "wave64", Edits: tuned.Edits{Caps: wave64, Set: oneWaveWhereSlow}},
}

// Forced are variants with GPU kernels and one capability forced off, or little memory, which
// the device matrix has in addition to Variants.
var Forced = []Variant{
	{Name: "no-subgroups", Edits: tuned.Edits{Caps: noSubgroups, Set: oneWaveWhereSlow}},
	{Name: "no-look-back", Edits: tuned.Edits{Caps: noLookBack, Set: oneWaveWhereSlow}},
	{Name: "small-local-memory", Edits: tuned.Edits{Caps: gpuShape, Set: smallLocalMemory}},
}

// Bounds is a variant with GPU kernels that is Checked, which takes several commands a launch. The device matrix has it
// of everything.
var Bounds = Variant{
	Name: "bounds", Edits: tuned.Edits{Caps: answeringGPU, Set: tinyButOnGPUs}, Checked: true,
}

func answeringGPU(c *device.Caps) {
	c.CPUShape = false
	Answers(c)
}

// tinyButOnGPUs are tiny tiles where those of full size take long to compile.
func tinyButOnGPUs(c *device.Caps, set *tune.Set) {
	if c.Kind() != "gpu" || Simulated(c) {
		*set = tune.Tiny(false)
	}
}

func gpuShape(c *device.Caps) { c.CPUShape = false }

func noSubgroups(c *device.Caps) {
	c.CPUShape = false
	q := tuned.Quirks(c)
	q.Lanes, q.PTX = driver.LanesLocal, false
}

func noLookBack(c *device.Caps) { c.CPUShape, c.ForwardProgress = false, false }

// smallLocalMemory takes no more than 32 KiB, the least that OpenCL grants.
func smallLocalMemory(_ *device.Caps, set *tune.Set) {
	*set = tune.For(tune.Key{Kind: "gpu"})
	set.RadixSort.Reduce.Items, set.Compact.Items = 8, 12
	set.SegSort.GroupItems, set.SegSort.GroupItems64 = 9, 7
	set.SmallTexts.Long.Items = 11
	set.SegSort.Block = tune.SegBlock{WG: 256, Items: 9, Rounds: 7}
	set.SegSort.Block64 = tune.SegBlock{WG: 128, Items: 15, Rounds: 12}
}

// Matrix are the variants that the device matrix has of a device: all that the driver can have.
func Matrix(d *cl.Device) []Variant {
	if caps := tuned.Identify(d); !WorkGroups(&caps) {
		return VariantsFor(d)
	}
	return Known()
}

// Known are all variants by name.
func Known() []Variant { return append(slices.Concat(Variants, Forced), Bounds) }

// Open opens a session on a device in a variant. It heeds no tuning file.
func Open(d *cl.Device, v Variant) (*device.Session, error) {
	v.TuningFile = "off"
	if v.Checked {
		v.Hooks.Bounds = RandomFill()
	}
	return tuned.Open(device.Config{Device: d}, v.Edits)
}

// WorkGroups reports whether the driver can be given kernels with several work-items in a
// work-group. PoCL 6, of Debian 13 and Ubuntu 26.04, cannot: its compiler vectorises the loop
// that it makes of a work-group wrongly, or ends the process. On a CPU suffixcl has no such
// kernels unless a variant asks for them.
func WorkGroups(c *device.Caps) bool {
	return c.Vendor != driver.PoCL || !strings.HasPrefix(c.DriverVersion, "6.")
}

// VariantsFor are Variants, but fewer where a launch takes long (on a simulator those with tiny
// tiles, on a software rasteriser the device as it is, and the GPU kernels), and without
// work-groups where the driver cannot have them.
func VariantsFor(d *cl.Device) []Variant {
	caps := tuned.Identify(d)
	var names []string
	switch {
	case !WorkGroups(&caps):
		names = []string{"native", "tiny"}
	case caps.Vendor == driver.Oclgrind:
		names = []string{"tiny", "wave64"}
	case slow(&caps):
		names = []string{"native", "wave64"}
	default:
		return Variants
	}
	return slices.DeleteFunc(slices.Clone(Variants), func(v Variant) bool { return !slices.Contains(names, v.Name) })
}

// Few is every kind of text, and few of each.
func Few() conformance.Config {
	c := conformance.Reduced()
	c.MaxExhaustive2, c.MaxExhaustive3, c.PerSize, c.Random = 6, 4, 3, 20
	return c
}

// Suite is how much to try of a variant: launches on software rasterisers and simulators are
// slow.
func Suite(d *cl.Device, v Variant) conformance.Config {
	caps, c := tuned.Identify(d), conformance.Reduced()
	switch {
	case caps.Vendor == driver.Oclgrind:
		c = conformance.Tiny()
	case slow(&caps): // how many of each kind of text, other drivers show
		c = Few()
	case v.Name == Variants[0].Name:
		c = conformance.Full()
	}
	tinyTiles := v.Name == "tiny" || v.Name == "other-shape-tiny" || v.Name == "wave64" && slow(&caps) ||
		v.Checked && (caps.Kind() != "gpu" || Simulated(&caps))
	if tinyTiles {
		c.Large = min(c.Large, 3000) // hundreds of tiny tiles already
	}
	return c
}
