package gate

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// passageLength is the least length of a passage.
const passageLength = 5

// runPassages asks an index for the passages of a document: that of the verb index, of bytes or records; that of
// infini-gram mini; and of tokens a table of the definition.
func runPassages(t *trial, flags []string) error {
	texts := t.in.texts
	var err error
	switch {
	case t.in.width > 1:
		err = t.putTable()
	case t.in.Name == kindSet:
		texts = [][]uint64{symbolsOf(t.in.file)}
		_, err = t.command("build", "infini-gram-mini", "text", "index", "--input", "text", "-q")
	default:
		err = t.makeIndex()
	}
	if err != nil {
		return err
	}
	document, name := passageDocument(texts), "document"
	switch {
	case t.in.width > 1:
		name += ":1"
		err = t.put("document", []byte(t.in.written(document)))
	case t.in.Name == kindFASTA:
		name = "d"
		err = t.put("document", append([]byte(">d\n"), bytesOf(document)...))
	default:
		err = t.put("document", bytesOf(document))
	}
	if err != nil {
		return err
	}
	for _, least := range []int{1, 2} {
		out, err := t.command(with("passages", "index", "document", "-q", "--min-length", strconv.Itoa(passageLength),
			"--min-count", strconv.Itoa(least), flags)...)
		if err != nil {
			return err
		}
		want := passageLines(texts, document, name, least)
		if want == "" {
			return errors.New("no passages")
		}
		if err := differs("lines", out, want); err != nil {
			return err
		}
	}
	return nil
}

func symbolsOf(text []byte) (symbols []uint64) {
	for _, c := range text {
		symbols = append(symbols, uint64(c))
	}
	return symbols
}

// passageDocument has parts of the texts, some of which overlap, and between them a symbol of another place.
func passageDocument(texts [][]uint64) (document []uint64) {
	all := texts[0]
	for i := range 8 {
		text := texts[i*len(texts)/8]
		at := i * len(text) / 9
		document = append(document, text[at:min(at+20+i, len(text))]...)
		document = append(document, all[(i*7+3)%len(all)])
	}
	return document
}

// passageLines are the lines of all parts that occur, and with a symbol more on a side do not.
func passageLines(texts [][]uint64, document []uint64, name string, least int) (lines string) {
	n := len(document)
	count := func(start, end int) (times int) {
		if start < 0 || end > n {
			return 0
		}
		part := document[start:end]
		for _, text := range texts {
			for i := range len(text) - len(part) + 1 {
				if slices.Equal(text[i:i+len(part)], part) {
					times++
				}
			}
		}
		return times
	}
	var b strings.Builder
	for start := range n {
		for end := start + passageLength; end <= n; end++ {
			times := count(start, end)
			if times < least {
				break
			}
			if count(start-1, end) < least && count(start, end+1) < least {
				fmt.Fprintf(&b, "%s\t%d\t%d\t%d\n", name, start, end, times)
			}
		}
	}
	return b.String()
}
