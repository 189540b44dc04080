package sentencepiece

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"runtime"
	"slices"
	"strconv"
	"sync"
	"sync/atomic"
	"unicode/utf8"
)

// Options of Read. The zero value has the defaults of spm_train.
type Options struct {
	Normalization Normalization
	Coverage      float64 // how much of the text the characters make up that stay; 0: 0.9995
	MaxSentence   int     // longer sentences are left out, in bytes; 0: 4192
	// Symbols are control symbols and user-defined ones. Like <unk>, <s> and </s> they are in no piece, and no piece goes
	// over them.
	Symbols []string
	// Weighted: a line is a sentence, a tab, and the number of its occurrences. Characters count so often. For pieces
	// spm_train counts each line twice, whatever its number. So the corpus has each sentence twice.
	Weighted bool
	// Progress, if not nil, is told the bytes that were read. It is called from several goroutines.
	Progress func(done, total int64)
}

// The defaults.
const (
	DefaultCoverage    = 0.9995
	DefaultMaxSentence = 4192
)

// Corpus is a text in code points.
type Corpus struct {
	Symbols    []uint32 // [n]uint32: the characters of the sentences, with Boundary after each
	Sentences  int      // their number
	Empty      int      // lines that are left out: without a character,
	TooLong    int      // too long,
	Reserved   int      // with U+2585
	Characters []Seed   // that stay, the most frequent first, of equally frequent ones the smallest
	Rare       int      // number of other characters

	starts []int // of parts of Symbols, which are whole sentences, and the end
}

// Seed is a piece and how often it occurs.
type Seed struct {
	Piece     string
	Frequency int64
}

// Error says where a text is wrong.
type Error struct {
	Line   int   // from 1
	Offset int64 // in the text, in bytes
	Why    string
}

func (e *Error) Error() string {
	return fmt.Sprintf("line %d, byte %d of the text: %s", e.Line, e.Offset, e.Why)
}

// mostCounted bounds the sum of all counts.
const mostCounted = 1 << 61

// chunk is how much of a text one processor normalises at a time.
const chunk = 1 << 20

// part is a chunk: whole lines, and the normalised text that becomes of them. In the normalised text spaces are marks,
// newlines ends.
type part struct {
	lines, text                         []byte
	begin                               int // of the lines
	symbols                             int
	sentences, empty, tooLong, reserved int
	at                                  int   // in Symbols
	counted                             int64 // at most: characters, as often as they occur
}

// counts of characters, by code point.
type counts []int64

// Read makes a corpus of lines, on all processors. It takes up to 5 bytes of host memory for each byte of the text, and
// 9 MiB for each processor; 4 for each character remain. Errors: an *Error for invalid UTF-8; options out of range; the
// context's.
func Read(ctx context.Context, text []byte, o Options) (*Corpus, error) {
	o.Coverage, o.MaxSentence = cmp.Or(o.Coverage, DefaultCoverage), cmp.Or(o.MaxSentence, DefaultMaxSentence)
	if !(o.Coverage > 0 && o.Coverage <= 1) || o.MaxSentence < 0 {
		return nil, fmt.Errorf("sentencepiece: coverage %v, sentences of up to %d bytes", o.Coverage, o.MaxSentence)
	}
	parts, borders := split(text), newBorders(o.Symbols)
	all := make(counts, utf8.MaxRune+1)
	var adding sync.Mutex
	var done atomic.Int64
	var failed atomic.Pointer[Error] // the first in the text
	err := workers(ctx, len(parts), func(next func() (int, bool)) {
		z, seen := normalizer{rule: o.Normalization, borders: borders}, make(counts, utf8.MaxRune+1)
		for i, ok := next(); ok; i, ok = next() {
			p := &parts[i]
			if e := p.read(&z, seen, o); e != nil {
				for old := failed.Load(); old == nil || old.Offset > e.Offset; old = failed.Load() {
					if failed.CompareAndSwap(old, e) {
						break
					}
				}
			}
			if o.Progress != nil {
				o.Progress(done.Add(int64(len(p.lines))), int64(len(text)))
			}
		}
		adding.Lock()
		defer adding.Unlock()
		for r, n := range seen {
			if n > 0 {
				all[r] += n
			}
		}
	})
	if err != nil {
		return nil, err
	}
	if e := failed.Load(); e != nil {
		e.Line = bytes.Count(text[:e.Offset], []byte{'\n'}) + 1
		return nil, e
	}
	counted := int64(0)
	for _, p := range parts {
		if counted += p.counted; counted > mostCounted {
			return nil, &Error{Line: bytes.Count(text[:p.begin], []byte{'\n'}) + 1, Offset: int64(p.begin), Why: tooMany}
		}
	}
	c := &Corpus{}
	code := c.cover(all, o.Coverage)
	return c, c.join(ctx, parts, code)
}

// split makes parts of a text that end with lines.
func split(text []byte) (parts []part) {
	for at := 0; at < len(text); {
		end := min(at+chunk, len(text))
		if newline := bytes.IndexByte(text[end-1:], '\n'); newline < 0 {
			end = len(text)
		} else {
			end += newline
		}
		parts = append(parts, part{lines: text[at:end], begin: at})
		at = end
	}
	return parts
}

