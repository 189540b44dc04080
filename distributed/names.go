package distributed

import (
	"cmp"
	"encoding/binary"
	"slices"
	"sort"

	"github.com/suffixcl/suffixcl/device"
	"github.com/suffixcl/suffixcl/internal/parallel"
	"github.com/suffixcl/suffixcl/scan"
)

// key is the key by which samples are named: 31 characters, zeros after the end of the text, and in the low byte how
// many characters there are, or 32 for more. It is a number of 256 bits, the first word the highest.
type key [4]uint64

func compareKeys(a, b key) int {
	return cmp.Or(cmp.Compare(a[0], b[0]), cmp.Compare(a[1], b[1]), cmp.Compare(a[2], b[2]), cmp.Compare(a[3], b[3]))
}

func keyAt(text []byte, x uint64) (k key) {
	var b [period + 1]byte
	b[period] = byte(min(len(text)-int(x), period+1))
	copy(b[:period], text[x:])
	for i := range k {
		k[i] = binary.BigEndian.Uint64(b[8*i:])
	}
	return k
}

// namer names the samples of a sorted block on the device: equal keys have the same name, and names are in the order of
// the keys. 2.3 bytes a character.
type namer struct {
	layout                   *device.Layout
	samples, names, distinct *device.Slot[uint32]
	kept                     *device.Slot[uint64]
	count                    *device.Slot[uint32]
	workspace                *device.WorkspaceSlot
	collect                  *scan.CompactTemplate
	name                     *scan.Template
}

var (
	samplesTemplate = nameSource("SAMPLES")
	namesTemplate   = scan.TemplateOptions{Source: nameSource("NAMES"), ElementBytes: 4}
)

func nameSource(template string) device.Source {
	return device.Source{
		Files:   []string{"distributed_cover.cl", "distributed_names.cl"},
		Defines: device.Defines{template: 1},
	}
}

// newNamer plans for an array of `size` suffixes, of which n are samples.
func newNamer(s *device.Session, size, n int) *namer {
	l := device.NewLayout("names")
	m := &namer{
		layout:   l,
		samples:  device.Reserve[uint32](l, "samples", n),
		names:    device.Reserve[uint32](l, "names", n),
		distinct: device.Reserve[uint32](l, "distinct", n),
		kept:     device.Reserve[uint64](l, "number of samples", 1),
		count:    device.Reserve[uint32](l, "number of names", 1),
		collect:  scan.NewCompactTemplate(s, size, samplesTemplate),
		name:     scan.NewTemplate(s, n, namesTemplate),
	}
	m.workspace = device.ReserveWorkspace(l, m.collect.Workspace().Or(m.name.Workspace()))
	return m
}

// run returns the names of the samples in the first `length` characters of the array's text, whose position is
// `first`, and an offset with each name.
func (m *namer) run(r *rank, a *array[uint8], length int, first uint64) (names, distinct []uint32, err error) {
	n := int(sampleNumber(first+uint64(length)) - sampleNumber(first))
	if n == 0 {
		return nil, nil, nil
	}
	s := r.session
	s.Phase("names")
	if err := m.layout.Allocate(s); err != nil {
		return nil, nil, err
	}
	defer m.layout.Release(s)
	samples, made, distinctBuffer := m.samples.Buffer(s), m.names.Buffer(s), m.distinct.Buffer(s)
	ws, phase := m.workspace.Workspace(s), uint32(first%period)
	m.collect.Run(ws, a.sa.Len(), 8, m.kept.Buffer(s), a.sa, uint32(length), phase, samples)
	count := m.count.Buffer(s)
	m.name.Run(ws, n, 80, a.text, uint32(a.text.Len()), samples, phase, uint32(classOf[phase]), uint32(n), made,
		distinctBuffer, count)
	var found [1]uint32
	if err := count.Read(found[:]); err != nil {
		return nil, nil, err
	}
	names, distinct = make([]uint32, n), make([]uint32, found[0])
	if err := made.Download(r.ctx, names, nil); err != nil {
		return nil, nil, err
	}
	return names, distinct, distinctBuffer.Download(r.ctx, distinct, nil)
}

