package device

import "unsafe"

// fillPiece is as much as a test fills at a time.
const fillPiece = 16 << 20

// fill has memory that nothing has been written to hold what a test says, if one does.
func (a *allocation) fill(s *Session, bytes int64) error {
	if s.hooks.Fill == nil || bytes == 0 {
		return nil
	}
	host := make([]byte, min(bytes, fillPiece))
	for off := int64(0); off < bytes; off += int64(len(host)) {
		host = host[:min(int64(len(host)), bytes-off)]
		s.hooks.Fill(host)
		e, err := s.queue.EnqueueWriteBuffer(a.root, true, int(off), len(host), unsafe.Pointer(&host[0]), nil)
		e.Release()
		if err != nil {
			return err
		}
	}
	return nil
}
