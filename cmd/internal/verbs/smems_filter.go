package verbs

import (
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"

	"github.com/spf13/pflag"
	"github.com/suffixcl/suffixcl/cmd/internal/formats/tsv"
	"github.com/suffixcl/suffixcl/cmd/internal/source"
	"github.com/suffixcl/suffixcl/internal/cli"
)

// share is a flag that takes 0 to 1, or 0% to 100%.
type share struct {
	value float64
	given string
}

func (s *share) String() string { return s.given }
func (s *share) Type() string   { return "share" }
func (s *share) Set(text string) error {
	number, percent := strings.CutSuffix(text, "%")
	if percent {
		number += "e-2" // so that 7% is the number that 0.07 is
	}
	v, err := strconv.ParseFloat(number, 64)
	if err != nil || !(v >= 0 && v <= 1) {
		return errors.New("want 0 to 1, or 0% to 100%")
	}
	s.value, s.given = v, text
	return nil
}

// filterFlags say which reads are written.
type filterFlags struct {
	keep, drop share
	paired     bool
	both       bool
	mates      string
}

func (f *filterFlags) add(flags *pflag.FlagSet) {
	flags.Var(&f.keep, "keep", "write reads with that share of letters, or more, in matches")
	flags.Var(&f.drop, "drop", "write reads with a smaller share")
	flags.BoolVar(&f.paired, "paired", false, "mates stay or go together: of two READS, or in turns in one")
	flags.BoolVar(&f.both, "both-mates", false, "a pair has the share if both mates have it")
	flags.Var((*cli.FileName)(&f.mates), "mates", "file for the second mates")
}

// wanted tells whether reads are written.
func (f *filterFlags) wanted() bool { return f.keep.given != "" || f.drop.given != "" }

// check tells of wrong usage. reads are the names of their files, as far as they are given.
func (f *filterFlags) check(reads []string, out string) error {
	switch {
	case f.paired && !f.wanted():
		return cli.Usage("--paired is for --keep and --drop")
	case f.both && !f.paired:
		return cli.Usage("--both-mates is for --paired")
	case f.mates != "" && !f.paired:
		return cli.Usage("--mates is for --paired")
	case f.paired && len(reads) > 2:
		return cli.Usage("--paired: want two files of reads, or one; there are %d", len(reads))
	}
	for _, name := range []string{out, f.mates} {
		if f.wanted() && strings.HasSuffix(strings.ToLower(name), ".bz2") {
			return cli.Usage("%s: bzip2 is not written; gzip, zstd and xz are, by .gz, .zst and .xz", name)
		}
	}
	return nil
}

// covers tells whether a read is one that --keep writes.
func (f *filterFlags) covers(covered, letters int) bool {
	least := f.keep.value
	if f.drop.given != "" {
		least = f.drop.value
	}
	return covered > 0 && float64(covered)/float64(letters) >= least
}

// readFilter writes reads as they came, or leaves them out.
type readFilter struct {
	*filterFlags
	out, mates *tsv.Writer // mates is nil where they go to out
	waiting    [2]mates    // those of which the other mate is not known yet
	number     int         // of the next read, where mates are in one file
	written    int         // reads
}

func newReadFilter(f *filterFlags, out *tsv.Writer, second io.Writer) *readFilter {
	r := &readFilter{filterFlags: f, out: out}
	if second != nil {
		w := tsv.New(second)
		r.mates = &w
	}
	return r
}

// add takes reads from number first on, of which so many letters each are in matches.
func (r *readFilter) add(reads *source.Reads, first int, covered []int) error {
	for k, letters := range covered {
		i := first + k
		is := r.covers(letters, reads.Records[i].Length)
		if !r.paired {
			if is == (r.keep.given != "") {
				if err := r.write(r.out, reads.Written(i)); err != nil {
					return err
				}
			}
			continue
		}
		mate := reads.Mate
		if !reads.Turns {
			mate = r.number % 2
			r.number++
		}
		r.waiting[mate].add(reads.Records[i].Name, reads.Written(i), is)
		if err := r.pairs(); err != nil {
			return err
		}
	}
	return nil
}

// pairs writes pairs that are known.
func (r *readFilter) pairs() error {
	a, b := &r.waiting[0], &r.waiting[1]
	for a.len() > 0 && b.len() > 0 {
		one, two := a.take(), b.take()
		if !areMates(one.name, two.name) {
			return fmt.Errorf("--paired: %q and %q are no mates, by their names", one.name, two.name)
		}
		is := one.covered || two.covered
		if r.both {
			is = one.covered && two.covered
		}
		if is != (r.keep.given != "") {
			continue
		}
		second := r.out
		if r.mates != nil {
			second = r.mates
		}
		if err := r.write(r.out, one.text); err != nil {
			return err
		}
		if err := r.write(second, two.text); err != nil {
			return err
		}
	}
	return nil
}

func (r *readFilter) write(w *tsv.Writer, read []byte) error {
	r.written++
	w.Line = append(w.Line, read...)
	return w.Spill()
}

// end writes what is left. Errors: a read without mate.
func (r *readFilter) end() error {
	for k := range r.waiting {
		if w := &r.waiting[k]; w.len() > 0 {
			return fmt.Errorf("--paired: read %q has no mate", w.take().name)
		}
	}
	if r.mates != nil {
		return r.mates.Flush()
	}
	return nil
}

// areMates tells whether names can be those of mates: they are the same, or end in /1 and /2, or .1 and .2.
func areMates(one, two string) bool {
	last := len(one) - 1
	if one == two {
		return true
	}
	return last > 0 && len(two) == len(one) && one[:last] == two[:last] && strings.IndexByte("/.", one[last-1]) >= 0 &&
		one[last] == '1' && two[last] == '2'
}

// mate is a read whose mate is not known yet.
type mate struct {
	name    string
	text    []byte
	covered bool
	end     int // of the text
}

// mates are reads in the order in which they came.
type mates struct {
	all   []mate
	text  []byte
	taken int // mates that were taken
	from  int // text of those
}

func (m *mates) len() int { return len(m.all) - m.taken }

func (m *mates) add(name string, text []byte, covered bool) {
	if m.len() == 0 {
		m.all, m.text, m.taken, m.from = m.all[:0], m.text[:0], 0, 0
	}
	if m.from > len(m.text)/2 && len(m.text)+len(text) > cap(m.text) {
		m.text = m.text[:copy(m.text, m.text[m.from:])]
		m.all = m.all[:copy(m.all, m.all[m.taken:])]
		for k := range m.all {
			m.all[k].end -= m.from
		}
		m.taken, m.from = 0, 0
	}
	m.text = append(m.text, text...)
	m.all = append(m.all, mate{name: name, covered: covered, end: len(m.text)})
}

// take is the next one. Its text is valid until the next add.
func (m *mates) take() mate {
	next := m.all[m.taken]
	next.text = m.text[m.from:next.end]
	m.all[m.taken].name = ""
	m.taken++
	m.from = next.end
	return next
}
