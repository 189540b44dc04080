package decompress

import (
	"io"
	"strings"
)

// format is a compression.
type format struct {
	name  string
	magic string
	whole func(head []byte) bool             // whether the header is whole; nil: the magic suffices
	open  func(in *input) (io.Reader, error) // nil: not supported
	// begins reports whether a stream begins with some bytes, after its magic ones, almost surely; nil: streams are not
	// looked for.
	begins func(head []byte) bool
}

var formats = []format{
	{"gzip", "\x1f\x8b", gzipHeader, openGzip, usualGzip},
	{"xz", xzMagic, xzHeader, openXZ, xzHeader},
	{"zstd", "\x28\xb5\x2f\xfd", zstdHeader, openZstd, zstdHeader},
	{"bzip2", "BZh", bzip2Header, openBzip2, bzip2Header},
	{"lz4", "\x04\x22\x4d\x18", nil, nil, nil},
	{"lzip", "LZIP\x01", nil, nil, nil},
	{"compress", "\x1f\x9d", compressHeader, nil, nil},
	{"7z", "7z\xbc\xaf\x27\x1c", nil, nil, nil},
	{"zip", "PK\x03\x04", zipHeader, nil, nil},
}

// recognise finds the compression of a file by its first bytes.
func recognise(head []byte) (format, match) {
	for _, f := range formats {
		if strings.HasPrefix(string(head), f.magic) {
			if f.whole == nil || f.whole(head) {
				return f, yes
			}
			return f, similar
		}
	}
	if skippableFrame(head) {
		return format{name: "zstd", open: openZstd}, yes
	}
	if lzmaHeader(head) {
		return format{name: "lzma", open: openLZMA}, yes
	}
	return format{}, no
}
