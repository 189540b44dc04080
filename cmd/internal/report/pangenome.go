package report

// Pangenome is what the verbs of pangenome tell of an index.
type Pangenome struct {
	Genomes       int              `json:"genomes"` // files
	Resumed       int              `json:"resumed"` // of them, by an earlier run
	Sequences     uint64           `json:"sequences"`
	Symbols       uint64           `json:"symbols"` // with an end for each sequence
	Runs          uint64           `json:"runs"`
	Letters       PangenomeLetters `json:"letters"`
	Lengths       string           `json:"lengths"` // the file beside it
	RepeatedNames int              `json:"repeated_names"`
}

// PangenomeLetters are the numbers of the letters.
type PangenomeLetters struct {
	A uint64 `json:"a"`
	C uint64 `json:"c"`
	G uint64 `json:"g"`
	T uint64 `json:"t"`
	N uint64 `json:"n"`
}
