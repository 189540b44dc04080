package verbs

import (
	"context"

	"github.com/suffixcl/suffixcl/device"
	"github.com/suffixcl/suffixcl/internal/sdsl"
	"github.com/suffixcl/suffixcl/internal/wavelet"
)

// treePrograms asks a session for the programs of trees.
func treePrograms(s *device.Session) error {
	treeMaker(s, 1<<20)
	return nil
}

// treeMaker makes the tree of a text of n letters on a device. nil: the host does, which is as fast as a driver of the
// same processors, and needs no programs.
func treeMaker(s *device.Session, n int) *wavelet.Maker {
	if s.Caps().CPUShape {
		return nil
	}
	return wavelet.New(s, wavelet.PiecesOf(s, n))
}

// encodeIndex makes an index, on the host where s is nil.
func encodeIndex(ctx context.Context, s *device.Session, parts sdsl.Parts) (*sdsl.Index, error) {
	if s != nil {
		if maker := treeMaker(s, len(parts.Transform)); maker != nil {
			parts.Maker = maker
		}
	}
	return sdsl.Encode(ctx, parts)
}

// indexPlan is the memory of making the index of a text of n letters, with at most so many bytes: transform, samples,
// bits of the tree, and what is written.
func indexPlan(s *device.Session, name string, n int, most int64) (plan device.MemoryPlan) {
	host := int64(n) + int64(n)*8/sdsl.RowsBetween + int64(n)*8/sdsl.PlacesBetween + 2*most
	maker := treeMaker(s, n)
	if maker == nil {
		return device.MemoryPlan{{Phase: "index of " + name, Host: host}}
	}
	for _, of := range maker.Plan() {
		plan = append(plan, device.PhaseMemory{Phase: of.Phase + " of " + name, Buffers: of.Buffers, Host: host})
	}
	return plan
}
