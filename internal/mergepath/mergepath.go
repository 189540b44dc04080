// Package mergepath merges tiles along merge paths: the part that merge and segsort share. Package merge names the
// papers.
//
//	for every tile: split = the first sequence's share of what is before the tile    merge_partition
//	for every tile: load, merge and store it                                         merge_tiles
package mergepath

import (
	"fmt"
	"maps"

	"github.com/suffixcl/suffixcl/device"
	"github.com/suffixcl/suffixcl/internal/intmath"
	"github.com/suffixcl/suffixcl/internal/tuned"
)

// Tiles merges the tiles of any number of merges in one launch.
type Tiles struct {
	s                *device.Session
	max, wg          int
	partition, merge *device.Kernel
}

// New plans launches of up to that many tiles of wg*items elements each. The source has the template parameters that
// kernels/merge.cl lists.
func New(s *device.Session, tiles int, src device.Source, wg, items int) *Tiles {
	src = tuned.Append(src, "merge.cl")
	src.Defines = maps.Clone(src.Defines)
	src.Defines["WG"], src.Defines["ITEMS"] = wg, items
	program := s.Program(src)
	return &Tiles{s: s, max: tiles, wg: wg,
		partition: program.Kernel("merge_partition", wg), merge: program.Kernel("merge_tiles", wg)}
}

// Workspace is what Run carves from its workspace: 8 bytes for each tile.
func (t *Tiles) Workspace() device.Pieces { return device.PieceOf[uint64](t.max) }

// Run enqueues merging that many tiles of what MERGE_JOB says. bytes is the traffic, for the profile; args are the
// MERGE_PARAMS.
func (t *Tiles) Run(ws *device.Workspace, tiles int, bytes int64, args ...any) {
	if tiles < 0 || tiles > t.max {
		t.s.Fail(fmt.Errorf("merge: %d tiles, planned for %d", tiles, t.max))
		return
	}
	if tiles == 0 {
		return
	}
	defer ws.Reset(ws.Mark())
	splits := device.Carve[uint64](ws, tiles)
	t.partition.Launch(intmath.CeilDiv(tiles, t.wg), 8*int64(tiles), splits, uint64(tiles), args)
	t.merge.Launch(tiles, bytes, splits, args)
}
