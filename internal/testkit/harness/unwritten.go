package harness

import (
	"bytes"
	"errors"
	"fmt"
	"math/rand/v2"
	"strings"
	"sync"

	"github.com/suffixcl/suffixcl/cl"
	"github.com/suffixcl/suffixcl/device"
	"github.com/suffixcl/suffixcl/internal/hooks"
)

// fill is what memory holds that nothing has been written to.
type fill struct {
	name   string
	global func(bytes int64) []byte
	local  string // byte i_ of local memory, in OpenCL C
}

func fills() []fill {
	return []fill{
		{"zeros", repeated(make([]byte, fillBytes)), "0"},
		{"0xA5", repeated(bytes.Repeat([]byte{Canary}, fillBytes)), "0xA5"},
		{"random words", RandomFill(), "i_ * 0x9E3779B1u >> 13"},
	}
}

// fillBytes are repeated where more are wanted.
const fillBytes = 1 << 20

func repeated(block []byte) func(bytes int64) []byte {
	at := 0
	return func(bytes int64) []byte {
		piece := block[at:min(int64(at)+bytes, int64(len(block)))]
		at = (at + len(piece)) % len(block)
		return piece
	}
}

var randomWords = sync.OnceValue(func() []byte {
	words := make([]byte, fillBytes)
	rand.NewChaCha8([32]byte{}).Read(words)
	return words
})

// RandomFill gives memory that nothing has been written to random words, those that follow each time.
func RandomFill() func(bytes int64) []byte { return repeated(randomWords()) }

// Trace is what a computation does: its results, its launches with their numbers of work-groups, and what the host
// reads back.
type Trace struct {
	events []event
	part   string
}

type event struct{ part, what string }

// Part names the events that follow, for reports.
func (t *Trace) Part(format string, args ...any) { t.part = fmt.Sprintf(format, args...) }

// Result notes a result.
func (t *Trace) Result(values ...any) { t.note("result " + fmt.Sprint(values...)) }

func (t *Trace) note(what string) { t.events = append(t.events, event{t.part, what}) }

// differs returns the first difference: the part, and both events from shortly before they differ.
func (t *Trace) differs(other *Trace) (part, first, second string, ok bool) {
	none := event{t.part, "nothing"}
	for i := range max(len(t.events), len(other.events)) {
		a, b := at(t.events, i, none), at(other.events, i, none)
		if a != b {
			first, second = excerpts(a.what, b.what)
			return b.part, first, second, true
		}
	}
	return "", "", "", false
}

func at(events []event, i int, none event) event {
	if i < len(events) {
		return events[i]
	}
	return none
}

// excerpts are what reports show of two texts: the first word, and what is around the first difference.
func excerpts(a, b string) (string, string) {
	const before, limit = 60, 200
	same := 0
	for same < min(len(a), len(b)) && a[same] == b[same] {
		same++
	}
	cut := func(s string) string {
		if kind, _, _ := strings.Cut(s, " "); same > before+len(kind) {
			s = kind + " ... " + s[same-before:]
		}
		return s[:min(len(s), limit)]
	}
	return cut(a), cut(b)
}

// Unwritten looks for computations that go by what memory holds before anything has been written there. New buffers
// are such memory, and what is carved from a workspace, which is left over from an earlier step as a rule. Registers
// hold what driver and device leave there.
type Unwritten struct {
	Local bool                     // in local memory, too; programs are compiled for it
	Two   bool                     // contents only, the most different: zeros and random words
	Edit  func(text string) string // a change to the text of programs, or nil
}

// Check runs a computation with memory that holds one thing or another, and returns an error unless it does the same
// each time.
func (u Unwritten) Check(d *cl.Device, v Variant, compute func(s *device.Session, t *Trace) error) error {
	fills := fills()
	if u.Two {
		fills = []fill{fills[0], fills[len(fills)-1]}
	}
	first, err := u.run(d, v, fills[0], compute)
	if err != nil {
		return err
	}
	for _, fill := range fills[1:] {
		other, err := u.run(d, v, fill, compute)
		if err != nil {
			return err
		}
		part, a, b, ok := first.differs(other)
		if !ok {
			continue
		}
		if other, err = u.run(d, v, fills[0], compute); err != nil {
			return err
		}
		if part, a, b, ok := first.differs(other); ok {
			return fmt.Errorf("%s: not the same twice with the same memory: %s, then %s", part, a, b)
		}
		return fmt.Errorf("%s: memory that nothing has been written to is read: "+
			"%s where it holds %s, %s where it holds %s", part, a, fills[0].name, b, fill.name)
	}
	return nil
}

func (u Unwritten) run(d *cl.Device, v Variant, f fill, compute func(*device.Session, *Trace) error) (*Trace, error) {
	t := new(Trace)
	v.Hooks = u.hooks(f, t)
	s, err := Open(d, v)
	if err == nil {
		err = errors.Join(compute(s, t), s.Close())
	}
	if err != nil {
		return nil, fmt.Errorf("%s, with memory that holds %s: %w", t.part, f.name, err)
	}
	return t, nil
}

func (u Unwritten) hooks(f fill, t *Trace) hooks.Session {
	return hooks.Session{
		Signatures: true,
		Edit: func(text string) string {
			if u.Edit != nil {
				text = u.Edit(text)
			}
			if u.Local {
				text = fillLocal(text, f.local)
			}
			return text
		},
		Fill: f.global,
		Launched: func(kernel string, groups int) {
			t.note(fmt.Sprintf("launch of %s, %d work-groups", kernel, groups))
		},
		ReadBack: func(memory []byte) { t.note(fmt.Sprintf("read % x", memory)) },
	}
}
