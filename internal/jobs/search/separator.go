package search

import (
	"bytes"
	"fmt"

	"github.com/suffixcl/suffixcl/internal/fmindex"
	"github.com/suffixcl/suffixcl/internal/input"
	"github.com/suffixcl/suffixcl/seqio"
)

// separatorOf returns the byte that stands between the records of an indexed text, or fmindex.NoSeparator where
// there is none. The records must cover the text but for single separators after them, all of the same byte,
// which no record holds; after the last there may be one. counts are those of the text's bytes.
func separatorOf(text []byte, records seqio.Table, counts *[256]uint64) (int, error) {
	if len(records) == 0 {
		return fmindex.NoSeparator, nil
	}
	if err := input.CheckRecords(records, len(text)); err != nil {
		return 0, err
	}
	separator, separators, at := fmindex.NoSeparator, uint64(0), 0
	for i, r := range records {
		if r.Offset != at {
			return 0, wrong(r.Offset,
				"record %d begins here instead of at %d: between the records of an index stands one separator", i, at)
		}
		if at = r.End(); at == len(text) {
			break
		}
		if separators == 0 {
			separator = int(text[at])
		} else if int(text[at]) != separator {
			return 0, wrong(at, "record %d is followed by byte %#02x instead of %#02x, as record 0 is", i, text[at], separator)
		}
		separators++
		at++
	}
	if last := len(records) - 1; at != len(text) || records[last].End() < at-1 {
		return 0, wrong(records[last].End(), "record %d ends here, and the text of an index at %d", last, len(text))
	}
	if separator == fmindex.NoSeparator || counts[separator] == separators {
		return separator, nil
	}
	for i, r := range records {
		if k := bytes.IndexByte(text[r.Offset:r.End()], byte(separator)); k >= 0 {
			return 0, wrong(r.Offset+k, "record %d holds the separator %#02x", i, separator)
		}
	}
	return separator, nil
}

func wrong(at int, format string, args ...any) error {
	return &input.TextError{Text: -1, Offset: at, Why: fmt.Sprintf(format, args...)}
}
