package call

// Waiting is how many questions wait for a turn.
func (g *Gatherer[J, A]) Waiting() int {
	g.mu.Lock()
	defer g.mu.Unlock()
	return len(g.waiting)
}

// SetClosed tells calls that the engine is closed, or is not. The caller has the turn.
func (e *Engine) SetClosed(closed bool) { e.closed = closed }
