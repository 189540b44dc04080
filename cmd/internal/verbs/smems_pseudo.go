package verbs

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"

	"github.com/suffixcl/suffixcl"
	"github.com/suffixcl/suffixcl/cmd/internal/job"
	"github.com/suffixcl/suffixcl/device"
	"github.com/suffixcl/suffixcl/formats"
)

// runFiles is what the description calls runs and thresholds.
const runFiles = "movi"

// openRuns opens the files of runs and thresholds.
func (x *smemIndex) openRuns(j *job.Job) (err error) {
	var names []string
	for _, suffix := range formats.Movi.Suffixes() {
		names = append(names, x.name+suffix)
	}
	x.runs, err = openIndexes(names...)
	if errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("%w; \"suffixcl pangenome thresholds\" makes it", err)
	}
	if err != nil {
		return err
	}
	j.Report.OfKind(runFiles)
	for _, file := range x.runs.sections {
		j.Report.Bytes += int(file.Size())
	}
	return nil
}

// planPseudoLengths plans searches in the runs of a text without letters.
func planPseudoLengths(ctx context.Context, e *suffixcl.Engine, n int) (device.MemoryPlan, error) {
	o := suffixcl.SMEMOptions{Letters: n, Queries: 1}
	for k, file := range []string{"\x00", "\x01\x00\x00\x00\x00", "\x00\x00\x00\x00\x00"} {
		o.Runs[k] = io.NewSectionReader(bytes.NewReader([]byte(file)), 0, int64(len(file)))
	}
	return e.SMEMs(o).Plan(ctx)
}
