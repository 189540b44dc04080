package star

import (
	"os"

	"github.com/suffixcl/suffixcl/formats/internal/indexfiles"
	"github.com/suffixcl/suffixcl/seqio"
)

// NewPlain is New without options.
func NewPlain(b *seqio.Batch) (*Reference, error) { return New(b, Options{}) }

// Folder is one that was read.
type Folder struct{}

// Read reads a folder.
func Read(prefix string) (*Folder, error) {
	if _, err := os.Stat(prefix + genomeFile); err != nil {
		return nil, &indexfiles.Error{File: prefix + genomeFile, Offset: -1, Why: "is not there"}
	}
	return &Folder{}, nil
}
