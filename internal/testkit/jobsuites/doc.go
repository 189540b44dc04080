// Package jobsuites has suites for the jobs of an engine besides those of suffix arrays, with their oracles: sets,
// orders, searches, intervals, duplicates, genomes, run-length transforms. They are as those of conformance, which has
// the suites for what importers write, too.
package jobsuites

import (
	"context"

	"github.com/suffixcl/suffixcl/conformance"
)

// What suites take and are made of.
type (
	Config = conformance.Config
	Case   = conformance.Case
)

// textSuite is what suites over texts share: an implementation, and the judgement of its results.
type textSuite[R any] struct {
	run   func(ctx context.Context, text []byte) (R, error)
	judge func(text []byte, result R) error
}

func (s textSuite[R]) cases(cfg Config) []Case {
	return conformance.OverTexts(s.run, s.judge, cfg)
}
