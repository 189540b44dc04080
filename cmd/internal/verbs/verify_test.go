package verbs

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"github.com/suffixcl/suffixcl/cmd/internal/report"
	"github.com/suffixcl/suffixcl/internal/cli"
	"github.com/suffixcl/suffixcl/internal/cli/clitest"
)

func TestVerifyRejects(t *testing.T) {
	clitest.NeedDevice(t)
	dir := t.TempDir()
	text := clitest.Prose(2000)
	right := suffixArray(text)
	rows, primary := transform(text)
	clitest.Put(t, dir, "text", text)
	clitest.Put(t, dir, "right", encode(right, 4))
	clitest.Put(t, dir, "right.bwt", rows)
	clitest.Put(t, dir, "right.bwt.primary", fmt.Appendln(nil, primary))
	clitest.Good(t, dir, "verify", "text", "right", "--bwt", "right.bwt")

	damaged := func(f func(sa []uint64)) []uint64 {
		sa := slices.Clone(right)
		f(sa)
		return sa
	}
	swapped := encode(damaged(func(sa []uint64) { sa[500], sa[501] = sa[501], sa[500] }), 4)
	for name, c := range map[string]struct {
		file  []byte
		width string
		want  string
	}{
		"swapped":     {swapped, "4", "slot 50"},
		"twice":       {encode(damaged(func(sa []uint64) { sa[7] = sa[8] }), 4), "4", "slot"},
		"no position": {encode(damaged(func(sa []uint64) { sa[3] = 2000 }), 4), "4", "slot 3 is not a position"},
		"short":       {encode(right[1:], 4), "4", "7996 bytes.*8000"},
		"long":        {encode(append(slices.Clone(right), 0), 4), "4", "8004 bytes.*8000"},
		"odd":         {encode(right, 4)[1:], "4", "7999 bytes.*8000"},
		"empty":       {nil, "4", "0 bytes.*8000"},
		"other width": {encode(right, 4), "8", "8000 bytes.*16000"},
		"large 5":     {encode(damaged(func(sa []uint64) { sa[1234] |= 1 << 32 }), 5), "5", "slot 1234 holds 429496"},
		"large 8":     {encode(damaged(func(sa []uint64) { sa[1999] |= 1 << 63 }), 8), "8", "slot 1999 holds 92233720368547"},
	} {
		t.Run(name, func(t *testing.T) {
			clitest.Put(t, dir, "wrong", c.file)
			r := clitest.Run(t, dir, "verify", "text", "wrong", "--width", c.width)
			assert.Equal(t, cli.ExitVerify, r.Code, r.Errors)
			assert.Regexp(t, c.want, r.Errors)
			assert.Contains(t, r.Errors, "suffixcl: wrong: not the suffix array of ")
			assert.Empty(t, r.Out)

			pipe := clitest.Command(dir, "verify", "text", "-", "--width", c.width, "-q")
			pipe.Stdin = bytes.NewReader(c.file)
			r = clitest.Finish(t, pipe)
			assert.Equal(t, cli.ExitVerify, r.Code, r.Errors)
			assert.Equal(t, 1, strings.Count(r.Errors, "\n"))
			assert.True(t, strings.HasPrefix(r.Errors, "suffixcl: standard input: not the suffix array of "), r.Errors)
		})
	}
	for name, c := range map[string]struct {
		file    []byte
		primary int
		want    string
	}{
		"byte":    {append([]byte{rows[0] ^ 1}, rows[1:]...), primary, "wrong.bwt: not the .* of text: slot 0 holds 0x"},
		"primary": {rows, primary + 1, fmt.Sprintf("wrong.bwt: .* of text has primary index %d instead", primary+1)},
		"short":   {rows[1:], primary, "1999 bytes.*2000"},
		"long":    {append(bytes.Clone(rows), 0), primary, "2001 bytes.*2000"},
	} {
		t.Run("bwt "+name, func(t *testing.T) {
			clitest.Put(t, dir, "wrong.bwt", c.file)
			r := clitest.Run(t, dir, "verify", "text", "right", "--bwt", "wrong.bwt", "--primary", fmt.Sprint(c.primary))
			assert.Equal(t, cli.ExitVerify, r.Code, r.Errors)
			assert.Regexp(t, c.want, r.Errors)
		})
	}
	clitest.Put(t, dir, "wrong", swapped)
	r := clitest.Run(t, dir, "verify", "text", "wrong", "--json")
	assert.Equal(t, cli.ExitVerify, r.Code)
	var report report.Report
	require.NoError(t, json.Unmarshal([]byte(r.Out), &report))
	require.NotNil(t, report.OK)
	assert.False(t, *report.OK)
	assert.Contains(t, report.Reason, "slot 50")
}
