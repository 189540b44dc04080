// Package arrays runs the jobs that make an array of a text: in one piece, or in ranges.
package arrays

import (
	"context"
	"io"

	"github.com/suffixcl/suffixcl/cmd/internal/job"
	"github.com/suffixcl/suffixcl/cmd/internal/sink"
)

// Run is a job that makes an array of a text, the first of its inputs.
func Run(ctx context.Context, j *job.Job, inputs []string, outName string, width int,
	compute func(j *job.Job, text []byte) ([]uint32, error)) error {
	defer j.Close()
	return j.Sink.Result(ctx, outName, inputs, func() (func(io.Writer) error, error) {
		text, err := j.Source.OpenDeviceAndText(ctx, inputs[0], j.Flags.Options())
		if err != nil {
			return nil, err
		}
		j.Report.Width = width
		if err := j.ArrayFile(width, outName).CheckRoom(); err != nil {
			return nil, err
		}
		array, err := compute(j, text)
		return func(w io.Writer) error { return sink.WriteArray(w, array, width, j.Session.Progress.Of("write")) }, err
	})
}
