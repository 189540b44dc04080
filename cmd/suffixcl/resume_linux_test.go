package main

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/suffixcl/suffixcl/internal/cli"
	"github.com/suffixcl/suffixcl/internal/cli/clitest"
)

// A job that was interrupted goes on from the ranges that were finished.
func TestResume(t *testing.T) {
	clitest.NeedDevice(t)
	dir, text := t.TempDir(), clitest.Prose(30000)
	clitest.Put(t, dir, "text", text)
	flags := append([]string{"sa", "text", "-o", "out", "--width", "5", "--resume", "kept"}, inRanges...)
	c := clitest.Command(dir, flags...)
	ended := make(chan clitest.Result, 1)
	go func() { ended <- clitest.Finish(t, c) }()
	require.Eventually(t, func() bool {
		_, err := os.Stat(filepath.Join(dir, "kept", "job.json"))
		return err == nil
	}, time.Minute, time.Millisecond)
	require.NoError(t, c.Process.Signal(os.Interrupt))
	r := <-ended
	assert.Equal(t, cli.ExitInterrupted, r.Code, r.Errors)
	assert.Equal(t, []string{"kept", "text"}, clitest.Files(t, dir))
	r = clitest.Run(t, dir, append(flags, "--max-mem", "700K")...)
	assert.Equal(t, cli.ExitUsage, r.Code, r.Errors)
	assert.Contains(t, r.Errors, "--max-mem")
	r = clitest.Good(t, dir, flags...)
	assert.Regexp(t, `note: [1-9][0-9]* ranges? of [0-9]+ ranges were finished`, r.Errors)
	assert.Equal(t, encode(suffixArray(text), 5), clitest.Get(t, dir, "out"))
	assert.Equal(t, []string{"out", "text"}, clitest.Files(t, dir))
}
