package mpi

import (
	"context"
	"fmt"
)

// checkTag returns an error unless a tag may be used everywhere.
func checkTag(tag int) error {
	const most = 32767 // the least that the standard promises
	if tag < 0 || tag > most {
		return fmt.Errorf("mpi: tag %d, not of 0 to %d: %w", tag, most, ErrTag)
	}
	return nil
}

// Send sends data to a rank. It returns when data may be changed, which may be before it is received. A message of
// 2^30 bytes or more has to be received in a slice of its length.
func Send[T any](ctx context.Context, c *Comm, data []T, to, tag int) error {
	b, err := bytesOf(data)
	if err != nil {
		return err
	}
	return c.send(ctx, b, to, tag)
}

func (c *Comm) send(ctx context.Context, b []byte, to, tag int) error {
	if err := c.checkPeer(to, tag); err != nil {
		return err
	}
	_, err := c.run(ctx, func(o *operation) error { return c.beginSend(o, b, to, tag) })
	return err
}

// Recv receives a message of up to len(data) elements from a rank, or AnySource, with a tag, or AnyTag. Errors:
// ErrTruncate for a longer one; Open MPI 4.1 cuts it to that length instead, and says nothing.
func Recv[T any](ctx context.Context, c *Comm, data []T, from, tag int) (Status, error) {
	b, err := bytesOf(data)
	if err != nil {
		return Status{}, err
	}
	if err := c.usable(); err != nil {
		return Status{}, err
	}
	if from != AnySource {
		err = c.checkRank("source", from)
	}
	if tag != AnyTag && err == nil {
		err = checkTag(tag)
	}
	if err != nil {
		return Status{}, err
	}
	if from == AnySource {
		from = c.l.abi.anySource
	}
	if tag == AnyTag {
		tag = c.l.abi.anyTag
	}
	head := b[:min(len(b), maxPart)]
	st, err := c.run(ctx, func(o *operation) error { return c.beginRecv(o, head, from, tag) })
	if rest := b[len(head):]; err == nil && len(rest) > 0 && st.bytes == maxPart {
		var more Status
		more, err = c.run(ctx, func(o *operation) error { return c.beginRecv(o, rest, st.Source, st.Tag) })
		st.bytes += more.bytes
	}
	if len(data) > 0 && len(b) > 0 {
		st.Count = st.bytes / (len(b) / len(data))
	}
	return st, err
}

// Sendrecv sends and receives at once: ranks that exchange data do not wait for each other in a circle. in must have
// the length of what is received.
func Sendrecv[T any](ctx context.Context, c *Comm, out []T, to int, in []T, from, tag int) error {
	o, i, err := two(out, in)
	if err != nil {
		return err
	}
	return c.exchange(ctx, o, to, i, from, tag)
}

func (c *Comm) exchange(ctx context.Context, out []byte, to int, in []byte, from, tag int) error {
	if err := c.checkPeer(to, tag); err != nil {
		return err
	}
	if err := c.checkPeer(from, tag); err != nil {
		return err
	}
	_, err := c.run(ctx, func(o *operation) error {
		if err := c.beginRecv(o, in, from, tag); err != nil {
			return err
		}
		return c.beginSend(o, out, to, tag)
	})
	return err
}

func (c *Comm) checkPeer(rank, tag int) error {
	if err := c.checkRank("rank", rank); err != nil {
		return err
	}
	return checkTag(tag)
}

// beginSend and beginRecv begin a message in parts; one without bytes is a message, too.
func (c *Comm) beginSend(o *operation, b []byte, to, tag int) error {
	return c.beginParts(o, mpiIsend, b, to, tag)
}

func (c *Comm) beginRecv(o *operation, b []byte, from, tag int) error {
	return c.beginParts(o, mpiIrecv, b, from, tag)
}

func (c *Comm) beginParts(o *operation, f function, b []byte, peer, tag int) error {
	if len(b) == 0 {
		return o.start(f, 0, 0, c.l.abi.typeByte, word(peer), word(tag), c.handle)
	}
	return parts(len(b), func(from, to int) error {
		return o.start(f, o.bytes(b[from:to]), word(to-from), c.l.abi.typeByte, word(peer), word(tag), c.handle)
	})
}
