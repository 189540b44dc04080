package decompress

import (
	"io"

	"github.com/klauspost/compress/gzip"
)

// gzipReader reads the members of a file. As gzip(1) it takes zeros up to the end for padding.
type gzipReader struct {
	in     *input
	member *gzip.Reader
}

func openGzip(in *input) (io.Reader, error) {
	g := &gzipReader{in, new(gzip.Reader)}
	return g, g.reset()
}

// reset begins a member.
func (g *gzipReader) reset() error {
	err := g.member.Reset(g.in.Reader)
	g.member.Multistream(false)
	return unexpected(err)
}

func (g *gzipReader) Read(p []byte) (int, error) {
	for {
		n, err := g.member.Read(p)
		if err == io.EOF && n == 0 {
			if err = g.next(); err == nil {
				continue
			}
		} else if err == io.EOF {
			err = nil // it comes again
		}
		return n, err
	}
}

// next begins the next member, or returns io.EOF.
func (g *gzipReader) next() error {
	magic, err := g.in.Peek(2)
	switch {
	case len(magic) == 0:
		return err
	case magic[0] == 0 && !g.in.task:
		return g.padding()
	case err != nil && err != io.EOF:
		return err
	case string(magic) != "\x1f\x8b":
		return ErrGarbage
	case !g.in.task && processors() > 1:
		return errBorder
	}
	return g.reset()
}

// padding reads zeros up to the end of the file.
func (g *gzipReader) padding() error {
	for {
		c, err := g.in.ReadByte()
		if err != nil {
			return err
		}
		if c != 0 {
			g.in.UnreadByte()
			return ErrGarbage
		}
	}
}
