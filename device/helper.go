package device

import (
	"bufio"
	"encoding/json"
	"errors"
	"io"
	"os/exec"
	"strings"
	"time"

	"github.com/suffixcl/suffixcl/internal/driver"
)

// helperVerb is the argument with which the command of Config.Helper is a helper.
const helperVerb = "build-programs"

// HelpersVariable names the environment variable with the number of helpers, if Config.Helpers is 0.
const HelpersVariable = "SUFFIXCL_HELPERS"

// greeting is the first line of a helper, by which it is known to be one of this version.
const greeting = "suffixcl helper 1"

// greetingLimit is how long a helper may take to start: opening a device takes 0.3 s, one process after the other.
const greetingLimit = 20 * time.Second

// order is the first line to a helper: the device, and where programs go.
type order struct {
	Identity string `json:"identity"` // of the builder; another device, driver or version is refused
	Cache    string `json:"cache"`    // directory, or empty where the driver keeps them
}

// request has a program built.
type request struct {
	Key      string        `json:"key"` // of the cache
	Text     string        `json:"text"`
	Resident int           `json:"resident,omitempty"`
	Binary   []byte        `json:"binary,omitempty"`  // to be assembled in place of Text, unless the driver refuses it
	Kernels  []kernelShape `json:"kernels,omitempty"` // to be launched for nothing: see withRehearsal
}

type kernelShape struct {
	Name string `json:"name"`
	WG   int    `json:"wg"`
}

// reply tells that a program is built, and kept.
type reply struct {
	Key   string `json:"key"`
	Error string `json:"error,omitempty"`
}

// helper is a process that builds programs.
type helper struct {
	command *exec.Cmd
	in      io.WriteCloser
	out     *bufio.Reader
	pipe    io.Closer // of out
}

var errNoHelper = errors.New("device: the helper is not of this program")

// startHelper starts a process, which has so long to greet. Its messages go nowhere: what it does not do, the session
// does, and fails with the reason.
func startHelper(name string, o order, limit time.Duration) (_ *helper, err error) {
	h := &helper{command: exec.Command(name, helperVerb)}
	if h.in, err = h.command.StdinPipe(); err != nil {
		return nil, err
	}
	out, err := h.command.StdoutPipe()
	if err != nil {
		return nil, err
	}
	h.out, h.pipe = bufio.NewReader(out), out
	if err := h.command.Start(); err != nil {
		return nil, err
	}
	if err := json.NewEncoder(h.in).Encode(o); err != nil {
		h.close(true)
		return nil, err
	}
	line, err := h.line(limit)
	if err == nil && line != greeting {
		err = errNoHelper
	}
	if err != nil {
		h.close(true)
		return nil, err
	}
	return h, nil
}

// line reads a line, or ends the process if that takes too long. The pipe is closed as well: processes that the helper
// has started may keep it open.
func (h *helper) line(limit time.Duration) (string, error) {
	timer := time.AfterFunc(limit, func() {
		_ = h.command.Process.Kill()
		_ = h.pipe.Close()
	})
	defer timer.Stop()
	line, err := h.out.ReadString('\n')
	return strings.TrimSuffix(line, "\n"), err
}

// build has a program built. An error is that of the process, which is of no use any more.
func (h *helper) build(r request, limit time.Duration) error {
	if err := json.NewEncoder(h.in).Encode(r); err != nil {
		return err
	}
	line, err := h.line(limit)
	if err != nil {
		return err
	}
	var answer reply
	if err := json.Unmarshal([]byte(line), &answer); err != nil || answer.Key != r.Key {
		return errNoHelper
	}
	return nil
}

// close has the process end, at once or after what it does.
func (h *helper) close(kill bool) {
	if h == nil {
		return
	}
	if kill {
		_ = h.command.Process.Kill()
	}
	_ = h.in.Close()
	_ = h.command.Wait()
}

// helpersFor is how many helpers gain on a driver, if they are not too many for the processors.
//   - NVIDIA: a lock lets one thread of a process compile; four processes take a third of the time of one. More gain
//     nothing, since each takes 0.3 s to open the device, one after the other.
//   - PoCL: a lock as well; the compiler has all processors to itself.
//   - Others have not been measured.
func helpersFor(c *Caps, processors int) int {
	switch {
	case c.Vendor == driver.NVIDIA:
		return min(4, processors)
	case c.rehearses():
		return min(4, processors-1)
	}
	return 0
}
