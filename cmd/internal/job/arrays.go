package job

import (
	"context"

	"github.com/suffixcl/suffixcl"
	"github.com/suffixcl/suffixcl/cmd/internal/sink"
)

// Arrays makes arrays of a file of symbols.
func (j *Job) Arrays(ctx context.Context, data []byte, want suffixcl.Want) (*suffixcl.Result, error) {
	text, err := j.Source.Text(data)
	if err != nil {
		return nil, err
	}
	return j.Engine().Arrays(text, want).All(j.Measured(ctx))
}

// ArrayFile is an array that has an entry for each symbol of the text that was read.
func (j *Job) ArrayFile(width int, out string) sink.File {
	return j.File(int64(j.Report.Bytes/j.Flags.SymbolBytes())*int64(width), out)
}

// File is a result of so many bytes.
func (j *Job) File(bytes int64, out string) sink.File {
	return sink.File{Bytes: bytes, Out: out, Resume: j.Flags.Resume}
}
