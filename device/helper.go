package device

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"iter"
	"os/exec"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/suffixcl/suffixcl/cl"
	"github.com/suffixcl/suffixcl/internal/driver"
	"github.com/suffixcl/suffixcl/internal/hooks"
)

// helperVerb is the argument with which the command of Config.Helper is a helper.
const helperVerb = "build-programs"

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

// serveBuilds is the work of a helper: it reads an order and requests, and writes replies, until the requests end.
func serveBuilds(in io.Reader, out io.Writer) error {
	requests := json.NewDecoder(in)
	var o order
	if err := requests.Decode(&o); err != nil {
		return fmt.Errorf("device: a helper is started by a session: %w", err)
	}
	b, err := openBuilder(o)
	if err != nil {
		return err
	}
	defer b.context.Release()
	if _, err := fmt.Fprintln(out, greeting); err != nil {
		return err
	}
	replies := json.NewEncoder(out)
	for {
		var r request
		if err := requests.Decode(&r); errors.Is(err, io.EOF) {
			return nil
		} else if err != nil {
			return err
		}
		answer := reply{Key: r.Key}
		if err := b.serve(r); err != nil {
			answer.Error = err.Error()
		}
		if err := replies.Encode(answer); err != nil {
			return err
		}
	}
}

// openBuilder opens the device of an order. Of several that are the same any will do.
func openBuilder(o order) (*builder, error) {
	devices, err := List()
	if err != nil {
		return nil, err
	}
	for _, d := range devices {
		caps := identify(d)
		b := newBuilder(&caps, d.Platform().Version(), "off")
		if b.identity != o.Identity {
			continue
		}
		b.disk = diskCache{dir: o.Cache, limit: cacheLimit}
		b.device = d
		b.context, err = cl.CreateContext([]*cl.Device{d})
		return &b, err
	}
	return nil, noDevice{fmt.Errorf("no device is %q", o.Identity)}
}

// serve builds a program and leaves it in the cache, or launches its kernels for the driver's.
func (b *builder) serve(r request) error {
	defer hooks.Begin("program " + strings.Join(filesOf(r.Text), "+"))()
	p, err := b.compile(r.Text, r.Resident)
	if err != nil {
		return err
	}
	defer p.Release()
	if b.disk.dir != "" {
		binary, err := p.Binary(b.device)
		if err != nil {
			return err
		}
		b.disk.store(r.Key, binary)
	}
	return b.rehearse(p, r.Kernels)
}

// filesOf are the files of an assembled text, but for those that all have.
func filesOf(text string) (names []string) {
	for line := range strings.Lines(text) {
		name, ok := strings.CutPrefix(line, `#line 1 "`)
		if name = strings.TrimSuffix(name, "\"\n"); ok && strings.HasSuffix(name, ".cl") && name != "common.cl" {
			names = append(names, name)
		}
	}
	return names
}

// rehearse launches kernels for nothing: they end at once in three dimensions (see rehearsable).
func (b *builder) rehearse(p *cl.Program, kernels []kernelShape) error {
	if len(kernels) == 0 {
		return nil
	}
	q, err := b.context.CreateCommandQueue(b.device, 0)
	if err != nil {
		return err
	}
	defer q.Release()
	for _, shape := range kernels {
		if err := launchNothing(q, p, shape); err != nil {
			return err
		}
	}
	return q.Finish()
}

func launchNothing(q *cl.CommandQueue, p *cl.Program, shape kernelShape) error {
	k, err := p.CreateKernel(shape.Name)
	if err != nil {
		return err
	}
	defer k.Release()
	for i := range k.NumArgs() {
		if err := setNothing(k, i); err != nil {
			return err
		}
	}
	size := []int{shape.WG, 1, 1}
	if err := q.EnqueueNDRangeKernelNoEvent(k, nil, size, size, nil); err != nil {
		return err
	}
	return q.Finish()
}

// setNothing sets an argument to NULL, or to a 0 of its size.
func setNothing(k *cl.Kernel, i int) (err error) {
	for _, nothing := range []any{(*cl.MemObject)(nil), uint32(0), uint64(0), uint8(0), uint16(0)} {
		if err = k.SetArg(i, nothing); err == nil {
			return nil
		}
	}
	return err
}

// rehearsable is where a text begins a kernel, after the name of its attribute.
var rehearsable = regexp.MustCompile(`^\(\w+\) (\w+)\((?:[^(){}]|\([^(){}]*\))*\)\s*\{`)

const kernelAttribute = "KERNEL_WG"

// kernelsOf goes through the kernels of a text: their names, and where their bodies begin. Most lines begin no kernel,
// and need no regular expression.
func kernelsOf(text string) iter.Seq2[string, int] {
	return func(yield func(string, int) bool) {
		for i := 0; ; {
			next := strings.Index(text[i:], kernelAttribute)
			if next < 0 {
				return
			}
			start := i + next
			i = start + len(kernelAttribute)
			if start > 0 && text[start-1] != '\n' {
				continue
			}
			at := rehearsable.FindStringSubmatchIndex(text[i:])
			if at == nil {
				continue
			}
			name := text[i+at[2] : i+at[3]]
			if i += at[1]; !yield(name, i) {
				return
			}
		}
	}
}

// withRehearsal returns a text whose kernels end at once if they are launched in three dimensions. PoCL compiles a
// kernel when it is launched, and not otherwise: so a helper can have it done. It has nothing to do with the result of
// other launches, which have one dimension.
func withRehearsal(text string) string {
	var b strings.Builder
	from := 0
	for _, body := range kernelsOf(text) {
		b.WriteString(text[from:body])
		b.WriteString(" " + rehearsal)
		from = body
	}
	b.WriteString(text[from:])
	return b.String()
}

const rehearsal = "if (get_work_dim() == 3) return;"

// rehearsed tells which of the kernels of a text end at once.
func rehearsed(text string) (names []string) {
	for name, body := range kernelsOf(text) {
		if strings.HasPrefix(text[body:], " "+rehearsal) {
			names = append(names, name)
		}
	}
	return names
}

// rehearses tells whether helpers launch kernels: where a work-group is a work-item. Barriers after a return, which
// PoCL does not like, are nothing then.
func (c *Caps) rehearses() bool { return c.Vendor == driver.PoCL && c.CPUShape }

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

// HelpersVariable names the environment variable with the number of helpers, if Config.Helpers is 0.
const HelpersVariable = "SUFFIXCL_HELPERS"

// certain are the kernels that were not asked for rarely.
func (p *Program) certain() []string {
	var names []string
	for key, k := range p.kernels {
		if k.wanted {
			names = append(names, key.name)
		}
	}
	return names
}

// wantedKernels are the certain ones among those with names.
func (p *Program) wantedKernels(names []string) []kernelShape {
	var list []kernelShape
	for key, k := range p.kernels {
		if k.wanted && slices.Contains(names, key.name) {
			list = append(list, kernelShape{key.name, key.wg})
		}
	}
	slices.SortFunc(list, func(a, b kernelShape) int { return strings.Compare(a.Name, b.Name) })
	return list
}
