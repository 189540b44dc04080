//go:build unix

package device_test

import (
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/suffixcl/suffixcl/cl"
	"github.com/suffixcl/suffixcl/device"
	"github.com/suffixcl/suffixcl/internal/tuned"
)

// TestHelperHangs: a helper that stops answering is ended, and the session builds what it had begun.
func TestHelperHangs(t *testing.T) {
	for name, script := range map[string]string{
		"before it greets":             "exec sleep 120",
		"at work":                      "read order; echo 'suffixcl helper 1'; read request; exec sleep 120",
		"in a line, and has a process": "read order; echo 'suffixcl helper 1'; read request; printf '{'; sleep 120",
	} {
		t.Run(name, func(t *testing.T) {
			each(t, func(t *testing.T, d *cl.Device) {
				dir := t.TempDir()
				helper, pid := filepath.Join(dir, "helper"), filepath.Join(dir, "pid")
				text := "#!/bin/sh\necho $$ > " + pid + ".new; mv " + pid + ".new " + pid + "\n" + script + "\n"
				require.NoError(t, os.WriteFile(helper, []byte(text), 0o755))
				programs := t.TempDir()
				open(t, d, device.Config{CacheDir: programs}) // else the next starts helpers before it is told how long
				s := open(t, d, device.Config{CacheDir: programs, Helper: helper, Helpers: 1})
				s.LimitHelpers(300*time.Millisecond, 100*time.Millisecond)
				var kernels []*device.Kernel
				for items := range 3 {
					kernels = append(kernels, s.Program(scanSource(items+1)).Kernel("scan_sum", 1))
				}
				start := time.Now()
				tuned.BuildAhead(s)
				started := func() bool { _, err := os.Stat(pid); return err == nil }
				assert.Eventually(t, started, time.Minute, time.Millisecond, "the helper starts")
				for items := range kernels {
					_, err := s.Program(scanSource(items + 1)).Build()
					require.NoError(t, err)
				}
				assert.Less(t, time.Since(start), time.Minute)
				data, err := os.ReadFile(pid)
				require.NoError(t, err)
				id, err := strconv.Atoi(strings.TrimSpace(string(data)))
				require.NoError(t, err)
				gone := func() bool { return syscall.Kill(id, 0) == syscall.ESRCH }
				assert.Eventually(t, gone, time.Minute, 5*time.Millisecond, "the helper is ended")
			})
		})
	}
}

// Helpers that are started before there is work wait for it, and end if none comes.
func TestExpectedBuilds(t *testing.T) {
	each(t, func(t *testing.T, d *cl.Device) {
		for name, next := range map[string]func(s *device.Session){
			"nothing to build": func(s *device.Session) { tuned.Forget(s); tuned.BuildAhead(s) },
			"closed":           func(s *device.Session) { assert.NoError(t, s.Close()) },
		} {
			t.Run(name, func(t *testing.T) {
				dir := t.TempDir()
				helper, log := filepath.Join(dir, "helper"), filepath.Join(dir, "log")
				text := "#!/bin/sh\nread order; echo 'suffixcl helper 1'; echo begun >>" + log +
					"; cat >/dev/null; echo ended >>" + log + "\n"
				require.NoError(t, os.WriteFile(helper, []byte(text), 0o755))
				s := open(t, d, device.Config{CacheDir: t.TempDir(), Helper: helper, Helpers: 1})
				s.ExpectBuilds()
				lines := func() string { data, _ := os.ReadFile(log); return string(data) }
				assert.Eventually(t, func() bool { return lines() == "begun\n" }, 10*time.Second, time.Millisecond)
				time.Sleep(20 * time.Millisecond)
				assert.Equal(t, "begun\n", lines(), "it waits")
				next(s)
				assert.Eventually(t, func() bool { return lines() == "begun\nended\n" }, 10*time.Second, time.Millisecond)
			})
		}
		t.Run("builds", func(t *testing.T) {
			dir := t.TempDir()
			helper, log := filepath.Join(dir, "helper"), filepath.Join(dir, "log")
			text := "#!/bin/sh\nread order; echo 'suffixcl helper 1'; read request; echo \"$request\" >" + log + "\n"
			require.NoError(t, os.WriteFile(helper, []byte(text), 0o755))
			s := open(t, d, device.Config{CacheDir: t.TempDir(), Helper: helper, Helpers: 1})
			s.ExpectBuilds()
			tuned.Forget(s)
			k := s.Program(scanSource(1)).Kernel("scan_partials", 1)
			tuned.BuildAhead(s)
			assert.Eventually(t, func() bool { _, err := os.Stat(log); return err == nil }, 10*time.Second, time.Millisecond)
			assert.NoError(t, k.Make(), "the session builds what a helper has left")
		})
	})
}
