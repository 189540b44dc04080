package verbs

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"github.com/suffixcl/suffixcl/cmd/internal/resume"
	"github.com/suffixcl/suffixcl/internal/cli"
	"github.com/suffixcl/suffixcl/internal/cli/clitest"
)

// A job that was interrupted goes on from the ranges that were finished.
func TestResume(t *testing.T) {
	clitest.NeedDevice(t)
	dir, text := t.TempDir(), clitest.Prose(30000)
	clitest.Put(t, dir, "text", text)
	flags := append([]string{"sa", "text", "-o", "out", "--width", "5", "--resume", "kept"}, inRanges...)
	var r clitest.Result
	for { // until one is interrupted before it ends
		c := clitest.Command(dir, flags...)
		ended := make(chan clitest.Result, 1)
		go func() { ended <- clitest.Finish(t, c) }()
		for len(ended) == 0 && resume.Finished(filepath.Join(dir, "kept")) == 0 {
			time.Sleep(time.Millisecond)
		}
		_ = c.Process.Signal(os.Interrupt)
		if r = <-ended; r.Code != 0 {
			break
		}
		require.NoError(t, os.Remove(filepath.Join(dir, "out")))
	}
	require.Equal(t, cli.ExitInterrupted, r.Code, r.Errors)
	assert.Equal(t, []string{"kept", "text"}, clitest.Files(t, dir))
	r = clitest.Run(t, dir, append(flags, "--max-mem", "700K")...)
	assert.Equal(t, cli.ExitUsage, r.Code, r.Errors)
	assert.Contains(t, r.Errors, "--max-mem")
	r = clitest.Good(t, dir, flags...)
	assert.Regexp(t, `note: [1-9][0-9]* ranges? of [0-9]+ ranges were finished`, r.Errors)
	assert.Equal(t, encode(suffixArray(text), 5), clitest.Get(t, dir, "out"))
	assert.Equal(t, []string{"out", "text"}, clitest.Files(t, dir))
}

// What is finished is kept apart from the files of the user.
func TestResumeKeepsFiles(t *testing.T) {
	clitest.NeedDevice(t)
	dir, text := t.TempDir(), clitest.Prose(30000)
	want := encode(suffixArray(text), 5)
	flags := append([]string{"--width", "5"}, inRanges...)
	for name, data := range map[string][]byte{
		"text": text, "result": []byte("mine"), "lock": nil, "job.json": []byte("{}"),
	} {
		clitest.Put(t, dir, name, data)
	}
	clitest.Good(t, dir, append(flags, "sa", "text", "-o", "out", "--resume", ".")...)
	assert.Equal(t, want, clitest.Get(t, dir, "out"))
	assert.Equal(t, []string{"job.json", "lock", "out", "result", "text"}, clitest.Files(t, dir))
	assert.Equal(t, "mine", string(clitest.Get(t, dir, "result")))

	// A directory that was there stays.
	require.NoError(t, os.Mkdir(filepath.Join(dir, "mine"), 0o777))
	clitest.Good(t, dir, append(flags, "sa", "text", "-o", "out", "--resume", "mine")...)
	assert.DirExists(t, filepath.Join(dir, "mine"))
	clitest.Good(t, dir, append(flags, "sa", "text", "-o", "out", "--resume", "new")...)
	assert.NoDirExists(t, filepath.Join(dir, "new"))

	for _, args := range [][]string{
		{"sa", "text", "-o", resume.ResultFile, "--resume", "."},
		{"sa", "text", "-o", "./kept/" + resume.StateFile, "--resume", "kept"},
		{"sa", resume.ResultFile, "-o", "x", "--resume", "."},
	} {
		clitest.Put(t, dir, resume.ResultFile, text)
		require.NoError(t, os.MkdirAll(filepath.Join(dir, "kept"), 0o777))
		r := clitest.Run(t, dir, append(flags, args...)...)
		assert.Equal(t, cli.ExitUsage, r.Code, r.Errors)
		assert.Contains(t, r.Errors, "keeps the job in")
		assert.Equal(t, text, clitest.Get(t, dir, resume.ResultFile))
	}
	r := clitest.Run(t, dir, append(flags, "sa", "text", "-o", "x", "--resume", ".")...)
	assert.Equal(t, cli.ExitFailed, r.Code, r.Errors)
	assert.Contains(t, r.Errors, "is there without its")
	assert.Equal(t, text, clitest.Get(t, dir, resume.ResultFile))

	// The result goes through a link, and keeps permissions.
	require.NoError(t, os.Mkdir(filepath.Join(dir, "real"), 0o777))
	clitest.Put(t, dir, "real/sa", nil)
	require.NoError(t, os.Chmod(filepath.Join(dir, "real/sa"), 0o600))
	require.NoError(t, os.Symlink("real/sa", filepath.Join(dir, "link")))
	clitest.Good(t, dir, append(flags, "sa", "text", "-o", "link", "--resume", "fresh")...)
	assert.Equal(t, want, clitest.Get(t, dir, "real/sa"))
	info, err := os.Stat(filepath.Join(dir, "real/sa"))
	require.NoError(t, err)
	assert.Equal(t, os.FileMode(0o600), info.Mode().Perm())
}
