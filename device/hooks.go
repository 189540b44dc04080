package device

import (
	"context"
	"io"
	"maps"
	"slices"

	"github.com/suffixcl/suffixcl/cl"
	"github.com/suffixcl/suffixcl/internal/driver"
	"github.com/suffixcl/suffixcl/internal/tune"
)

func init() {
	h := &tune.Hooks
	h.State = func(session any) *tune.State { return &session.(*Session).tuning }
	h.CLDevice = func(session any) any { return session.(*Session).device }
	h.Open = func(config any, e tune.Edits) (any, error) { return openWith(config.(Config), e) }
	h.Offline = func(caps any, set tune.Set) any { return offline(caps.(Caps), set) }
	h.Identify = func(d any) any { return identify(d.(*cl.Device)) }
	h.Choose = func(devices any, selector string) (int, error) { return choose(devices.([]*cl.Device), selector) }
	h.Append = func(source any, files []string) any { return source.(Source).append(files) }
	h.Resident = func(source any, groups int) any { return source.(Source).withResident(groups) }
	h.Status = func(session any, words int, tickets uint32) (tune.Status, bool) {
		return session.(*Session).status(words, tickets)
	}
	h.Rarely = func(session any, f func()) { session.(*Session).rarely(f) }
	h.Forget = func(session any) { session.(*Session).forget() }
	h.BuildAhead = func(session any) { session.(*Session).buildAhead() }
	h.Ahead = func(session any) (int, int) { return session.(*Session).builder.ahead.count() }
	h.Prepare = func(ctx context.Context, session any, all bool) error { return session.(*Session).prepare(ctx, all) }
	h.Caches = func(session any) []string { return session.(*Session).builder.caches() }
	h.CacheNotes = func(session any) []string { return session.(*Session).builder.disk.notes }
	h.Export = func(ctx context.Context, session any, w io.Writer) (int, error) {
		return session.(*Session).export(ctx, w)
	}
	h.KernelDigest = kernelDigest
	h.ServeBuilds = serveBuilds
	h.Leave = func(session any) error { return session.(*Session).leave() }
	h.WantSelfTest = func(session any) { wantSelfTest(session.(*Session)) }
	h.SelfTest = func(session any) error { return selfTest(session.(*Session)) }
	h.MemoryLimit = func(session any) (int64, string) { return session.(*Session).memory.bound() }
	h.PeakBytes = func(session any) int64 { return session.(*Session).memory.peak }
	h.ResetPeak = func(session any) { session.(*Session).memory.resetPeak() }
	h.Quirks = func(caps any) *driver.Quirks { return &caps.(*Caps).quirks }
	h.Assemble = func(caps, source any) (string, error) { return assemble(caps.(*Caps), source.(Source)) }
	h.Sources = func(session any) any { return sources(session.(*Session)) }
}

// offline is a session without a device, on which programs can be planned.
func offline(c Caps, set tune.Set) *Session {
	s := newSession(c)
	s.tuning = tune.State{Set: set, Key: c.tuneKey(), Device: c.tuneDevice()}
	for _, source := range []Source{probeSource(), selfTestSource(selfTestGroup), zeroCopySource()} {
		s.Program(source)
	}
	return s
}

// sources are the programs that were asked for.
func sources(s *Session) []Source {
	var all []Source
	for _, key := range slices.Sorted(maps.Keys(s.programs)) {
		all = append(all, s.programs[key].src)
	}
	return all
}
