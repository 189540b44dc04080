package main

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/suffixcl/suffixcl/cl"
	"github.com/suffixcl/suffixcl/device"
	"github.com/suffixcl/suffixcl/internal/cli"
	"github.com/suffixcl/suffixcl/internal/testkit/amdcode"
	"github.com/suffixcl/suffixcl/internal/testkit/amdgpu"
	"github.com/suffixcl/suffixcl/internal/tune"
	"github.com/suffixcl/suffixcl/internal/tuned"
	"github.com/suffixcl/suffixcl/lab/bench"
)

const tilesHelp = `Run primitives on an emulated AMD GPU with tiles of every size, and print what these cost:

  tile     work-items x items of each; a star is what the device gets
  VGPRs    vector registers of the kernel
  LDS      bytes of local memory of a work-group
  waves    wavefronts of a SIMD that registers and local memory allow
  groups   work-groups of a compute unit that they allow
  instr    instructions of a lane, for each item
  lines    lines of 128 bytes of global memory that are touched, for one that has to be
  banks    cycles of local memory, for one without conflicts

The results are checked. Tiles that the kernels cannot have are left out.`

// tileCase is a kernel whose tile is looked at.
type tileCase struct {
	name, kernel string
	wg, items    string // paths in tune.Set
	c            bench.Case
	reduce       bool // without look-back
}

func tileCases() []tileCase {
	tile := func(name, kernel, path string, c bench.Case) tileCase {
		return tileCase{name: name, kernel: kernel, wg: path + ".WG", items: path + ".Items", c: c}
	}
	wide := func(t tileCase, items string) tileCase {
		t.items = items
		return t
	}
	reduce := func(t tileCase) tileCase {
		t.reduce = true
		return t
	}
	histogram := tile("histogram", "radix_histogram", "RadixSort.Histogram", bench.SortKeys[uint32]("u32"))
	copies := wide(histogram, "RadixSort.Histogram.Copies")
	copies.name = "histogram, copies"
	return []tileCase{
		tile("scan u32", "scan_tiles", "Scan", bench.Sum[uint32]()),
		tile("scan u64", "scan_tiles", "Scan", bench.Sum[uint64]()),
		tile("compact u32", "compact_tiles", "Compact", bench.Select[uint32]()),
		tile("compact u64", "compact_tiles", "Compact", bench.Select[uint64]()),
		tile("radix sort K4V0", "radix_pass", "RadixSort.K4V0", bench.SortKeys[uint32]("u32")),
		tile("radix sort K4V4", "radix_pass", "RadixSort.K4V4", bench.SortPairs[uint32, uint32]("u32/u32", 32)),
		tile("radix sort K4V8", "radix_pass", "RadixSort.K4V8", bench.SortPairs[uint32, uint64]("u32/u64", 32)),
		tile("radix sort K8V0", "radix_pass", "RadixSort.K8V0", bench.SortKeys[uint64]("u64")),
		tile("radix sort K8V4", "radix_pass", "RadixSort.K8V4", bench.SortPairs[uint64, uint32]("u64/u32", 64)),
		tile("radix sort K8V8", "radix_pass", "RadixSort.K8V8", bench.SortPairs[uint64, uint64]("u64/u64", 64)),
		histogram, copies,
		reduce(tile("reduce u32/u32", "radix_scatter", "RadixSort.Reduce", bench.SortPairs[uint32, uint32]("u32/u32", 32))),
		reduce(tile("reduce u64/u64", "radix_scatter", "RadixSort.Reduce", bench.SortPairs[uint64, uint64]("u64/u64", 64))),
		tile("merge u32", "merge_tiles", "Merge", bench.MergeKeys[uint32]("u32")),
		wide(tile("merge u64", "merge_tiles", "Merge", bench.MergeKeys[uint64]("u64")), "Merge.Items64"),
		{name: "segsort group", kernel: "segsort_group", wg: "SegSort.GroupWG", items: "SegSort.GroupItems",
			c: bench.SegmentedSort[uint32](64, 2047)},
		{name: "segsort group u64", kernel: "segsort_group", wg: "SegSort.GroupWG", items: "SegSort.GroupItems64",
			c: bench.SegmentedSort[uint64](64, 2047)},
		tile("segsort block", "segsort_block", "SegSort.Block", bench.SegmentedSort[uint32](2, 60511)),
		tile("segsort block u64", "segsort_block", "SegSort.Block64", bench.SegmentedSort[uint64](2, 60511)),
		tile("segsort merge", "merge_tiles", "SegSort.Block", bench.SegmentedSort[uint32](2, 60511)),
		tile("segsort merge u64", "merge_tiles", "SegSort.Block64", bench.SegmentedSort[uint64](2, 60511)),
	}
}

// tilesFlags are the flags of the command.
type tilesFlags struct {
	target string
	items  int
	only   []string
}

