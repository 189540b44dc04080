package builders

import (
	"bytes"
	"context"

	"github.com/suffixcl/suffixcl/device"
	"github.com/suffixcl/suffixcl/internal/sdsl"
	"github.com/suffixcl/suffixcl/internal/wavelet"
)

// WaveletOf gives the suite of files the index of a transform, without samples, whose wavelet tree and blocks of bits a
// device makes in small pieces.
func WaveletOf(s *device.Session) func(context.Context, []byte) ([]byte, error) {
	return func(ctx context.Context, text []byte) ([]byte, error) {
		pieces := wavelet.Pieces{Letters: len(text) - len(text)/3, Superblocks: 2 + len(text)>>16<<4}
		return encoded(ctx, text, wavelet.New(s, pieces))
	}
}

// WaveletOnHost is what WaveletOf has to make.
func WaveletOnHost(text []byte) ([]byte, error) { return encoded(context.Background(), text, nil) }

func encoded(ctx context.Context, text []byte, maker sdsl.Maker) ([]byte, error) {
	none := func(int) uint64 { return 0 }
	x, err := sdsl.Encode(ctx, sdsl.Parts{Transform: text, Rows: none, Places: none, Maker: maker})
	if err != nil {
		return nil, err
	}
	var b bytes.Buffer
	err = x.Write(&b)
	return b.Bytes(), err
}
