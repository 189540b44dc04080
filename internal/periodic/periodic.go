// Package periodic makes the suffix array of a text that is periodic but for a short tail from
// that of its end, whatever sorts that.
//
// Let text[i] = text[i+period] for all i below until-period, with the least such period. Suffixes
// that start at the same place of a period, a chain, agree up to the end of the periodic part,
// where the shorter one leaves it first; so their order is by length, the same way in each
// chain. The suffixes of a chain are neighbours but for the shortest ones: any other suffix
// differs from them within one period or, if it starts in the last period or after it, ends
// before they leave the periodic part. So it suffices to sort the end of the text, base on, as
// long as that takes, and to put the rest of each chain next to its member among the first
// period of it.
package periodic

import (
	"github.com/suffixcl/suffixcl/device"
	"github.com/suffixcl/suffixcl/internal/intmath"
	"github.com/suffixcl/suffixcl/internal/tune"
	"github.com/suffixcl/suffixcl/internal/tuned"
	"github.com/suffixcl/suffixcl/scan"
)

// shorter is how much shorter the end must be for a text to be treated so.
const shorter = 8

// alike is how many characters must recur for a period to be looked into; of short texts a
// quarter. The least such place within a third of the text is the least period if it is one
// at all, because the periodic part is 7/8 of the text or more.
const alike = 256

// Phase is the phase of Expand.
const Phase = "expansion"

// Counts is the number of words that Look and Find share.
const Counts = 2

// Most is the length of the longest end of a text of n characters.
func Most(n int) int { return n / shorter }

// Text is a periodic text: see the package.
type Text struct{ Period, Until, Base int }

// textOf tells whether a text of n bytes with that period up to `until` is to be treated
// as periodic.
func textOf(n, period, until int) (Text, bool) {
	tail := n - until
	short := intmath.RoundUp(period+tail+1, period) + period
	t := Text{Period: period, Until: until, Base: until - short}
	return t, t.Base >= 0 && n-t.Base <= Most(n)
}

// Finder finds periods of texts of up to n characters, and makes their suffix arrays.
type Finder struct {
	tile, recursTile        int
	recurs, differs, expand *device.Kernel
	chains                  *scan.Template
}

var chainsTemplate = scan.TemplateOptions{
	Source:       device.Source{Files: []string{"periodic.cl"}, Defines: device.Defines{"PERIODIC_CHAINS": 1}},
	ElementBytes: 4,
}

// items is the number of items of a work-item; on CPUs it is so small that their comparisons, of up to 256 characters
// each, are not too much for one work-item.
func items(m tune.Map) int { return min(m.Items, 1<<10) }

// recursWords is how many words of 8 characters a work-group looks at first: on CPUs not more than of others.
func recursWords(m tune.Map) int {
	if m.WG == 1 {
		return intmath.CeilDiv(items(m), 8)
	}
	return m.WG * items(m)
}

func source(set tune.Set) device.Source {
	return device.Source{
		Files:   []string{"text.cl", "periodic_recurs.cl", "periodic.cl"},
		Defines: device.Defines{"WG": set.Map.WG, "ITEMS": items(set.Map), "RECURS_WORDS": recursWords(set.Map)},
	}
}

// New plans the steps for texts of up to n characters.
func New(s *device.Session, n int) *Finder {
	m := tuned.Of(s).Map
	program := s.Program(source(*tuned.Of(s)))
	f := &Finder{tile: m.WG * items(m), recursTile: 8 * recursWords(m), recurs: program.Kernel("periodic_recurs", m.WG)}
	tuned.Rarely(s, func() { // programs for texts that recur
		f.differs, f.expand = program.Kernel("periodic_differs", m.WG), program.Kernel("periodic_expand", m.WG)
		f.chains = scan.NewTemplate(s, Most(n), chainsTemplate)
	})
	return f
}

// Workspace is the workspace of Expand.
func (f *Finder) Workspace() device.Pieces { return f.chains.Workspace() }

// Look enqueues looking for where the text recurs among its first third: counts[at], which was
// 0 like the next one, is then what Find wants to know. It reads a third of the text.
func (f *Finder) Look(text *device.Buffer[uint8], counts *device.Buffer[uint32], at int) {
	n := text.Len()
	if last, alike := Looked(n); last > 0 {
		f.recurs.Launch(intmath.CeilDiv(last+1, f.recursTile), int64(last),
			text, uint64(n), uint64(last), uint32(alike), counts, uint32(at))
	}
}

// Looked tells where Look looks in a text of n characters: up to the last place, for so many characters that are alike.
// A kernel of the caller may look instead: periodic_recurs.cl.
func Looked(n int) (last, most int) {
	if n < 4 {
		return 0, 0
	}
	return n / 3, min(alike, n/4)
}

// Find tells whether a text is periodic, given what Look has found; if that is a place where it
// recurs, it reads the text and waits. Errors: the device's.
func (f *Finder) Find(
	text *device.Buffer[uint8], recurs uint32, counts *device.Buffer[uint32], at int,
) (Text, bool, error) {
	if recurs == 0 {
		return Text{}, false, nil
	}
	n := text.Len()
	period := n - int(recurs)
	f.differs.Launch(intmath.CeilDiv(n-period, f.tile), 2*int64(n), text, uint64(n), uint32(period), counts, uint32(at))
	var differs [1]uint32
	if err := counts.View(at+1, 1).Read(differs[:]); err != nil {
		return Text{}, false, err
	}
	until := n
	if differs[0] > 0 {
		until = n - int(differs[0]) + period
	}
	t, ok := textOf(n, period, until)
	return t, ok, nil
}

// Expand enqueues making sa from the suffix array of text[t.Base:]. starts is scratch, as long as
// that, and may be any view.
func (f *Finder) Expand(
	ws *device.Workspace, text *device.Buffer[uint8], t Text, end, starts, sa *device.Buffer[uint32],
) {
	n := text.Len()
	m := n - t.Base
	f.chains.Run(ws, m, 8, end, uint32(t.Base), uint32(t.Period), starts.Args())
	f.expand.Launch(intmath.CeilDiv(n, f.tile), 4*int64(n),
		text, uint64(n), uint64(t.Until), uint32(t.Base), uint32(t.Period), end, starts.Args(), uint32(m), sa)
}
