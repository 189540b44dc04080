package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"golang.org/x/sys/unix"

	"github.com/suffixcl/suffixcl/internal/cli"
	"github.com/suffixcl/suffixcl/internal/cli/clitest"
)

// finishedIn are the bytes of ranges that a directory keeps.
func finishedIn(dir string) int64 {
	var kept keptJob
	data, err := os.ReadFile(filepath.Join(dir, keptState))
	if err != nil || json.Unmarshal(data, &kept) != nil {
		return 0
	}
	return kept.finished()
}

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
		return finishedIn(filepath.Join(dir, "kept")) > 0
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
		{"sa", "text", "-o", keptResult, "--resume", "."}, {"sa", "text", "-o", "./kept/" + keptState, "--resume", "kept"},
		{"sa", keptResult, "-o", "x", "--resume", "."},
	} {
		clitest.Put(t, dir, keptResult, text)
		require.NoError(t, os.MkdirAll(filepath.Join(dir, "kept"), 0o777))
		r := clitest.Run(t, dir, append(flags, args...)...)
		assert.Equal(t, cli.ExitUsage, r.Code, r.Errors)
		assert.Contains(t, r.Errors, "keeps the job in")
		assert.Equal(t, text, clitest.Get(t, dir, keptResult))
	}
	r := clitest.Run(t, dir, append(flags, "sa", "text", "-o", "x", "--resume", ".")...)
	assert.Equal(t, cli.ExitFailed, r.Code, r.Errors)
	assert.Contains(t, r.Errors, "is there without its")
	assert.Equal(t, text, clitest.Get(t, dir, keptResult))

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

// A job is kept in a directory of the user's own, into which nobody else can put files; links there are not followed.
func TestResumeOwn(t *testing.T) {
	job := resumedJob{Verb: "sa", Width: 5, Bytes: 6, Checksum: checksum([]byte("banana")), Device: "D"}
	dir := t.TempDir()
	clitest.Put(t, dir, "precious", []byte("mine"))
	kept := filepath.Join(dir, "kept")
	for _, mode := range []os.FileMode{0o777, 0o775, 0o757 | os.ModeSticky} {
		require.NoError(t, os.MkdirAll(kept, 0o755))
		require.NoError(t, os.Chmod(kept, mode))
		_, err := openResumption(kept, job)
		require.ErrorContains(t, err, "other users can write to the directory", "%v", mode)
	}
	require.NoError(t, os.Chmod(kept, 0o755))
	for _, name := range []string{keptLock, keptState, keptResult} {
		for what, plant := range map[string]func(name string) error{
			"is a symbolic link": func(name string) error { return os.Symlink("../precious", name) },
			"is no regular file": func(name string) error { return unix.Mkfifo(name, 0o666) },
		} {
			require.NoError(t, plant(filepath.Join(kept, name)))
			_, err := openResumption(kept, job)
			require.ErrorContains(t, err, what, name)
			require.ErrorContains(t, err, name)
			require.NoError(t, os.RemoveAll(kept))
			require.NoError(t, os.Mkdir(kept, 0o755))
		}
	}
	assert.Equal(t, "mine", string(clitest.Get(t, dir, "precious")))
	require.NoError(t, os.Symlink("kept", filepath.Join(dir, "link")))
	r, err := openResumption(filepath.Join(dir, "link"), job) // one of the user's own
	require.NoError(t, err)
	r.close()

	if os.Geteuid() == 0 {
		require.NoError(t, os.Chown(kept, 1, 1))
		_, err := openResumption(kept, job)
		require.ErrorContains(t, err, "the directory belongs to another user")
		require.NoError(t, os.Chown(kept, 0, 0))
		clitest.Put(t, kept, keptResult, nil)
		require.NoError(t, os.Chown(filepath.Join(kept, keptResult), 1, 1))
		_, err = openResumption(kept, job)
		require.ErrorContains(t, err, keptResult+" belongs to another user")
	}

	// A directory that is made is one, whatever the umask.
	defer unix.Umask(unix.Umask(0))
	for range 2 {
		r, err := openResumption(filepath.Join(dir, "new"), job)
		require.NoError(t, err)
		r.kept.State.First = 1 // so that it stays
		r.close()
	}
}
