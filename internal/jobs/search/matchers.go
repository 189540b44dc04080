package search

import (
	"github.com/suffixcl/suffixcl/internal/call"
	"github.com/suffixcl/suffixcl/internal/input"
)

// BuildMatcher is suffixcl.Engine.Matcher.
func BuildMatcher(e *call.Engine, text input.Text, o MatcherOptions) call.Job[*Matcher, *Matcher] {
	type job = call.Job[*Matcher, *Matcher]
	no := func(wrong error) job { return call.Refused[*Matcher, *Matcher](e, wrong) }
	switch set := text.Symbols.(type) {
	case input.TooLong:
		return no(set.Err)
	case *input.Collection:
		return setMatcher(e, set, o)
	}
	return input.OfSymbols(text,
		func(s []uint8) job { return byteMatcher(e, text, s, o) },
		func(s []uint16) job { return symbolMatcher(e, text, s, o) },
		func(s []uint32) job { return symbolMatcher(e, text, s, o) }, no).NeedsSymbols(text)
}
