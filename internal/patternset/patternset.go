// Package patternset holds patterns on the device, and does what every index does with the intervals that it finds.
// Interval q, [low, high), has the occurrences of pattern q: slots of a suffix array, or rows of an FM-index.
// Occurrences are numbered through, pattern by pattern.
package patternset

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"sort"

	"github.com/suffixcl/suffixcl/device"
	"github.com/suffixcl/suffixcl/internal/async"
	"github.com/suffixcl/suffixcl/internal/tuned"
	"github.com/suffixcl/suffixcl/patterns"
	"github.com/suffixcl/suffixcl/scan"
)

// Rounds of the loops of a work-item, where it cannot loop for long. A character takes two ranks
// in an FM-index, each with a search in up to 2^32 runs, or as many steps of two searches in a
// suffix array.
const (
	rounds          = 65_000 // of a work-item
	characterRounds = 65     // of a character
)

// Longest is the longest pattern in characters that a session's device searches for: any, but
// where work-items cannot loop for long.
func Longest(s *device.Session) int {
	if tuned.Quirks(s.Caps()).LongLoops {
		return math.MaxInt
	}
	return rounds / (characterRounds * tuned.Of(s).Search.Items)
}

// Searchable returns what is wrong with a batch: its offsets, or a pattern over Longest.
func Searchable(s *device.Session, b *patterns.Batch) error {
	if err := check(b); err != nil {
		return err
	}
	return checkLengths(b, s)
}

// checkLengths refuses patterns that are too long for the device.
func checkLengths(b *patterns.Batch, s *device.Session) error {
	limit := Longest(s)
	if limit == math.MaxInt {
		return nil
	}
	for q := range b.Len() {
		if n := len(b.Pattern(q)); n > limit {
			return fmt.Errorf("patterns: pattern %d has %d characters, on %s at most %d: its work-items cannot loop for longer",
				q, n, s.Caps().Name, limit)
		}
	}
	return nil
}

// Set is a batch on the device, or a part of one: the patterns First to End-1. The interval
// of pattern q is number q in either.
type Set struct {
	Text        *device.Buffer[uint8]
	Offsets     *device.Buffer[uint32] // End+1 and more
	First, Len  int                    // patterns
	From, Bytes int                    // of Text, those of the Len patterns
}

// End is the number of the first pattern after those of the set.
func (s Set) End() int { return s.First + s.Len }

// Args are the set as kernels take it.
func (s Set) Args() []any {
	return []any{s.Text, uint64(s.Text.Len()), s.Offsets, uint32(s.First), uint32(s.Len)}
}

// Reserve adds room for `count` patterns of `bytes` bytes together to a layout.
func Reserve(l *device.Layout, count, bytes int) *Slots {
	return &Slots{device.Reserve[uint8](l, "patterns", bytes), device.Reserve[uint32](l, "pattern offsets", count+1)}
}

// Slots is room for batches.
type Slots struct {
	text    *device.Slot[uint8]
	offsets *device.Slot[uint32]
}

// Pieces copies a batch to the device and calls search with the patterns that have arrived,
// some at a time: what that enqueues runs while the next are copied. Errors: a batch whose
// offsets are wrong, that is too large, a pattern over Longest, the context's, the device's.
func (r *Slots) Pieces(ctx context.Context, s *device.Session, b *patterns.Batch, search func(Set)) error {
	text, offsets := r.text.Buffer(s), r.offsets.Buffer(s)
	if err := Searchable(s, b); err != nil {
		return err
	}
	if len(b.Text) > text.Len() || b.Len() >= offsets.Len() {
		return fmt.Errorf("patterns: %d of %d bytes, room for %d of %d", b.Len(), len(b.Text), offsets.Len()-1, text.Len())
	}
	if b.Len() == 0 {
		return s.Check(ctx)
	}
	if err := offsets.Upload(ctx, b.Offsets, nil); err != nil {
		return err
	}
	text = text.View(0, len(b.Text))
	next := 0
	arrived := func(done, _ int64) {
		count := sort.Search(b.Len()-next, func(i int) bool { return int64(b.Offsets[next+i+1]) > done })
		if count == 0 {
			return
		}
		from := int(b.Offsets[next])
		search(Set{Text: text, Offsets: offsets, First: next, Len: count, From: from,
			Bytes: int(b.Offsets[next+count]) - from})
		async.Flush(s)
		next += count
	}
	if err := async.Upload(ctx, text, b.Text, arrived); err != nil {
		return cmp.Or(s.Check(ctx), err) // the search before may still run
	}
	arrived(int64(len(b.Text)), 0) // patterns without bytes
	return s.Err()
}

// Upload copies a batch to the device and waits. Errors as Pieces.
func (r *Slots) Upload(ctx context.Context, s *device.Session, b *patterns.Batch) (Set, error) {
	set := Set{Text: r.text.Buffer(s).View(0, 0), Offsets: r.offsets.Buffer(s)}
	err := r.Pieces(ctx, s, b, func(piece Set) {
		set.Text, set.Len, set.Bytes = piece.Text, piece.First+piece.Len, piece.From+piece.Bytes
	})
	return set, err
}

// Numbering numbers the occurrences of up to n patterns.
type Numbering struct{ t *scan.Template }

var template = scan.TemplateOptions{
	Source:       device.Source{Files: []string{"patterns.cl"}, Defines: device.Defines{"PATTERNS_SCAN": 1}},
	ElementBytes: 8,
}

// NewNumbering plans the numbering.
func NewNumbering(s *device.Session, n int) *Numbering {
	return &Numbering{scan.NewTemplate(s, n, template)}
}

// Workspace is what Run carves from its workspace.
func (p *Numbering) Workspace() device.Pieces { return p.t.Workspace() }

// Run enqueues writing firsts[0..count]: the number of the first occurrence of each
// pattern, and at the end the number of all.
func (p *Numbering) Run(ws *device.Workspace, intervals *device.Buffer[[2]uint32], count int,
	firsts *device.Buffer[uint64]) {
	if s := firsts.Session(); count > intervals.Len() || count >= firsts.Len() {
		s.Fail(fmt.Errorf("patterns: %d of them, %d intervals, room for %d", count, intervals.Len(), firsts.Len()))
		return
	}
	if count == 0 {
		firsts.View(0, 1).Fill(0)
		return
	}
	p.t.Run(ws, count, 8*(p.t.Loads()+1), intervals, uint64(count), firsts)
}

// check tells whether offsets and text of a batch belong together.
func check(b *patterns.Batch) error {
	if len(b.Offsets) == 0 && len(b.Text) == 0 {
		return nil
	}
	at := uint32(0)
	for q, offset := range b.Offsets {
		if offset < at || q == 0 && offset != 0 {
			return fmt.Errorf("patterns: offset %d of pattern %d follows %d", offset, q, at)
		}
		if width := uint32(max(b.SymbolBytes, 1)); offset%width != 0 {
			return fmt.Errorf("patterns: offset %d of pattern %d, of symbols of %d bytes", offset, q, width)
		}
		at = offset
	}
	if int(at) != len(b.Text) {
		return fmt.Errorf("patterns: %d bytes, the offsets end at %d", len(b.Text), at)
	}
	return nil
}
