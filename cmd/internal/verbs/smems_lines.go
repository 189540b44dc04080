package verbs

import (
	"encoding/json"
	"fmt"
	"math/bits"
	"sort"
	"strconv"
	"strings"

	"github.com/suffixcl/suffixcl"
	"github.com/suffixcl/suffixcl/cmd/internal/formats/tsv"
	"github.com/suffixcl/suffixcl/cmd/internal/job"
	"github.com/suffixcl/suffixcl/cmd/internal/report"
	"github.com/suffixcl/suffixcl/cmd/internal/source"
	"github.com/suffixcl/suffixcl/formats"
	"github.com/suffixcl/suffixcl/internal/cli"
)

// smemWriter writes matches of reads: a part of them while the next one is searched.
type smemWriter struct {
	tsv.Writer
	*smemsFlags
	index     *formats.BWAIndex
	pangenome *smemPlaces
	searched  *source.Reads
	done      func(*source.Reads)
	writing   chan error     // of the part that is written, or nil
	part      suffixcl.SMEMs // and of which these are
	reads     *source.Reads
	report    *report.SMEMs
	lengths   [64]int64
	exact     map[uint32]int64 // matches of each length, if they are wanted
	covered   []int            // letters of each read of a part that are in matches
	places    []int            // of the positions of each match
	rare      *rareLetters
	filter    *readFilter
}

// count counts what a part has, for the report.
func (m *smemWriter) count(part *suffixcl.SMEMs) {
	m.places = m.places[:0]
	m.covered = append(m.covered[:0], make([]int, part.Queries)...)
	at, last := 0, suffixcl.SMEM{}
	for _, f := range part.Matches {
		m.places = append(m.places, at)
		if f.Hits <= uint64(m.located) && len(part.Positions) > 0 {
			at += int(f.Hits)
		}
		if f.Query != last.Query {
			last.End = 0
		}
		m.covered[f.Query] += int(f.End - max(f.Start, last.End))
		last = f
		m.lengths[bits.Len32(f.End-f.Start)-1]++
		if m.exact != nil {
			m.exact[f.End-f.Start]++
		}
	}
	first := part.First - m.reads.First
	m.report.Reads += part.Queries
	m.report.Bases += int64(m.reads.Offsets[first+part.Queries] - m.reads.Offsets[first])
	for _, covered := range m.covered {
		m.report.Covered += int64(covered)
	}
	m.report.Matches += int64(len(part.Matches))
}

// tell fills in the report.
func (m *smemWriter) tell(j *job.Job) {
	r := m.report
	j.Report.Queries, j.Report.QueryBytes, j.Report.Occurrences = r.Reads, r.Bases, r.Matches
	told := fmt.Sprintf("%s, %s", cli.Quantity(int64(r.Reads), "read"), cli.Quantity(r.Bases, "base"))
	if m.pseudo {
		j.Report.Tell(told)
		return
	}
	told += ", " + cli.Quantity(r.Matches, "match")
	if r.Bases > 0 {
		told += fmt.Sprintf(", %.1f%% of the bases covered", 100*float64(r.Covered)/float64(r.Bases))
	}
	if m.filter != nil {
		r.Written = m.filter.written
		told += fmt.Sprintf(", %s written", cli.Quantity(int64(r.Written), "read"))
	}
	j.Report.Tell(told)
	for k, n := range m.lengths {
		if n > 0 {
			r.Lengths = append(r.Lengths, report.SMEMLength{Least: 1 << k, Matches: n})
		}
	}
}

// begin begins to write a part of the reads that are searched, which it copies. Error: that of the one before.
func (m *smemWriter) begin(part *suffixcl.SMEMs) error {
	if err := m.wait(); err != nil {
		return err
	}
	m.part.First, m.part.Queries = part.First, part.Queries
	m.part.Matches = append(m.part.Matches[:0], part.Matches...)
	m.part.Positions = append(m.part.Positions[:0], part.Positions...)
	m.part.Lengths = append(m.part.Lengths[:0], part.Lengths...)
	m.reads, m.writing = m.searched, make(chan error, 1)
	go func(written chan<- error) {
		err := m.write(&m.part)
		if m.part.First+m.part.Queries == m.reads.First+m.reads.Len() {
			m.done(m.reads)
		}
		written <- err
	}(m.writing)
	return nil
}

// wait returns when the part is written that was begun.
func (m *smemWriter) wait() error {
	if m.writing == nil {
		return nil
	}
	err := <-m.writing
	m.writing = nil
	return err
}

