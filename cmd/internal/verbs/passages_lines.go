package verbs

import (
	"context"
	"encoding/binary"
	"encoding/json"
	"io"
	"slices"
	"strconv"
	"sync"

	"github.com/suffixcl/suffixcl/cmd/internal/formats/tsv"
	"github.com/suffixcl/suffixcl/internal/cli"
	"github.com/suffixcl/suffixcl/internal/parallel"
	"github.com/suffixcl/suffixcl/internal/passages"
)

// passageFound is a passage with its first places in the index, if they are wanted.
type passageFound struct {
	passages.Passage
	places []string
}

// passageWriter searches documents, and writes their passages.
type passageWriter struct {
	*passagesFlags
	index  *passageIndex
	report *passagesReport
	w      io.Writer

	lines parallel.Lines
	mu    sync.Mutex // of the report
}

// write writes what is found of some documents, on all processors.
func (p *passageWriter) write(ctx context.Context, documents []passageDocument) error {
	format := map[string]func(to []byte, d passageDocument, list []passageFound) ([]byte, error){"tsv": p.tsv,
		"documents": p.document, "jsonl": p.jsonl, "text": p.text}[p.format.Value]
	return p.lines.Write(p.w, len(documents), func(to []byte, k int) ([]byte, error) {
		list, err := p.find(ctx, documents[k])
		if err != nil {
			return to, err
		}
		p.tally(documents[k], list)
		return format(to, documents[k], list)
	})
}

func (p *passageWriter) find(ctx context.Context, d passageDocument) (list []passageFound, err error) {
	w := p.index.width
	err = passages.Find(ctx, p.index.searcher(ctx, d.text, p.count), p.length, func(f passages.Passage) error {
		found := passageFound{Passage: f}
		if p.places > 0 {
			err := p.index.places(ctx, d.text[f.Start*w:f.End*w], p.places, func(place []byte) {
				found.places = append(found.places, string(place))
			})
			if err != nil {
				return err
			}
		}
		list = append(list, found)
		return nil
	})
	return list, err
}

// tally counts what a document has, for the report.
func (p *passageWriter) tally(d passageDocument, list []passageFound) {
	letters, longest := covered(list), longestOf(list)
	p.mu.Lock()
	defer p.mu.Unlock()
	r := p.report
	r.Documents++
	if len(list) > 0 {
		r.WithAny++
	}
	r.Queried += int64(len(d.text) / p.index.width)
	r.Covered += int64(letters)
	r.Passages += int64(len(list))
	r.Longest = max(r.Longest, longest)
}

func (p *passageWriter) tsv(to []byte, d passageDocument, list []passageFound) ([]byte, error) {
	name := tsv.Escape(d.name)
	for _, f := range list {
		to = append(append(to, name...), '\t')
		to = append(strconv.AppendInt(to, int64(f.Start), 10), '\t')
		to = append(strconv.AppendInt(to, int64(f.End), 10), '\t')
		to = strconv.AppendUint(to, f.Count, 10)
		if p.places > 0 {
			to = appendPlaces(append(to, '\t'), f.places, ",")
		}
		to = append(to, '\n')
	}
	return to, nil
}

func appendPlaces(to []byte, places []string, between string) []byte {
	for i, place := range places {
		if i > 0 {
			to = append(to, between...)
		}
		to = append(to, place...)
	}
	return to
}

// share is that of letters in passages.
func (p *passageWriter) share(d passageDocument, letters int) float64 {
	return float64(letters) / float64(max(len(d.text)/p.index.width, 1))
}

func (p *passageWriter) document(to []byte, d passageDocument, list []passageFound) ([]byte, error) {
	letters := covered(list)
	to = append(append(to, tsv.Escape(d.name)...), '\t')
	for _, cell := range []int{len(d.text) / p.index.width, letters} {
		to = append(strconv.AppendInt(to, int64(cell), 10), '\t')
	}
	to = append(strconv.AppendFloat(to, p.share(d, letters), 'f', 4, 64), '\t')
	to = append(strconv.AppendInt(to, int64(len(list)), 10), '\t')
	return append(strconv.AppendInt(to, int64(longestOf(list)), 10), '\n'), nil
}

