package decompress

import (
	"encoding/binary"
	"hash/crc32"
)

// headSize is how many bytes recognise needs.
const headSize = 14

// match says how much of a header there is.
type match int

const (
	no      match = iota
	similar       // the magic bytes alone
	yes
)

// gzipHeader: the method is deflate, and no reserved flag is set (RFC 1952).
func gzipHeader(head []byte) bool { return len(head) >= 10 && head[2] == 8 && head[3]&0xe0 == 0 }

// usualGzip: nothing that no program writes. Of the bytes of a compressed text, one in 10^11 begins so.
func usualGzip(head []byte) bool {
	return gzipHeader(head) && (head[8] == 0 || head[8] == 2 || head[8] == 4) && (head[9] <= 13 || head[9] == 255)
}

// xzHeader: the checksum of the flags is right.
func xzHeader(head []byte) bool {
	return len(head) >= 12 && crc32.ChecksumIEEE(head[6:8]) == binary.LittleEndian.Uint32(head[8:])
}

// zstdHeader: no reserved bit is set (RFC 8878).
func zstdHeader(head []byte) bool { return len(head) >= 5 && head[4]&8 == 0 }

// skippableFrame tells of one of zstd, which parallel compressors write first.
func skippableFrame(head []byte) bool {
	return len(head) >= 4 && head[0]&0xf0 == 0x50 && string(head[1:4]) == "\x2a\x4d\x18"
}

// bzip2Header: a block, or the end of the stream, follows.
func bzip2Header(head []byte) bool {
	return len(head) >= 10 && '1' <= head[3] && head[3] <= '9' &&
		(string(head[4:10]) == "\x31\x41\x59\x26\x53\x59" || string(head[4:10]) == "\x17\x72\x45\x38\x50\x90")
}

// compressHeader: codes of 9 to 16 bits, and no reserved flag.
func compressHeader(head []byte) bool {
	return len(head) >= 3 && head[2]&0x60 == 0 && 9 <= head[2]&0x1f && head[2]&0x1f <= 16
}

// zipHeader: the version needed is one that exists.
func zipHeader(head []byte) bool {
	return len(head) >= 6 && 10 <= head[4] && head[4] <= 63 && head[5] <= 20
}

// lzmaHeader: the format has no magic bytes. The rule is that of XZ Utils, of the usual properties only: the
// dictionary has 2^n or 2^n + 2^(n-1) bytes, the text less than 256 GiB or a length that is not known.
func lzmaHeader(head []byte) bool {
	if len(head) < 13 || head[0] != 0x5d {
		return false
	}
	d := binary.LittleEndian.Uint32(head[1:])
	top := d
	for top&(top-1) != 0 {
		top &= top - 1
	}
	size := binary.LittleEndian.Uint64(head[5:])
	return d >= 1<<12 && (d == top || d == top|top>>1) && (size == 1<<64-1 || size < 1<<38)
}
