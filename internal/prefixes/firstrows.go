package prefixes

import (
	"fmt"

	"github.com/suffixcl/suffixcl/device"
	"github.com/suffixcl/suffixcl/internal/intmath"
	"github.com/suffixcl/suffixcl/internal/tune"
	"github.com/suffixcl/suffixcl/internal/tuned"
	"github.com/suffixcl/suffixcl/scan"
)

// Group is how many entries are packed by a work-item: whole words, whatever their bits.
const Group = 32

// mostGroupItems is how many groups a work-item takes at most where loops may not be long: an entry takes 4 or so.
const mostGroupItems = 1 << 8

// States of kernels/prefixes_rows.cl, of which bit 0 tells of suffixes that are marked.
const (
	noRow = 1<<40 - 1
	// NoMore is the state after the last entry of all.
	NoMore State = (1<<40 - 2) << 1
)

// State is what is known of the entries after a place: the next one that is there, and whether a mark comes before it.
type State uint64

// Then is the state before entries that have the state s, of which it is that after.
func (after State) Then(s State) State {
	if s>>1 != noRow {
		return s
	}
	return after | s&1
}

// FirstRows makes the index that STAR has before its suffix array, of the counts of a plan: prefixes_rows.cl has what
// its entries are. Entries are those of a table, by the letters after its fixed ones.
type FirstRows struct {
	*Plan
	own   tune.Map // launch shape of its kernels
	width int      // bits of an entry
	chunk int      // groups that are packed at a time

	number, next                                *scan.Template
	shorter, ends, longest, groups, mark, packs *device.Kernel

	passes, states, found *device.Slot[uint64]
	short, most, marks    *device.Slot[uint32]
	packed                [2]*device.Slot[uint32]
	ws                    *device.WorkspaceSlot
}

// NewFirstRows plans as New, and for entries of `width` bits, 33 to 63, packed `chunk` groups at a time. marks tells
// whether marks of one table are kept for the next one. More memory: 0.3 bytes for each sequence of a table, or
// 0.4 with marks, and two pieces of packed entries.
func NewFirstRows(s *device.Session, n, k, free, piece, width, chunk int, marks bool) (*FirstRows, error) {
	plan, err := New(s, n, k, free, piece)
	if err != nil {
		return nil, err
	}
	if width <= 32 || width >= 64 {
		return nil, fmt.Errorf("prefixes: entries of %d bits", width)
	}
	f := &FirstRows{Plan: plan, own: plan.shape, width: width}
	most := Table{Letters: k, Fixed: k - free}
	template := func(what string, n int) *scan.Template {
		source := device.Source{Files: []string{"prefixes.cl", "prefixes_rows.cl"},
			Defines: device.Defines{"PREFIXES_" + what: 1, "MOST_CARRIES": mostCarries}}
		return scan.NewTemplate(s, n, scan.TemplateOptions{Source: source, ElementBytes: 8})
	}
	groups := intmath.CeilDiv(Sequences(free), Group)
	f.number, f.next = template("NUMBER", most.leaves()), template("NEXT", groups)
	f.chunk = min(chunk, groups)

	if !tuned.Quirks(s.Caps()).LongLoops {
		f.own.Items = min(f.own.Items, mostGroupItems)
	}
	program := s.Program(source(f.own, "prefixes.cl", "prefixes_rows.cl"))
	kernel := func(name string) *device.Kernel { return program.Kernel("prefixes_"+name, f.own.WG) }
	f.shorter, f.ends, f.longest = kernel("shorter"), kernel("ends"), kernel("longest")
	f.groups, f.mark, f.packs = kernel("groups"), kernel("mark"), kernel("pack")

	l := plan.layout
	f.passes = device.Reserve[uint64](l, "rows that pass 2^32", mostCarries)
	f.short = device.Reserve[uint32](l, "sequences that suffixes end in", intmath.CeilDiv(most.firstLeaf(), 32)+1)
	f.states = device.Reserve[uint64](l, "states of groups", groups+1)
	f.found = device.Reserve[uint64](l, "first and last rows", 6)
	f.most = device.Reserve[uint32](l, "longest sequence", 1)
	if marks {
		f.marks = device.Reserve[uint32](l, "marks of entries", groups)
	}
	for i := range f.packed {
		f.packed[i] = device.Reserve[uint32](l, "packed entries", f.chunk*width)
	}
	f.ws = device.ReserveWorkspace(l, f.number.Workspace().Or(f.next.Workspace()))
	return f, nil
}

// tiles is the number of work-groups for n elements.
func (f *FirstRows) tiles(n int) int { return intmath.CeilDiv(n, f.own.WG*f.own.Items) }

// Shorter enqueues that marks come before suffixes which end in sequences that are counted, but `without`. It precedes
// Number.
func (f *FirstRows) Shorter(without Sequence) {
	at := ^uint64(0)
	if without.Length > 0 && without.Length < f.table.Letters && f.table.has(without) {
		at = uint64(f.table.at(without))
	}
	places := f.table.firstLeaf()
	f.shorter.Launch(f.tiles(intmath.CeilDiv(places, 32)), 4*int64(places), f.counts.Buffer(f.s),
		f.carries.Buffer(f.s), uint64(places), at, f.short.Buffer(f.s))
}

