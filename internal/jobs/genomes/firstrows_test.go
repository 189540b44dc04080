package genomes_test

import (
	"testing"

	"github.com/suffixcl/suffixcl"
	"github.com/suffixcl/suffixcl/conformance"
	"github.com/suffixcl/suffixcl/internal/testkit/builders"
	"github.com/suffixcl/suffixcl/internal/testkit/enginetest"
	"github.com/suffixcl/suffixcl/internal/testkit/jobsuites"
)

func TestFirstRows(t *testing.T) {
	enginetest.Each(t, suffixcl.Options{}, func(t *testing.T, e *suffixcl.Engine, suite conformance.Config) {
		suite.Tile, suite.Large = 16, 3000
		conformance.Run(t, jobsuites.FirstRows(builders.FirstRowsOf(e), suite))
	})
}