func (m *smemWriter) write(part *suffixcl.SMEMs) error {
	m.count(part)
	first := part.First - m.reads.First
	if m.filter != nil {
		return m.filter.add(m.reads, first, m.covered)
	}
	line := map[string]func(rows *tsv.Writer, r *oneRead) error{"fastmap": m.fastmap, "bed": m.bed, "tsv": m.tsv,
		"jsonl": m.jsonl, formatLengths: m.matchingStatistics}[m.format.Value]
	things := len(part.Matches) + len(part.Positions)
	if m.statistics || m.pseudo {
		things = int(m.reads.Offsets[first+part.Queries] - m.reads.Offsets[first])
	}
	return m.Many(part.Queries, tsv.EachOf(part.Queries, things), func(rows tsv.Writer, lo, hi int) (tsv.Writer, error) {
		k := sort.Search(len(part.Matches), func(i int) bool { return int(part.Matches[i].Query) >= lo })
		one := oneRead{part: part, reads: m.reads}
		for q := lo; q < hi; q++ {
			end := k
			for end < len(part.Matches) && int(part.Matches[end].Query) == q {
				end++
			}
			one.number, one.query, one.lo, one.hi = first+q, q, k, end
			if err := line(&rows, &one); err != nil {
				return rows, err
			}
			k = end
			if err := rows.Spill(); err != nil {
				return rows, err
			}
		}
		return rows, nil
	})
}

// oneRead is a read with its matches.
type oneRead struct {
	part   *suffixcl.SMEMs
	reads  *source.Reads
	number int // in reads
	query  int // in the part
	lo, hi int // matches
}

func (r *oneRead) letters() []byte { return r.reads.Pattern(r.number) }

// positions are those of match k, or none.
func (m *smemWriter) positions(r *oneRead, k int) []uint64 {
	if f := r.part.Matches[k]; f.Hits <= uint64(m.located) && len(r.part.Positions) > 0 {
		return r.part.Positions[m.places[k]:][:f.Hits]
	}
	return nil
}

// place appends NAME:+PLACE.
func (m *smemWriter) place(line []byte, position uint64, letters uint32, from int) []byte {
	name, forward, at := m.index.Place(position, int(letters))
	line = append(append(line, name...), ':')
	strand := byte('-')
	if forward {
		strand = '+'
	}
	return strconv.AppendInt(append(line, strand), int64(at+from), 10)
}

func (m *smemWriter) fastmap(rows *tsv.Writer, r *oneRead) error {
	line := append(append(append(rows.Line, "SQ\t"...), r.reads.Records[r.number].Name...), '\t')
	line = strconv.AppendInt(line, int64(len(r.letters())), 10)
	if m.sequence {
		line = append(append(line, '\t'), r.letters()...)
	}
	line = append(line, '\n')
	if m.rare != nil {
		var found []rareMatch
		for k := r.lo; k < r.hi; k++ {
			found = append(found, rareMatch{r.part.Matches[k], m.positions(r, k)})
		}
		for _, f := range m.rare.among(found, r.letters(), m.least, m.located) {
			line = m.match(line, f.SMEM, f.positions)
		}
	} else {
		for k := r.lo; k < r.hi; k++ {
			line = m.match(line, r.part.Matches[k], m.positions(r, k))
		}
	}
	rows.Line = append(line, "//\n"...)
	rows.Ended++
	return nil
}

// match appends the line of a match.
func (m *smemWriter) match(line []byte, f suffixcl.SMEM, positions []uint64) []byte {
	line = strconv.AppendUint(append(line, "EM\t"...), uint64(f.Start), 10)
	line = strconv.AppendUint(append(line, '\t'), uint64(f.End), 10)
	line = strconv.AppendUint(append(line, '\t'), f.Hits, 10)
	if f.Hits > uint64(m.located) {
		line = append(line, "\t*\n"...) // and an empty line
	}
	for _, p := range positions {
		line = m.place(append(line, '\t'), p, f.End-f.Start, 1)
	}
	return append(line, '\n')
}

func (m *smemWriter) cells(rows *tsv.Writer, r *oneRead, cells ...int) {
	rows.Line = append(r.reads.AppendName(rows.Line, r.number), '\t')
	for _, cell := range cells {
		rows.Number(uint64(cell))
	}
	rows.Line[len(rows.Line)-1] = '\n'
	rows.Ended++
}

