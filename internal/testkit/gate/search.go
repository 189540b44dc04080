package gate

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
)

// pattern is one that is searched for: as it is written, and where it occurs.
type pattern struct {
	written string
	at      [][2]int // text, place
}

// patternLength and patternCount are of the patterns that are searched for.
const (
	patternLength = 2
	patternCount  = 25
)

// patterns are pieces of an input that can be written on a line, each once, and one that is nowhere.
func (in *input) patterns() (list []pattern) {
	printable := func(c uint64) bool {
		return in.width > 1 || c > ' ' && c < 127 && !strings.ContainsRune(`\>@;`, rune(c))
	}
	known := map[string]bool{}
	for t, symbols := range in.texts {
		for i := 0; i+patternLength <= len(symbols) && len(list) < patternCount*(t+1)/len(in.texts); i += 3 {
			piece := symbols[i : i+patternLength]
			p := pattern{written: in.written(piece)}
			if known[p.written] || !printable(piece[0]) || !printable(piece[1]) {
				continue
			}
			known[p.written] = true
			for of, text := range in.texts {
				for j := range text {
					if j+patternLength <= len(text) && slices.Equal(text[j:j+patternLength], piece) {
						p.at = append(p.at, [2]int{of, j})
					}
				}
			}
			list = append(list, p)
		}
	}
	return list
}

// written are symbols as patterns and results have them.
func (in *input) written(symbols []uint64) string {
	if in.width == 1 {
		return string(bytesOf(symbols))
	}
	var numbers []string
	for _, c := range symbols {
		numbers = append(numbers, strconv.FormatUint(c, 10))
	}
	return strings.Join(numbers, " ")
}

// counted and located are the lines of patterns.
func counted(_ *input, list []pattern) (lines string) {
	for _, p := range list {
		lines += fmt.Sprintf("%s\t%d\n", p.written, len(p.at))
	}
	return lines
}

func located(in *input, list []pattern) (lines string) {
	for _, p := range list {
		for _, at := range p.at {
			record := ""
			if in.names != nil {
				record = in.names[at[0]] + ":"
			}
			lines += fmt.Sprintf("%s\t%s%d\n", p.written, record, at[1])
		}
	}
	return lines
}

// search writes the patterns, runs the command and compares its lines.
func (t *trial) search(lines func(*input, []pattern) string, args ...string) error {
	list := t.in.patterns()
	if len(list) < patternCount/2 {
		return fmt.Errorf("%d patterns only", len(list))
	}
	written := ""
	for _, p := range list {
		written += p.written + "\n"
	}
	if err := t.put("patterns", []byte(written)); err != nil {
		return err
	}
	out, err := t.command(args...)
	if err != nil {
		return err
	}
	return differs("lines", out, lines(t.in, list))
}

// ofIndex are the flags of verbs that ask an index of a kind.
var ofIndex = map[string][]string{kindBytes: nil, kindFASTA: nil}

// makeIndex indexes the input.
func (t *trial) makeIndex() error {
	flags := t.in.flags
	if t.in.Name == kindBytes {
		flags = plainFlag[kindBytes]
	}
	_, err := t.command(with("index", "text", "-o", "index", "-q", "--sample", "4", flags)...)
	return err
}

func runIndex(t *trial, _ []string) error {
	if err := t.makeIndex(); err != nil {
		return err
	}
	return t.search(located, "locate", "index", "--patterns", "patterns", "--queries", "lines", "-q")
}

func runCount(t *trial, flags []string) error {
	if err := t.makeIndex(); err != nil {
		return err
	}
	return t.search(counted, with("count", "index", "--patterns", "patterns", "--queries", "lines", "-q", flags)...)
}

func runLocate(t *trial, flags []string) error {
	if err := t.makeIndex(); err != nil {
		return err
	}
	return t.search(located, with("locate", "index", "--patterns", "patterns", "--queries", "lines", "-q", flags)...)
}

// runGet reads records and bytes back; of a set, from an index of infini-gram mini that has it as a document.
func runGet(t *trial, _ []string) error {
	read := func(want []byte, args ...string) error {
		out, err := t.command(with("get", "index", args, "--format", "text", "-q")...)
		if err != nil {
			return err
		}
		return differs("text", out, string(want))
	}
	if t.in.Name == kindSet {
		return t.askMini(read)
	}
	if err := t.makeIndex(); err != nil {
		return err
	}
	if t.in.names == nil {
		whole := bytesOf(t.in.texts[0])
		return errors.Join(read(whole[3:100], "--range", "3-100"), read(whole, "--range", fmt.Sprintf("0-%d", len(whole))))
	}
	for i, text := range t.in.texts {
		if err := errors.Join(read(bytesOf(text), "--document", fmt.Sprint(i)),
			read(bytesOf(text), "--record", t.in.names[i])); err != nil {
			return err
		}
	}
	return nil
}

// askMini reads, counts and locates in an index of infini-gram mini.
func (t *trial) askMini(read func(want []byte, args ...string) error) error {
	files, err := infiniGramFiles(t.in.file)
	if err == nil {
		err = os.Mkdir(filepath.Join(t.dir, "index"), 0o777)
	}
	for _, name := range []string{"data.fm9", "data_offset"} {
		if err == nil {
			err = t.put("index/"+name, files[name])
		}
	}
	if err != nil {
		return err
	}
	text, pattern := append([]byte{0xff}, t.in.file...), string(t.in.file[:patternLength])
	var places []string
	for i := range text {
		if strings.HasPrefix(string(text[i:]), pattern) {
			places = append(places, fmt.Sprintf("%s\t%d\n", pattern, i))
		}
	}
	count, err := t.command("count", "index", pattern, "-q", "--check")
	if err == nil {
		err = differs("count", count, fmt.Sprintf("%s\t%d\n", pattern, len(places)))
	}
	if err != nil {
		return err
	}
	located, err := t.command("locate", "index", pattern, "-q")
	if err == nil {
		err = differs("places", located, strings.Join(places, ""))
	}
	return errors.Join(err, read(t.in.file, "--document", "0"), read(text[5:90], "--range", "5-90"))
}

func runMatch(t *trial, flags []string) error {
	return t.search(located, with("match", "text", "patterns", "--queries", "lines", "-q", flags)...)
}
