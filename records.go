package suffixcl

import (
	"fmt"

	"github.com/suffixcl/suffixcl/fmindex"
	"github.com/suffixcl/suffixcl/seqio"
)

// checkRecords returns a *RecordError unless records are parts of a text of n characters that ascend and do not
// overlap.
func checkRecords(records seqio.Table, n int) error {
	end := 0
	for i, r := range records {
		if r.Offset < end || r.Length < 0 || r.Length > n-r.Offset {
			return &RecordError{i, fmt.Sprintf("of %d characters from %d on is not after those before, and in the text of %d", r.Length, r.Offset, n)}
		}
		end = r.End()
	}
	return nil
}

// separatorOf returns the byte that stands between the records of an indexed text, or fmindex.NoSeparator for a text
// of one record. Records must cover the text but for single separators between them, all of the same byte, which no
// record holds. counts are those of the text's bytes.
func separatorOf(text []byte, records seqio.Table, counts *[256]uint64) (int, error) {
	if len(records) == 0 {
		return fmindex.NoSeparator, nil
	}
	if err := checkRecords(records, len(text)); err != nil {
		return 0, err
	}
	separator, at := fmindex.NoSeparator, 0
	for i, r := range records {
		if r.Offset != at {
			return 0, &RecordError{i, fmt.Sprintf("begins at %d: records of an index follow each other, with one separator between them, so it must be %d", r.Offset, at)}
		}
		if i < len(records)-1 {
			switch byteAfter := int(text[r.End()]); {
			case i == 0:
				separator = byteAfter
			case byteAfter != separator:
				return 0, &RecordError{i, fmt.Sprintf("is followed by byte %#02x, and record 0 by %#02x: the separator must be the same", byteAfter, separator)}
			}
			at = r.End() + 1
		} else if at = r.End(); at != len(text) {
			return 0, &RecordError{i, fmt.Sprintf("ends at %d, and the text at %d", at, len(text))}
		}
	}
	if separator != fmindex.NoSeparator && counts[separator] != uint64(len(records)-1) {
		for i, r := range records {
			for k := r.Offset; k < r.End(); k++ {
				if int(text[k]) == separator {
					return 0, &RecordError{i, fmt.Sprintf("holds the separator %#02x, at position %d", separator, k)}
				}
			}
		}
	}
	return separator, nil
}
