package cli

import (
	"bufio"
	"bytes"
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"sync/atomic"
	"time"

	"github.com/spf13/cobra"

	"github.com/suffixcl/suffixcl/device"
	"github.com/suffixcl/suffixcl/internal/hooks"
	"github.com/suffixcl/suffixcl/internal/tuned"
)

// tryVerb is the argument with which a command loads drivers for another process of it.
const tryVerb = "try-drivers"

// tryLimit is how long a driver may take to be loaded. NVIDIA's takes a second on a host of four GPUs.
const tryLimit = 20 * time.Second

// TryDrivers has drivers of OpenCL that no loader is told of loaded by a process of this command first, whose path is
// given: a driver may end the process that loads it. Those that did not are remembered in the user's cache directory,
// and are not tried again until their files change.
func TryDrivers(command string) {
	if command != "" {
		hooks.Drivers.Try = func(list []hooks.Driver) map[string]error { return tryDrivers(command, list) }
	}
}

// NoteDrivers tells of drivers that are there and not used.
func NoteDrivers() {
	for _, why := range hooks.LeftOut() {
		Tell("suffixcl: note: %v\n", why)
	}
}

// NoteCaches tells what is not used of the places of programs.
func NoteCaches(s *device.Session) {
	for _, note := range tuned.CacheNotes(s) {
		Tell("suffixcl: note: %s\n", note)
	}
}

// tryDrivers returns which drivers end a process, by their names. After one that does the next process goes on.
func tryDrivers(command string, list []hooks.Driver) map[string]error {
	bad := make(map[string]error)
	var unknown []hooks.Driver
	for _, d := range list {
		if _, err := os.Stat(triedFile(d)); err != nil {
			unknown = append(unknown, d)
		}
	}
	for len(unknown) > 0 {
		done, begun, err := tryInProcess(command, unknown)
		for _, i := range done {
			remember(unknown[i])
		}
		if err == nil || begun < 0 { // or the process is none of this command: then nothing is known
			break
		}
		bad[unknown[begun].Name] = err
		unknown = unknown[begun+1:]
	}
	return bad
}

// tryInProcess starts a process that loads drivers. It returns those that it has loaded, or refused, and the one that
// ended it, or -1.
func tryInProcess(command string, list []hooks.Driver) (done []int, begun int, err error) {
	c := exec.Command(command, tryVerb)
	for _, d := range list {
		c.Args = append(c.Args, d.Name)
	}
	var errs bytes.Buffer
	c.Stderr = &errs
	c.WaitDelay = time.Second
	out, err := c.StdoutPipe()
	if err != nil {
		return nil, -1, err
	}
	if err := c.Start(); err != nil {
		return nil, -1, err
	}
	var late atomic.Bool
	timer := time.AfterFunc(tryLimit, func() {
		late.Store(true)
		_ = c.Process.Kill()
		_ = out.Close() // which what the driver has started may keep open
	})
	begun = -1
	for lines := bufio.NewScanner(out); lines.Scan(); {
		var word string
		var i int
		if n, _ := fmt.Sscanf(lines.Text(), "driver %d %s", &i, &word); n < 2 || i < 0 || i >= len(list) {
			continue // of a driver
		}
		timer.Reset(tryLimit)
		switch word {
		case "begins":
			begun = i
		case "ends":
			done, begun = append(done, i), -1
		}
	}
	timer.Stop()
	err = c.Wait()
	switch {
	case begun < 0:
		return done, begun, nil
	case late.Load():
		return done, begun, fmt.Errorf("it was not loaded within %v", tryLimit)
	case err == nil:
		return done, begun, errors.New("it ends the process that loads it")
	}
	reason := err.Error()
	if signal := signalName.Find(errs.Bytes()); signal != nil {
		reason = string(signal)
	}
	return done, begun, fmt.Errorf("it ends the process that loads it: %s", reason)
}

// signalName is what Go tells of a signal that ends a process.
var signalName = regexp.MustCompile(`SIG[A-Z]{2,}`)

// triedFile is there if a driver was tried. Its name tells versions of the driver's file apart.
func triedFile(d hooks.Driver) string {
	dir, err := os.UserCacheDir()
	if err != nil {
		return ""
	}
	info, err := os.Stat(d.File)
	if err != nil {
		return ""
	}
	sum := sha256.Sum256(fmt.Appendf(nil, "%s\x00%d\x00%d", d.File, info.Size(), info.ModTime().UnixNano()))
	return filepath.Join(dir, "suffixcl", "drivers", fmt.Sprintf("%x", sum[:16]))
}

// remember notes that a driver ends no process. That it cannot be noted is no error: it is tried again.
func remember(d hooks.Driver) {
	if file := triedFile(d); file != "" && os.MkdirAll(filepath.Dir(file), 0o755) == nil {
		_ = os.WriteFile(file, []byte(d.File+"\n"), 0o644)
	}
}

// tryCommand is the work of the other process.
func tryCommand() *cobra.Command {
	return &cobra.Command{
		Use:    tryVerb + " DRIVER...",
		Short:  "Load drivers for another process of this command",
		Args:   cobra.ArbitraryArgs,
		Hidden: true,
		RunE: Work(func(_ context.Context, names []string) error {
			if hooks.Drivers.Load == nil {
				return errors.New("there is nothing to load drivers with")
			}
			tell := func(i int, word string) { fmt.Printf("\ndriver %d %s\n", i, word) }
			hooks.Drivers.Load(names, func(i int) { tell(i, "begins") }, func(i int) { tell(i, "ends") })
			return nil
		}),
	}
}
