// Package source reads what verbs compute on: texts, records, sets, genomes, queries,
// arrays and indexes.
package source

import (
	"context"

	"github.com/suffixcl/suffixcl/cmd/internal/operation"
	"github.com/suffixcl/suffixcl/cmd/internal/options"
	"github.com/suffixcl/suffixcl/cmd/internal/report"
	"github.com/suffixcl/suffixcl/cmd/internal/session"
	"github.com/suffixcl/suffixcl/internal/cli"
	"github.com/suffixcl/suffixcl/internal/hooks"
	"github.com/suffixcl/suffixcl/internal/tuned"
	"github.com/suffixcl/suffixcl/seqio"
)

// Source reads what a verb computes on, and reports what that is. It opens the device while it reads.
type Source struct {
	Flags   *options.Job
	Session *session.Session
	Planner *operation.Planner // which tells whether a text fits, before it is read
	Report  *report.Report

	Records seqio.Table      // of the text, if cli.InputOptions.KeepRecords
	Options cli.InputOptions // of the text, as it was opened

	queries *queryFile // being read, until Stream takes it over; or nil
}

// aheadBytes is how much is read while the device opens, before it is known whether the job fits.
const aheadBytes = 256 << 20

// OpenDeviceAndText opens text and device, makes sure that the job fits, and reads the text.
func (s *Source) OpenDeviceAndText(ctx context.Context, name string, o cli.InputOptions) ([]byte, error) {
	in, err := s.OpenDeviceReading(ctx, name, o)
	if err != nil {
		return nil, err
	}
	defer in.Close()
	return s.ReadText(ctx, in)
}

// ReadText reads a text, once it is sure that the job fits.
func (s *Source) ReadText(ctx context.Context, in *cli.Input) (text []byte, err error) {
	defer hooks.Begin("read")()
	err = cli.Timed(&s.Report.Seconds.Read, func() error {
		text, err = in.ReadAll(ctx, func(n int64) error {
			err := s.Planner.Fits(n)
			if err == nil && n == in.Length { // else it is not known yet, and neither is what sorts it
				tuned.BuildAhead(s.Session.Device)
			}
			return err
		}, s.Session.Progress.Of("read"))
		return err
	})
	s.Report.Bytes, s.Report.Records, s.Records = len(text), in.RecordCount, in.Records
	return text, err
}

// OpenDeviceAndMeasure opens text and device, and finds out the length of the text and its records, if they are to
// be kept.
func (s *Source) OpenDeviceAndMeasure(ctx context.Context, name string, o cli.InputOptions) (seqio.Table, error) {
	in, err := s.OpenDeviceAndInput(ctx, name, o)
	if err != nil {
		return nil, err
	}
	defer in.Close()
	n, err := in.Measure(ctx)
	s.Report.Bytes, s.Report.Records = int(n), in.RecordCount
	return in.Records, err
}

// OpenDeviceAndInput opens text and device.
func (s *Source) OpenDeviceAndInput(ctx context.Context, name string, o cli.InputOptions) (*cli.Input, error) {
	return s.openDeviceAhead(ctx, name, o, 0)
}

// OpenDeviceReading opens text and device, and reads the text meanwhile. So its bytes are all that may be read of it,
// and not its records.
func (s *Source) OpenDeviceReading(ctx context.Context, name string, o cli.InputOptions) (*cli.Input, error) {
	return s.openDeviceAhead(ctx, name, o, aheadBytes)
}

// openDeviceAhead opens a text, reports what it is, and opens the device while so many bytes of the text are read.
func (s *Source) openDeviceAhead(
	ctx context.Context, name string, o cli.InputOptions, ahead int64,
) (*cli.Input, error) {
	in, err := cli.OpenText(ctx, name, o)
	if err != nil {
		return nil, err
	}
	s.Options = o
	s.Report.Of(in, o.Raw)
	s.Notes(in)
	in.ReadAhead(ahead)
	if err := s.Session.OpenDevice(); err != nil {
		in.Close()
		return nil, err
	}
	return in, nil
}

// Reading opens a file whose bytes are taken as they are, and begins to read it.
func (s *Source) Reading(ctx context.Context, name string) (*cli.Input, error) {
	in, err := cli.OpenRaw(ctx, name)
	if err == nil {
		in.ReadAhead(aheadBytes)
	}
	return in, err
}

// Notes tells people what is odd about a file.
func (s *Source) Notes(in *cli.Input) {
	for _, note := range in.Notes {
		s.Session.Note("%s %s", in.Name, note)
	}
}

// NoteReads tells of a reference that looks like reads.
func (s *Source) NoteReads() {
	if s.Report.Format == seqio.FASTQ.String() {
		s.Session.Note("%s is FASTQ, as reads are: the reference comes first, then what is looked for in it", s.Report.File)
	}
}

// queriesFrom reports a file of queries: of several the first.
func (s *Source) queriesFrom(in *cli.Input) {
	if s.Report.QueryFile == nil {
		s.Report.QueryFile = report.FileOfQueries(in)
	}
	s.Notes(in)
}
