package main

import (
	"bytes"
	"encoding/csv"
	"encoding/xml"
	"io"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"github.com/suffixcl/suffixcl/internal/cli"
	"github.com/suffixcl/suffixcl/internal/cli/clitest"
)

func TestBenchRepeats(t *testing.T) {
	clitest.NeedDevice(t)
	dir := t.TempDir()
	clitest.Put(t, dir, "text", clitest.Prose(2000))
	r := clitest.Good(t, dir, "bench", "repeats", "text", "--sizes", "1000", "--out", "new/out", "--runs", "1",
		"--sequential")
	for _, title := range []string{"Table 2", "Figure 4", "Table 3", "Table 4", "device bounded", "end to end"} {
		assert.Contains(t, r.Out, title)
	}
	assert.Contains(t, r.Errors, "text, 1000 characters")
	rows, err := csv.NewReader(bytes.NewReader(clitest.Get(t, dir, "new/out/figure4.csv"))).ReadAll()
	require.NoError(t, err)
	assert.Len(t, rows, 1+2*(5+6+4))
	assert.NoError(t, wellFormed(clitest.Get(t, dir, "new/out/figure4-all-text.svg")))
	for _, args := range [][]string{{}, {"text", "--sizes", "many"}} {
		assert.Equal(t, cli.ExitUsage, clitest.Run(t, dir, append([]string{"bench", "repeats"}, args...)...).Code)
	}
	assert.Equal(t, cli.ExitFailed, clitest.Run(t, dir, "bench", "repeats", "missing").Code)
}

func wellFormed(text []byte) error {
	d := xml.NewDecoder(bytes.NewReader(text))
	for {
		if _, err := d.Token(); err == io.EOF {
			return nil
		} else if err != nil {
			return err
		}
	}
}
