package source

import (
	"context"

	"github.com/suffixcl/suffixcl/seqio"
)

// OpenDeviceAndRecords opens text and device, makes sure that the job fits, and reads the
// records of the text for an index. Plain text has none, and no separators.
func (s *Source) OpenDeviceAndRecords(ctx context.Context, name string, dna bool) (
	text []byte, records seqio.Table, err error) {
	if text, err = s.OpenDeviceAndText(ctx, name, s.Flags.RecordOptions(dna)); err != nil {
		return nil, nil, err
	}
	if dna && s.Report.Format == "" {
		foldDNA(text)
	}
	return text, s.Records, nil
}

// foldDNA does to a plain text what seqio does to sequences.
func foldDNA(text []byte) {
	upper(text)
	for i, c := range text {
		if c == 'U' {
			text[i] = 'T'
		}
	}
}
