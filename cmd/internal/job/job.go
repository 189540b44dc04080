// Package job is one run of a verb that computes on a text, with its parts: session,
// source, sink and report.
package job

import (
	"context"

	"github.com/suffixcl/suffixcl"
	"github.com/suffixcl/suffixcl/cmd/internal/operation"
	"github.com/suffixcl/suffixcl/cmd/internal/options"
	"github.com/suffixcl/suffixcl/cmd/internal/report"
	"github.com/suffixcl/suffixcl/cmd/internal/session"
	"github.com/suffixcl/suffixcl/cmd/internal/sink"
	"github.com/suffixcl/suffixcl/cmd/internal/source"
)

// Job is one run of a verb that computes on a text: the devices, what is read, where the result goes, and what is told
// about the work.
type Job struct {
	Flags   *options.Job
	Session *session.Session
	Planner *operation.Planner
	Source  *source.Source
	Sink    *sink.Sink
	Report  *report.Report
}

// New begins the work of a verb. Close must be called.
func New(verb string, flags *options.Job, op operation.Operation) *Job {
	r := report.New(verb)
	s := session.New(flags, &r.Seconds)
	p := &operation.Planner{Session: s, Op: op}
	return &Job{Flags: flags, Session: s, Planner: p, Report: r,
		Source: &source.Source{Flags: flags, Session: s, Planner: p, Report: r},
		Sink:   &sink.Sink{Flags: flags, Session: s, Report: r}}
}

// Close releases the devices and takes the progress off the screen.
func (j *Job) Close() { j.Session.Close() }

// Engine is that of the device, once it is open.
func (j *Job) Engine() *suffixcl.Engine { return j.Session.Engine }

// Measured is the context for calls of the engine, whose statistics the report has.
func (j *Job) Measured(ctx context.Context) context.Context { return j.Session.Measured(ctx) }
