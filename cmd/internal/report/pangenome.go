package report

// Pangenome is what the verbs of pangenome tell of an index.
type Pangenome struct {
	Genomes       int              `json:"genomes"` // files
	Sequences     uint64           `json:"sequences"`
	Symbols       uint64           `json:"symbols"` // with an end for each sequence
	Runs          uint64           `json:"runs"`
	Letters       PangenomeLetters `json:"letters"`
	Lengths       string           `json:"lengths"` // the file beside it
	RepeatedNames int              `json:"repeated_names"`
}

// Growth is what is told of an index that has grown.
type Growth struct {
	Pangenome
	Resumed int             `json:"resumed"` // genomes that an earlier run had finished
	Files   []PangenomeFile `json:"files"`
}

// PangenomeFile is a genome that was added.
type PangenomeFile struct {
	File    string  `json:"file"`
	Records int     `json:"records"`
	Letters int     `json:"letters"`
	Seconds float64 `json:"seconds"` // of reading, sorting and merging; of files in one batch, the part by letters
	Runs    *uint64 `json:"runs"`    // of the index after it, where it was written then
}

// PangenomeLetters are the numbers of the letters.
type PangenomeLetters struct {
	A uint64 `json:"a"`
	C uint64 `json:"c"`
	G uint64 `json:"g"`
	T uint64 `json:"t"`
	N uint64 `json:"n"`
}
