package jobs

import (
	"bytes"
	"fmt"

	"github.com/suffixcl/suffixcl/internal/bytesize"
	"github.com/suffixcl/suffixcl/internal/fmindex"
	"github.com/suffixcl/suffixcl/seqio"
)

// checkRecords returns a *RecordError unless records are parts of a text of n characters that ascend and do not
// overlap.
func checkRecords(records seqio.Table, n int) error {
	end := 0
	for i, r := range records {
		if r.Offset < end || r.Length < 0 || r.Length > n-r.Offset {
			return &RecordError{i, fmt.Sprintf("of %s from %d on is not after those before, and in the text of %d",
				bytesize.Count(r.Length, "character"), r.Offset, n)}
		}
		end = r.End()
	}
	return nil
}

// separatorOf returns the byte that stands between the records of an indexed text, or fmindex.NoSeparator where
// there is none. The records must cover the text but for single separators after them, all of the same byte,
// which no record holds; after the last there may be one. counts are those of the text's bytes.
func separatorOf(text []byte, records seqio.Table, counts *[256]uint64) (int, error) {
	if len(records) == 0 {
		return fmindex.NoSeparator, nil
	}
	if err := checkRecords(records, len(text)); err != nil {
		return 0, err
	}
	separator, separators, at := fmindex.NoSeparator, uint64(0), 0
	for i, r := range records {
		if r.Offset != at {
			return 0, &RecordError{i,
				fmt.Sprintf("begins at %d instead of %d: between the records of an index stands one separator", r.Offset, at)}
		}
		if at = r.End(); at == len(text) {
			break
		}
		if separators == 0 {
			separator = int(text[at])
		} else if int(text[at]) != separator {
			return 0, &RecordError{i, fmt.Sprintf("is followed by byte %#02x instead of %#02x, as record 0 is",
				text[at], separator)}
		}
		separators++
		at++
	}
	if last := len(records) - 1; at != len(text) || records[last].End() < at-1 {
		return 0, &RecordError{last, fmt.Sprintf("ends at %d, and the text of an index at %d",
			records[last].End(), len(text))}
	}
	if separator == fmindex.NoSeparator || counts[separator] == separators {
		return separator, nil
	}
	for i, r := range records {
		if k := bytes.IndexByte(text[r.Offset:r.End()], byte(separator)); k >= 0 {
			return 0, &RecordError{i, fmt.Sprintf("holds the separator %#02x, at position %d", separator, r.Offset+k)}
		}
	}
	return separator, nil
}