// documentPassages and onePassage are the lines of JSON.
type (
	documentPassages struct {
		Document string       `json:"document"`
		Length   int          `json:"length"`
		Covered  int          `json:"covered"`
		Longest  int          `json:"longest"`
		Passages []onePassage `json:"passages"`
	}
	onePassage struct {
		Start  int      `json:"start"`
		End    int      `json:"end"`
		Count  uint64   `json:"count"`
		Places []string `json:"places"` // null: they are not wanted
	}
)

func (p *passageWriter) jsonl(to []byte, d passageDocument, list []passageFound) ([]byte, error) {
	of := documentPassages{d.name, len(d.text) / p.index.width, covered(list), longestOf(list),
		make([]onePassage, len(list))}
	for i, f := range list {
		of.Passages[i] = onePassage{f.Start, f.End, f.Count, f.places}
	}
	line, err := json.Marshal(of)
	return append(append(to, line...), '\n'), err
}

// text has a line for the document, and one for each passage with its text.
func (p *passageWriter) text(to []byte, d passageDocument, list []passageFound) ([]byte, error) {
	letter, w := ofWidth[p.index.tokens()], p.index.width
	quantity := func(n int, noun string) string { return cli.Quantity(int64(n), noun) }
	to = append(append(to, tsv.Escape(d.name)...), ": "...)
	to = append(to, quantity(len(d.text)/w, letter)...)
	if len(list) > 0 {
		to = append(strconv.AppendFloat(append(to, ", "...), 100*p.share(d, covered(list)), 'f', 1, 64), "% in "...)
		to = append(append(to, quantity(len(list), "passage")...), ", the longest of "...)
		to = append(to, quantity(longestOf(list), letter)...)
	}
	to = append(to, '\n')
	for _, f := range list {
		to = append(strconv.AppendInt(append(to, "  "...), int64(f.Start), 10), '-')
		to = append(strconv.AppendInt(to, int64(f.End), 10), ", "...)
		to = append(append(to, cli.Quantity(int64(f.Count), "occurrence")...), ": "...)
		to = append(p.cut(to, d.text[f.Start*w:f.End*w]), '\n')
		if len(f.places) > 0 {
			to = append(appendPlaces(append(to, "    at "...), f.places, ", "), '\n')
		}
	}
	return to, nil
}

// cut appends a passage, with "..." for what is beyond --width.
func (p *passageWriter) cut(to, part []byte) []byte {
	whole := true
	if !p.index.tokens() {
		if whole = len(part) <= p.width; !whole {
			part = part[:p.width]
		}
		to = tsv.AppendEscaped(to, part)
	} else {
		begin := len(to)
		for w := p.index.width; len(part) > 0; part = part[w:] {
			var word [8]byte
			copy(word[:], part[:w])
			before := len(to)
			if before > begin {
				to = append(to, ' ')
			}
			to = strconv.AppendUint(to, binary.LittleEndian.Uint64(word[:]), 10)
			if whole = len(to)-begin <= p.width; !whole {
				to = to[:before]
				break
			}
		}
	}
	if !whole {
		to = append(to, "..."...)
	}
	return to
}

// covered is how many letters are in passages, which are in their order.
func covered(list []passageFound) (letters int) {
	end := 0
	for _, p := range list {
		letters += p.End - max(p.Start, end)
		end = p.End
	}
	return letters
}

// longestOf is the length of the longest passage.
func longestOf(list []passageFound) int {
	if len(list) == 0 {
		return 0
	}
	p := slices.MaxFunc(list, func(a, b passageFound) int { return a.End - a.Start - (b.End - b.Start) })
	return p.End - p.Start
}
