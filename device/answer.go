package device

// Answer is a few words that a kernel writes to host memory itself, which costs less than a read after it. Where the
// driver does not let it, the words have to be read from a buffer.
type Answer struct {
	s      *Session
	number uint32 // of the read; 0: the kernel is not asked
}

// Answer asks for so many words, at most 1024. The kernel is the next one that gets the arguments. No read may begin
// before the answer's. A word w is for function answer of kernels/answer.cl.
func (s *Session) Answer(words int) Answer {
	if words < 1 || !s.caps.DeviceFences() || !s.zeroCopy.takes(0, 4*words) {
		return Answer{}
	}
	s.zeroCopy.number++
	return Answer{s, s.zeroCopy.number}
}

// Args are the arguments (ulong host, uint number) of the kernel. host is 0 if it is not asked.
func (a Answer) Args() []any {
	if a.number == 0 {
		return []any{uint64(0), uint32(0)}
	}
	return []any{address(a.s.zeroCopy.in), a.number}
}

// Read waits for the first words of the answer. false: the kernel was not asked. Errors: the sticky error of the
// session.
func (a Answer) Read(dst []uint32) (bool, error) {
	if a.number == 0 || a.number != a.s.zeroCopy.number {
		return false, nil
	}
	err := a.s.zeroCopy.end(bytesOf(dst))
	if a.s.hooks.ReadBack != nil && err == nil {
		a.s.hooks.ReadBack(bytesOf(dst))
	}
	return true, err
}
