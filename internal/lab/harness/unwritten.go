package harness

import (
	"bytes"
	"errors"
	"fmt"
	"math/rand/v2"
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

// Part names what is done from now on, for reports.
func (t *Trace) Part(format string, args ...any) { t.part = fmt.Sprintf(format, args...) }

// Result notes a result.
func (t *Trace) Result(values ...any) { t.note("result " + fmt.Sprint(values...)) }

func (t *Trace) note(what string) { t.events = append(t.events, event{t.part, what}) }

// compare returns an error for the first difference.
func (t *Trace) compare(other *Trace, name, otherName string) error {
	none := event{t.part, "nothing"}
	at := func(t *Trace, i int) event {
		if i < len(t.events) {
			return t.events[i]
		}
		return none
	}
	for i := range max(len(t.events), len(other.events)) {
		if a, b := at(t, i), at(other, i); a != b {
			return fmt.Errorf("%s: memory that nothing has been written to is read: "+
				"%.200s where it holds %s, %.200s where it holds %s",
				b.part, a.what, name, b.what, otherName)
		}
	}
	return nil
}

// Unwritten looks for computations that go by what memory holds before anything has been written there. New buffers
// are such memory, and what is carved from a workspace, which is left over from an earlier step as a rule. Registers
// hold what driver and device leave there.
type Unwritten struct {
	Local bool                     // in local memory, too; programs are compiled for it
	Edit  func(text string) string // a change to the text of programs, or nil
}

// Check runs a computation with memory that holds one thing or another, and returns an error unless it does the same
// each time.
func (u Unwritten) Check(d *cl.Device, v Variant, compute func(s *device.Session, t *Trace) error) error {
	var first *Trace
	fills := fills()
	for _, fill := range fills {
		t := new(Trace)
		v.Hooks = u.hooks(fill, t)
		s, err := Open(d, v)
		if err == nil {
			err = errors.Join(compute(s, t), s.Close())
		}
		if err != nil {
			return fmt.Errorf("%s, with memory that holds %s: %w", t.part, fill.name, err)
		}
		if first == nil {
			first = t
		} else if err := first.compare(t, fills[0].name, fill.name); err != nil {
			return err
		}
	}
	return nil
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