func tilesCommand() *cobra.Command {
	var flags tilesFlags
	c := &cobra.Command{
		Use:   "tiles",
		Short: "Compare tiles of the primitives on an emulated AMD GPU",
		Long:  tilesHelp,
		Args:  cobra.NoArgs,
		RunE:  cli.Work(func(ctx context.Context, _ []string) error { return runTiles(ctx, &flags) }),
	}
	addTarget(c.Flags(), &flags.target)
	c.Flags().IntVar(&flags.items, "items", 1<<16, "items of the inputs")
	c.Flags().StringSliceVar(&flags.only, "only", nil, "beginnings of the names in the first column (default all)")
	return c
}

func runTiles(ctx context.Context, flags *tilesFlags) error {
	if flags.items < 1 {
		return cli.Usage("--items: %d is not positive", flags.items)
	}
	cases := slices.DeleteFunc(tileCases(), func(t tileCase) bool {
		return len(flags.only) > 0 &&
			!slices.ContainsFunc(flags.only, func(name string) bool { return strings.HasPrefix(t.name, name) })
	})
	if len(cases) == 0 {
		return cli.Usage("--only: no primitive is called %s", strings.Join(flags.only, ", "))
	}
	emulated, err := countingDevice(flags.target)
	if err != nil {
		return err
	}
	devices, err := device.List()
	if err != nil {
		return err
	}
	if err := cli.PrintResult(tileColumns, "primitive", "tile", "VGPRs", "LDS", "waves", "groups", "instr", "lines",
		"banks"); err != nil {
		return err
	}
	for _, t := range cases {
		if err := t.measure(ctx, emulated, devices[0], flags.items); err != nil {
			return fmt.Errorf("%s: %w", t.name, err)
		}
	}
	return nil
}

// tileColumns is a line of the table.
const tileColumns = "%-18v%9v%7v%7v%7v%8v%7v%7v%7v"

// measure prints a line for each tile.
func (t *tileCase) measure(ctx context.Context, emulated *amdgpu.Device, d *cl.Device, n int) error {
	edits := tuned.Edits{TuningFile: "off"}
	if t.reduce {
		edits.Caps = func(c *device.Caps) { c.ForwardProgress = false }
	}
	s, err := tuned.Open(device.Config{Device: d, CacheDir: "off"}, edits)
	if err != nil {
		return err
	}
	defer s.Close()
	set, facts := *tuned.Of(s), tuned.Device(s)
	input, err := t.c.Prepare(ctx, s, n)
	if err != nil {
		return err
	}
	defer input.Release()
	builtIn := *set.Param(t.items)
	for _, items := range t.candidates(facts, builtIn) {
		candidate := set
		t.set(&candidate, items)
		if candidate.Check(facts) != nil {
			continue
		}
		*tuned.Of(s) = candidate
		emulated.Reset()
		if _, err := input.Measure(ctx, 1); err != nil {
			var plan *bench.PlanError
			if errors.As(err, &plan) {
				continue
			}
			return err
		}
		rows := emulated.Rows()
		at := slices.IndexFunc(rows, func(r amdgpu.Row) bool { return r.Kernel == t.kernel })
		if at < 0 {
			continue
		}
		r, tile := rows[at], fmt.Sprintf("%dx%d", *candidate.Param(t.wg), items)
		if items == builtIn {
			tile += "*"
		}
		instr := float64(r.Total()) * float64(r.Wavefront) / (float64(r.Launches) * float64(n))
		if err := cli.PrintResult(tileColumns, t.name, tile, r.VGPRs, r.LDS, r.PerSIMD, r.PerUnit,
			fmt.Sprintf("%.1f", instr), ratio(r.GlobalLines, r.GlobalIdeal), ratio(r.LocalCycles, r.LocalIdeal)); err != nil {
			return err
		}
	}
	return nil
}

// candidates are the numbers of items that are searched on a device, and the one that is built in.
func (t *tileCase) candidates(d tune.Device, builtIn int) []int {
	values := []int{builtIn}
	d.LookBack = !t.reduce
	for _, g := range tune.Space(d) {
		for _, a := range g.Axes {
			if a.Param == t.items {
				values = append(values, a.Values...)
			}
		}
	}
	slices.Sort(values)
	return slices.Compact(values)
}

// set has the tile of that many items for small inputs, too.
func (t *tileCase) set(to *tune.Set, items int) {
	*to.Param(t.items) = items
	if strings.HasPrefix(t.items, "RadixSort.K") {
		*to.Param(strings.TrimSuffix(t.items, "Items") + "Small") = items
	}
}

// countingDevice installs an emulated device that counts.
func countingDevice(target string) (*amdgpu.Device, error) {
	d, err := amdgpu.New(target, amdgpu.Options{Seed: 1, Count: true, Unchecked: true})
	switch {
	case errors.Is(err, amdcode.ErrNoCompiler):
		return nil, err
	case err != nil:
		return nil, cli.Usage("--target: %v", err)
	}
	return d, d.Install()
}
