package bench

import "context"

// Try runs the case once and checks the result.
func (p *Prepared) Try(ctx context.Context) error { return p.try(ctx, p.input.plan) }

// TryNothing is Try of a primitive that does nothing.
func (p *Prepared) TryNothing(ctx context.Context) error {
	return p.try(ctx, func(*setup) func() { return func() {} })
}

func (p *Prepared) try(ctx context.Context, plan func(*setup) func()) error {
	u := &setup{ctx: ctx, s: p.u.s}
	defer u.releaseAll()
	run := plan(u)
	if u.err != nil {
		return u.err
	}
	return p.first(ctx, run)
}
