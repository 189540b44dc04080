package main

import (
	"testing"

	"github.com/suffixcl/suffixcl/internal/cli/clitest"
)

func TestMain(m *testing.M) {
	clitest.Main(m, ".", rootCommand, "bench", "conformance", "counters", "gate", "tiles")
}

func TestManual(t *testing.T) { clitest.CheckManual(t, rootCommand()) }

func TestHelpAndVersion(t *testing.T) { clitest.CheckHelp(t, rootCommand()) }

func TestUsage(t *testing.T) {
	dir := t.TempDir()
	clitest.Put(t, dir, "empty", nil)
	clitest.CheckUsage(t, dir, [][]string{
		{},
		{"sa", "text"}, // the other command's
		{"help", "fly"},
		{"bench"},
		{"bench", "fly"},
		{"bench", "papers", "--figure", "11"},
		{"bench", "papers", "--repeats", "0"},
		{"bench", "papers", "--sizes", "32"},
		{"bench", "papers", "empty"},
		{"bench", "primitives", "--sizes", "32"},
		{"bench", "repeats"},
		{"bench", "sort", "--algorithm", "bogo"},
		{"bench", "sort", "--runs", "0"},
		{"bench", "sort", "--synthetic", "genome"},
		{"conformance", "-o", "-"},
		{"conformance", "-o", "report.txt"},
		{"conformance", "merge", "empty", "-o", "report"},
		{"plot"},
		{"plot", "speed"},
		{"plot", "speed", "-o", "picture.gif"},
		{"plot", "speed", "text", "-o", "picture.svg"},
		{"plot", "mappability"},
		{"plot", "mappability", "empty", "-o", "picture.png", "--bins", "0"},
		{"plot", "repeats"},
		{"plot", "repeats", "empty"},
		{"plot", "repeats", "empty", "-o", "-"},
		{"plot", "repeats", "empty", "-o", "picture.gif"},
		{"plot", "repeats", "empty", "-o", "picture.png", "--bins", "0"},
		{"plot", "repeats", "empty", "-o", "picture.png", "--length", "-1"},
		{"tune", "text"},
		{"tune", "--only", "quicksort"},
		{"tune", "--size", "32"},
		{"tune", "--size", "-1"},
		{"tune", "--budget", "-1s"},
		{"tune", "--budget", "soon"},
		{"version", "text"},
	}...)
}