// Number enqueues that the leaves of the table, all of whose suffixes are counted, get the numbers of rows before them.
func (f *FirstRows) Number() {
	f.passes.Buffer(f.s).Fill(^uint64(0))
	n := f.table.leaves()
	f.number.Run(f.ws.Workspace(f.s), n, 4*(f.number.Loads()+1)+3, f.table.args(), uint64(n), f.counts.Buffer(f.s),
		f.carries.Buffer(f.s), f.passes.Buffer(f.s))
}

// Ends are the rows of a table, the letters that its first row has, up to all that are told apart, and those that its
// last row has. Last rows begin with that sequence, and before them come rows that begin with another, unless there are
// none.
type Ends struct {
	Rows   int
	First  int
	Last   Sequence
	Same   int // rows with the sequence of the last one
	Before int // rows with the one before that; 0 if there are none
}

// Ends returns those of the table, which is numbered. Errors are the session's.
func (f *FirstRows) Ends() (Ends, error) {
	var all [6]uint64
	f.ends.Launch(1, 0, f.rows(0), f.found.Buffer(f.s))
	err := f.found.Buffer(f.s).Read(all[:])
	return Ends{int(all[0]), int(all[1]), Sequence{int(all[2]), int(all[3])}, int(all[4]), int(all[5])}, err
}

// rows are ROWS_PARAMS.
func (f *FirstRows) rows(before int) []any {
	return append(f.table.args(), f.counts.Buffer(f.s), f.carries.Buffer(f.s), f.passes.Buffer(f.s), uint64(before))
}

// Skipped is a row that has no entry, though it counts: of what it begins with, Length 0 if there is none.
type Skipped struct {
	Sequence
	Row int
}

func (k Skipped) args() []any { return []any{uint32(k.Length), uint64(k.Code), uint64(k.Row)} }

// Entries are some of a table, from First on, with what they depend on.
type Entries struct {
	First  int
	Before int     // rows before those of the table
	Skip   Skipped // row
	After  State   // after those of the table
	Below  int     // an entry that has a mark if it is there; -1: none
	None   int     // row of entries after the last one that is there
	Marks  bool    // those that Mark has kept are theirs, too
}

// Len is how many entries there are.
func (f *FirstRows) Len(of Entries) int {
	return Sequences(f.table.Letters-f.table.Fixed) - of.First
}

// entries are GROUPS_PARAMS.
func (f *FirstRows) entries(of Entries) []any {
	return append(append(f.rows(of.Before), of.Skip.args()...), f.short.Buffer(f.s), uint64(of.First),
		uint64(of.First+f.Len(of)))
}

// entryBytes are about those that an entry takes to look at.
const entryBytes = 6

// Longest returns the most letters of a sequence that rows have, besides the one that is skipped; 0 if there are none.
// Errors are the session's.
func (f *FirstRows) Longest(skip Skipped) (int, error) {
	var most [1]uint32
	f.most.Buffer(f.s).Fill(0)
	n := f.table.Places()
	f.longest.Launch(f.tiles(n), entryBytes*int64(n), f.rows(0), skip.args(), f.most.Buffer(f.s))
	err := f.most.Buffer(f.s).Read(most[:])
	return int(most[0]), err
}

// Look enqueues finding the states of all groups of entries, which Mark and PackEntries take. After does not matter.
func (f *FirstRows) Look(of Entries) {
	groups := intmath.CeilDiv(f.Len(of), Group)
	states := f.states.Buffer(f.s)
	f.groups.Launch(f.tiles(groups), entryBytes*int64(f.Len(of))+8*int64(groups), f.entries(of), states)
	f.next.Run(f.ws.Workspace(f.s), groups, 8*(f.next.Loads()+1), states, uint64(groups))
}

// State returns what Look has found of all entries together. Errors are the session's.
func (f *FirstRows) State(of Entries) (State, error) {
	var state [1]uint64
	err := f.states.Buffer(f.s).View(intmath.CeilDiv(f.Len(of), Group), 1).Read(state[:])
	return State(state[0]), err
}

// below is the entry that has a mark if it is there.
func (of Entries) below() uint64 { return uint64(int64(of.Below)) }

// Mark enqueues keeping the marks.
func (f *FirstRows) Mark(of Entries) {
	f.mark.Launch(f.tiles(intmath.CeilDiv(f.Len(of), Group)), entryBytes*int64(f.Len(of)), f.entries(of),
		f.states.Buffer(f.s), uint64(of.After), of.below(), f.marks.Buffer(f.s))
}

// Chunk is how many entries are packed at a time.
func (f *FirstRows) Chunk() int { return f.chunk * Group }

// PackEntries enqueues packing entries from number `from` of them on, a multiple of Chunk, into one of two buffers. It
// returns that, and how many these are. Zeros follow up to a whole Group.
func (f *FirstRows) PackEntries(of Entries, from, buffer int) (*device.Buffer[uint32], int) {
	many := min(f.Chunk(), f.Len(of)-from)
	groups := intmath.CeilDiv(many, Group)
	to := f.packed[buffer].Buffer(f.s).View(0, groups*f.width)
	var marks *device.Buffer[uint32]
	if of.Marks {
		marks = f.marks.Buffer(f.s)
	}
	f.packs.Launch(f.tiles(groups), entryBytes*int64(many)+to.Bytes(), f.entries(of), f.states.Buffer(f.s),
		uint64(of.After), of.below(), marks, uint64(of.None), uint64(from/Group), uint64(groups), uint32(f.width), to)
	return to, many
}
