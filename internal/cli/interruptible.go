package cli

import "context"

// Interruptible calls f, which may wait for another process, and returns when f
// does or when the context ends. In the second case f goes on alone, and what it
// uses must not be touched again.
func Interruptible(ctx context.Context, f func() error) error {
	if err := ctx.Err(); err != nil {
		return context.Cause(ctx)
	}
	done := make(chan error, 1)
	go func() { done <- f() }()
	select {
	case err := <-done:
		return err
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}
