package report

// SMEMs is what is told of matches of reads.
type SMEMs struct {
	Reads   int          `json:"reads"`
	Bases   int64        `json:"bases"`
	Covered int64        `json:"covered_bases"` // that are in a match
	Matches int64        `json:"matches"`
	Written int          `json:"written_reads"` // by --keep or --drop
	Lengths []SMEMLength `json:"lengths"`       // how many matches are that long, ascending
}

// SMEMLength are the matches of lengths from Least to twice that, less one.
type SMEMLength struct {
	Least   int   `json:"least"`
	Matches int64 `json:"matches"`
}