// globalNames returns the names of this rank's distinct keys among those of all ranks, counted from 0, and how many
// there are. The keys are at positions of the text, which every node has; they are in order, and all differ.
func globalNames[P position](r *rank, text []byte, places []P) (names []P, total uint64, err error) {
	cuts, err := splitTogether(r, len(places), func(i int) key { return keyAt(text, uint64(places[i])) }, compareKeys)
	if err != nil {
		return nil, 0, err
	}
	got, runs, err := exchanged(r, places, cuts)
	if err != nil {
		return nil, 0, err
	}
	r.stats.Share = max(r.stats.Share, len(got))
	ids := make([]P, len(got))
	count := numberKeys(text, got, runs, ids)
	counts, err := r.counts(count)
	if err != nil {
		return nil, 0, err
	}
	base := P(sum(counts[:r.comm.Rank()]))
	for i := range ids {
		ids[i] += base
	}
	names, _, err = exchanged(r, ids, runs)
	return names, uint64(sum(counts)), err
}

// numberKeys numbers the distinct keys at places, which are sorted runs, and returns how many there are. Processors
// have keys of ranges that do not overlap.
func numberKeys[P position](text []byte, places []P, runs []int, ids []P) int {
	starts, at := make([]int, len(runs)), 0
	longest := 0
	for q, n := range runs {
		starts[q] = at
		at += n
		if n > runs[longest] {
			longest = q
		}
	}
	type part struct{ from, to []int } // of each run
	var parts []part
	// Bounds of parts: how many keys of each run are less than keys of the longest run.
	size := max(1<<14, len(places)/64)
	from := make([]int, len(runs))
	for k := size; ; k += size {
		to := slices.Clone(runs)
		if k < runs[longest] {
			bound := keyAt(text, uint64(places[starts[longest]+k]))
			for q, n := range runs {
				run := places[starts[q]:][:n]
				to[q] = sort.Search(n, func(i int) bool { return compareKeys(keyAt(text, uint64(run[i])), bound) >= 0 })
			}
		}
		parts = append(parts, part{from: from, to: to})
		if from = to; k >= runs[longest] {
			break
		}
	}
	counts := make([]int, len(parts)+1)
	parallel.Do(len(parts), 1, func(lo, hi int) {
		for i := lo; i < hi; i++ {
			m := newKeyMerge(text, places, starts, parts[i].from, parts[i].to)
			counts[i+1] = numberRange(m, ids)
		}
	})
	for i := range parts {
		counts[i+1] += counts[i]
	}
	parallel.Do(len(parts), 1, func(lo, hi int) {
		for i := lo; i < hi; i++ {
			for q, start := range starts {
				for j := start + parts[i].from[q]; j < start+parts[i].to[q]; j++ {
					ids[j] += P(counts[i])
				}
			}
		}
	})
	return counts[len(parts)]
}

// keyMerge goes through the keys of several runs in order.
type keyMerge[P position] struct {
	text   []byte
	places []P
	at, to []int // numbers of the next keys of the runs, and where they end
	heads  []key // the next keys
}

func newKeyMerge[P position](text []byte, places []P, starts, from, to []int) *keyMerge[P] {
	m := &keyMerge[P]{text: text, places: places}
	for q, start := range starts {
		m.at, m.to = append(m.at, start+from[q]), append(m.to, start+to[q])
		m.heads = append(m.heads, key{})
		m.load(q)
	}
	return m
}

// load has the next key of a run.
func (m *keyMerge[P]) load(q int) {
	if m.at[q] < m.to[q] {
		m.heads[q] = keyAt(m.text, uint64(m.places[m.at[q]]))
	}
}

// numberRange numbers the keys from 0 on.
func numberRange[P position](m *keyMerge[P], ids []P) int {
	for count := 0; ; count++ {
		least := -1
		for q := range m.at {
			if m.at[q] < m.to[q] && (least < 0 || compareKeys(m.heads[q], m.heads[least]) < 0) {
				least = q
			}
		}
		if least < 0 {
			return count
		}
		k := m.heads[least]
		for q := range m.at {
			if m.at[q] < m.to[q] && m.heads[q] == k {
				ids[m.at[q]] = P(count)
				m.at[q]++
				m.load(q)
			}
		}
	}
}
