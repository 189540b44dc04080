package verbs

import (
	"context"
	"errors"

	"github.com/suffixcl/suffixcl/cmd/internal/verb"
	"github.com/suffixcl/suffixcl/device"
	"github.com/suffixcl/suffixcl/internal/cli"
	"github.com/suffixcl/suffixcl/internal/sdsl"
	"github.com/suffixcl/suffixcl/internal/wavelet"
)

// preparedMini are the programs of an index of infini-gram mini.
func preparedMini() *verb.Preparation {
	p := preparedFormats()
	p.Begin = func(s *device.Session) error {
		treeMaker(s, 1<<20)
		return nil
	}
	return p
}

// treeMaker makes the tree of a text of n letters on a device. nil: the host does, which is faster than a driver of the
// same processors.
func treeMaker(s *device.Session, n int) *wavelet.Maker {
	if s.Caps().CPUShape {
		return nil
	}
	return wavelet.New(s, wavelet.PiecesOf(s, n))
}

// encode makes the index of a sorted text. It does without a device where there is none: a text that is sorted needs
// none.
func (m *miniGram) encode(ctx context.Context, rows *miniRows) (index *sdsl.Index, err error) {
	if m.Session.Device == nil {
		if err := m.Session.OpenDevice(); err != nil && !errors.Is(err, device.ErrNoDevice) {
			return nil, err
		}
	}
	parts := rows.parts()
	if s := m.Session.Device; s != nil {
		if maker := treeMaker(s, len(rows.transform)); maker != nil {
			parts.Maker = maker
		}
	}
	return index, cli.Timed(&m.Report.Seconds.Write, func() error {
		index, err = sdsl.Encode(ctx, parts)
		return err
	})
}

// indexPlan is the memory of making the index of a text: transform, samples, bits of the tree, and what is written.
func (m *miniGram) indexPlan(t *miniText) (plan device.MemoryPlan) {
	n := int64(len(t.text))
	host := n + n*8/sdsl.RowsBetween + n*8/sdsl.PlacesBetween + 2*t.bound()
	maker := treeMaker(m.Session.Device, len(t.text))
	if maker == nil {
		return device.MemoryPlan{{Phase: "index of " + t.name, Host: host}}
	}
	for _, of := range maker.Plan() {
		plan = append(plan, device.PhaseMemory{Phase: of.Phase + " of " + t.name, Buffers: of.Buffers, Host: host})
	}
	return plan
}