func (m *smemWriter) bed(rows *tsv.Writer, r *oneRead) error {
	covered, end := 0, 0
	gap := func(to int) {
		if m.gap > 0 && to-end >= m.gap {
			m.cells(rows, r, end, to, to-end)
		}
	}
	for _, f := range r.part.Matches[r.lo:r.hi] {
		if m.gap == 0 && !m.cov {
			m.cells(rows, r, int(f.Start), int(f.End), int(f.Hits))
			if err := m.pangenome.cells(rows, f); err != nil {
				return err
			}
		}
		gap(int(f.Start))
		covered += int(f.End) - max(int(f.Start), end)
		end = int(f.End)
	}
	gap(len(r.letters()))
	if m.cov && covered > 0 {
		m.cells(rows, r, len(r.letters()), covered)
	}
	return nil
}

func (m *smemWriter) tsv(rows *tsv.Writer, r *oneRead) error {
	for k := r.lo; k < r.hi; k++ {
		f := r.part.Matches[k]
		m.cells(rows, r, int(f.Start), int(f.End), int(f.Hits))
		if m.index == nil && m.pangenome == nil {
			continue
		}
		line := append(rows.Line[:len(rows.Line)-1], '\t')
		if m.pangenome != nil {
			told, err := m.pangenome.positions(f)
			if err != nil {
				return err
			}
			rows.Line = append(append(line, strings.Join(told, ",")...), '\n')
			continue
		}
		for i, p := range m.positions(r, k) {
			if i > 0 {
				line = append(line, ',')
			}
			line = m.place(line, p, f.End-f.Start, 0)
		}
		if f.Hits > uint64(m.located) {
			line = append(line, '*')
		}
		rows.Line = append(line, '\n')
	}
	return nil
}

// smemRead, smemMatch and smemLengths are the lines of JSON.
type (
	smemRead struct {
		Read    string      `json:"read"`
		Length  int         `json:"length"`
		Matches []smemMatch `json:"matches"`
	}
	smemMatch struct {
		Start     uint32   `json:"start"`
		End       uint32   `json:"end"`
		Hits      uint64   `json:"hits"`
		Positions []string `json:"positions"` // null: there are too many, or the index has none
	}
	smemLengths struct {
		Read    string   `json:"read"`
		Length  int      `json:"length"`
		Lengths []uint32 `json:"lengths"`
	}
)

func (m *smemWriter) jsonl(rows *tsv.Writer, r *oneRead) error {
	name := string(r.reads.AppendName(nil, r.number))
	if m.statistics || m.pseudo {
		read := smemLengths{name, len(r.letters()), append([]uint32{}, m.statisticsOf(r)...)}
		return appendJSON(rows, read)
	}
	read := smemRead{Read: name, Length: len(r.letters()), Matches: []smemMatch{}}
	for k := r.lo; k < r.hi; k++ {
		f := r.part.Matches[k]
		one := smemMatch{Start: f.Start, End: f.End, Hits: f.Hits}
		for _, p := range m.positions(r, k) {
			one.Positions = append(one.Positions, string(m.place(nil, p, f.End-f.Start, 0)))
		}
		if m.pangenome != nil {
			var err error
			if one.Positions, err = m.pangenome.positions(f); err != nil {
				return err
			}
		}
		read.Matches = append(read.Matches, one)
	}
	return appendJSON(rows, read)
}

func appendJSON(rows *tsv.Writer, value any) error {
	line, err := json.Marshal(value)
	rows.Line = append(append(rows.Line, line...), '\n')
	rows.Ended++
	return err
}

// statisticsOf are the matching statistics of a read, or its pseudo-matching lengths.
func (m *smemWriter) statisticsOf(r *oneRead) []uint32 {
	if m.pseudo {
		from := r.reads.Offsets[r.number] - r.reads.Offsets[r.number-r.query]
		return r.part.Lengths[from:][:len(r.letters())]
	}
	return r.part.AppendMatchingStatistics(nil, r.query, len(r.letters()))
}

// matchingStatistics has two lines for a read, as MONI has them: > and the name; a number and a blank for each place.
func (m *smemWriter) matchingStatistics(rows *tsv.Writer, r *oneRead) error {
	line := append(r.reads.AppendName(append(rows.Line, '>'), r.number), '\n')
	for _, length := range m.statisticsOf(r) {
		line = append(strconv.AppendUint(line, uint64(length), 10), ' ')
	}
	rows.Line = append(line, '\n')
	rows.Ended++
	return nil
}