// workers calls f on all processors; next tells which of n parts is the next. It ends early with the context.
func workers(ctx context.Context, n int, f func(next func() (int, bool))) error {
	var taken atomic.Int64
	next := func() (int, bool) {
		i := int(taken.Add(1)) - 1
		return i, i < n && ctx.Err() == nil
	}
	var all sync.WaitGroup
	for range min(runtime.GOMAXPROCS(0), n) {
		all.Go(func() { f(next) })
	}
	all.Wait()
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	return nil
}

// tooMany says why numbers of sentences are wrong.
const tooMany = "the sentences occur too often together"

// read normalises the lines.
func (p *part) read(z *normalizer, seen counts, o Options) *Error {
	lines := p.lines
	p.text = make([]byte, 0, len(lines)+len(lines)/16+64)
	for at := 0; at < len(lines); {
		line := lines[at:]
		next := len(lines)
		if end := bytes.IndexByte(line, '\n'); end >= 0 {
			line, next = line[:end], at+end+1
		}
		weight, wrong := int64(1), func(why string) *Error { return &Error{Offset: int64(p.begin + at), Why: why} }
		if !utf8.Valid(line) {
			at += invalid(line)
			return wrong("invalid UTF-8")
		}
		if o.Weighted {
			var ok bool
			if line, weight, ok = weigh(line); !ok {
				return wrong("wanted: a sentence, a tab, and how often it occurs")
			}
		}
		start := len(p.text)
		switch {
		case len(line) == 0:
			p.empty++
		case len(line) > o.MaxSentence:
			p.tooLong++
		case bytes.Contains(line, []byte(string(Unknown))):
			p.reserved++
		default:
			if p.text = z.sentence(p.text, line); len(p.text) == start {
				p.empty++
				break
			}
			p.text = append(p.text, '\n')
			p.sentences++
		}
		if sentence := p.text[start:]; o.Weighted && len(sentence) > 0 {
			if weight > (mostCounted-p.counted)/int64(len(sentence)) {
				return wrong(tooMany)
			}
			p.counted += weight * int64(len(sentence))
			p.symbols += 2 * seen.add(sentence, weight)
			p.text = append(p.text, sentence...)
		}
		at = next
	}
	if !o.Weighted {
		p.symbols = seen.add(p.text, 1)
	}
	return nil
}

// weigh divides a line into a sentence and the number of its occurrences.
func weigh(line []byte) (sentence []byte, weight int64, ok bool) {
	sentence, number, ok := bytes.Cut(line, []byte{tab})
	weight, err := strconv.ParseInt(string(bytes.TrimSuffix(number, []byte{'\r'})), 10, 64)
	return sentence, weight, ok && err == nil && weight > 0
}

// add counts the characters of a text, each so often, and returns how many it has.
func (c counts) add(text []byte, weight int64) (symbols int) {
	for i := 0; i < len(text); symbols++ {
		r, size := rune(text[i]), 1
		if r >= utf8.RuneSelf {
			r, size = utf8.DecodeRune(text[i:])
		}
		c[r] += weight
		i += size
	}
	return symbols
}

// invalid is the place where a line is no UTF-8.
func invalid(line []byte) int {
	at := 0
	for at < len(line) {
		r, size := utf8.DecodeRune(line[at:])
		if r == utf8.RuneError && size == 1 {
			break
		}
		at += size
	}
	return at
}

// cover finds the characters that stay, and returns the symbol of each code point.
func (c *Corpus) cover(all counts, coverage float64) (code []uint32) {
	all[Mark] += all[' ']
	all[' '], all['\n'], all[Boundary] = 0, 0, 0
	var characters []rune
	var total, covered int64
	for r, n := range all {
		if n > 0 {
			characters, total = append(characters, rune(r)), total+n
		}
	}
	slices.SortStableFunc(characters, func(a, b rune) int { return cmp.Compare(all[b], all[a]) })
	code = make([]uint32, len(all))
	for i := range code {
		code[i] = Unknown
	}
	code['\n'] = Boundary // a character 0 is unknown
	for _, r := range characters {
		// spm_train compares numbers of 32 bits.
		if float32(float64(covered)/float64(total)) >= float32(coverage) {
			break
		}
		if covered += all[r]; r == tab {
			continue // is in no piece
		}
		code[r] = uint32(r)
		c.Characters = append(c.Characters, Seed{string(r), all[r]})
	}
	c.Rare = len(characters) - len(c.Characters)
	code[' '] = code[Mark]
	return code
}

// join writes the symbols of all parts.
func (c *Corpus) join(ctx context.Context, parts []part, code []uint32) error {
	n := 0
	for i := range parts {
		p := &parts[i]
		p.at = n
		n += p.symbols
		c.starts = append(c.starts, p.at)
		c.Sentences += p.sentences
		c.Empty, c.TooLong, c.Reserved = c.Empty+p.empty, c.TooLong+p.tooLong, c.Reserved+p.reserved
	}
	c.starts = append(c.starts, n)
	c.Symbols = make([]uint32, n)
	return workers(ctx, len(parts), func(next func() (int, bool)) {
		for k, ok := next(); ok; k, ok = next() {
			p := &parts[k]
			to := c.Symbols[p.at : p.at+p.symbols]
			for i, j := 0, 0; j < len(to); j++ {
				r, size := rune(p.text[i]), 1
				if r >= utf8.RuneSelf {
					r, size = utf8.DecodeRune(p.text[i:])
				}
				to[j] = code[r]
				i += size
			}
			p.text = nil
		}
	})
}
