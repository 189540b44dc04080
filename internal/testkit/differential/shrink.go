package differential

import (
	"errors"
	"slices"
	"time"
)

// Shrink makes a case that is wrong smaller while it stays wrong in the same way, for about so long.
func Shrink(w *Wrong, run Runner, within time.Duration) *Wrong {
	end := time.Now().Add(within)
	for smaller := true; smaller; {
		smaller = false
		for c := range candidates(w.Case) {
			if time.Now().After(end) {
				return w
			}
			var next *Wrong
			if errors.As(Check(c, run), &next) && next.kind == w.kind {
				w, smaller = next, true
				break
			}
		}
	}
	return w
}

// candidates are smaller cases, the smallest first.
func candidates(c *Case) func(yield func(*Case) bool) {
	return func(yield func(*Case) bool) {
		changed := func(change func(*Case)) bool {
			smaller := c.clone()
			change(smaller)
			return yield(smaller)
		}
		for i := range c.Inputs {
			for k := range c.Inputs[i].Texts {
				if !changed(func(s *Case) { s.Inputs[i].Texts = slices.Delete(s.Inputs[i].Texts, k, k+1) }) {
					return
				}
			}
		}
		for i := range c.Words {
			if !changed(func(s *Case) { s.Words = slices.Delete(s.Words, i, i+1) }) {
				return
			}
		}
		for i, f := range c.Flags {
			if !f.Stays && !changed(func(s *Case) { s.Flags = slices.Delete(s.Flags, i, i+1) }) {
				return
			}
		}
		for i, in := range c.Inputs {
			plain := Input{Name: in.Name, Format: in.Format, Symbol: in.Symbol, Texts: in.Texts}
			if in.CRLF || in.Open || in.Wrap > 0 || in.Nameless {
				if !changed(func(s *Case) { s.Inputs[i] = plain }) {
					return
				}
			}
			for k, text := range in.Texts {
				for shorter := range shortened(text, max(in.Symbol, 1)) {
					if !changed(func(s *Case) { s.Inputs[i].Texts[k] = shorter }) {
						return
					}
				}
			}
		}
	}
}

// shortened is a text without its second and first half, quarters and so on down to a symbol.
func shortened(text []byte, symbol int) func(yield func([]byte) bool) {
	return func(yield func([]byte) bool) {
		n := len(text) / symbol
		for cut := (n + 1) / 2; cut > 0; cut /= 2 {
			for at := n - cut; ; at = max(at-cut, 0) {
				if !yield(slices.Concat(text[:at*symbol], text[(at+cut)*symbol:])) {
					return
				}
				if at == 0 {
					break
				}
			}
		}
	}
}
