package verbs

import (
	"github.com/suffixcl/suffixcl/seqio"
)

// bases are A, C, G and T for the bytes of DNA that stand for them, else 0. Where lower case
// is masked, its letters stand for none.
func bases(maskLower bool) *[256]byte {
	var table [256]byte
	for from, to := range map[byte]byte{'A': 'A', 'C': 'C', 'G': 'G', 'T': 'T', 'U': 'T'} {
		if table[from] = to; !maskLower {
			table[from|0x20] = to
		}
	}
	return &table
}

// segments folds the bases of a text, in its memory, and returns their runs: the parts of
// records, or of the text where there are none, that hold bases only. Those of less than
// `least` characters are left out.
func segments(text []byte, records seqio.Table, maskLower bool, least int) seqio.Table {
	if len(records) == 0 {
		records = seqio.Table{{Length: len(text)}}
	}
	var runs seqio.Table
	table := bases(maskLower)
	for _, r := range records {
		start := r.Offset
		for i := r.Offset; i <= r.End(); i++ {
			if i < r.End() && table[text[i]] != 0 {
				text[i] = table[text[i]]
				continue
			}
			if i-start >= max(least, 1) {
				runs = append(runs, seqio.Record{Offset: start, Length: i - start})
			}
			start = i + 1
		}
	}
	return runs
}
