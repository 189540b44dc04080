package device

import "unsafe"

// fill has memory that nothing has been written to hold what a test says, if one does.
func (a *allocation) fill(s *Session, bytes int64) error {
	if s.hooks.Fill == nil {
		return nil
	}
	for off := int64(0); off < bytes; {
		host := s.hooks.Fill(bytes - off)
		e, err := s.queue.EnqueueWriteBuffer(a.root, true, int(off), len(host), unsafe.Pointer(&host[0]), nil)
		e.Release()
		if err != nil {
			return err
		}
		off += int64(len(host))
	}
	return nil
}
