package decompress

import (
	"bytes"
	"compress/gzip"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"hash/crc32"
	"io"
	"math/rand/v2"
	"runtime"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/klauspost/compress/zstd"
	"github.com/stretchr/testify/require"
	"github.com/ulikunitz/xz"
	"github.com/ulikunitz/xz/lzma"
)

const sample = ">a\nACGTACGT\n"

// bzip2Sample is sample, by bzip2 1.0.8: package bzip2 only reads.
const bzip2Sample = "425a683931415926535970" +
	"6b9fe10000014f000010000128800400200020" +
	"0021a34cd42180a37b15423c5dc914e14241c1ae7f84"

// filteredSample is sample by xz --x86 --lzma2.
const filteredSample = "fd377a585a0000016922de36020104002101160" +
	"00d86351f01000b3e61" + "0a41434754414347540a00394518df000120" +
	"0ca2ddb4bc9042990d010000000001595a"

func unhex(t testing.TB, s string) string {
	b, err := hex.DecodeString(s)
	require.NoError(t, err)
	return string(b)
}

// written is text by a compressor.
func written(t testing.TB, text string, open func(w io.Writer) (io.WriteCloser, error)) string {
	var b bytes.Buffer
	w, err := open(&b)
	require.NoError(t, err)
	_, err = io.WriteString(w, text)
	require.NoError(t, err)
	require.NoError(t, w.Close())
	return b.String()
}

// compressed is text by every compression that can be written here.
func compressed(t testing.TB, text string) map[string]string {
	list := map[string]string{
		"gzip": written(t, text, func(w io.Writer) (io.WriteCloser, error) { return gzip.NewWriter(w), nil }),
		"xz":   written(t, text, func(w io.Writer) (io.WriteCloser, error) { return xz.NewWriter(w) }),
		"zstd": written(t, text, func(w io.Writer) (io.WriteCloser, error) { return zstd.NewWriter(w) }),
		"lzma": written(t, text, func(w io.Writer) (io.WriteCloser, error) { return lzma.NewWriter(w) }),
	}
	if text == sample {
		list["bzip2"] = unhex(t, bzip2Sample)
	}
	return list
}

// read reads a file at once and byte by byte, which must agree.
func read(t *testing.T, file string) (text, compression string, err error) {
	t.Helper()
	for i, r := range []io.Reader{strings.NewReader(file), iotest.OneByteReader(strings.NewReader(file))} {
		d, failed := NewReader(r)
		var got []byte
		if failed == nil {
			compression = d.Compression()
			if got, failed = io.ReadAll(d); failed != nil {
				_, again := d.Read(make([]byte, 1))
				require.Equal(t, failed, again, "errors are sticky")
			}
		}
		if i > 0 {
			require.Equal(t, err, failed)
			require.Equal(t, text, string(got))
		}
		text, err = string(got), failed
	}
	return text, compression, err
}

func noise(n int) string {
	rng := rand.New(rand.NewPCG(1, 2))
	b := make([]byte, n)
	for i := range b {
		b[i] = "ACGTN\n"[rng.IntN(6)]
	}
	return string(b)
}

func TestRead(t *testing.T) {
	for _, text := range []string{"", sample, noise(1 << 17)} {
		for name, file := range compressed(t, text) {
			got, compression, err := read(t, file)
			require.NoError(t, err, name)
			require.Equal(t, name, compression)
			require.True(t, text == got, name)
			if name == "lzma" {
				continue // one stream a file
			}
			got, _, err = read(t, file+file+file)
			require.NoError(t, err, name)
			require.True(t, text+text+text == got, name)
		}
	}
}

// A file that ends too soon is an error, wherever that is.
func TestTruncated(t *testing.T) {
	for name, file := range compressed(t, sample) {
		header := map[string]int{"gzip": 10, "xz": 12, "zstd": 5, "bzip2": 10, "lzma": 13}[name]
		for size := header; size < len(file); size++ {
			text, _, err := read(t, file[:size])
			require.ErrorIs(t, err, ErrTruncated, "%s of %d bytes: %q", name, size, text)
			var damaged *Error
			require.ErrorAs(t, err, &damaged)
			require.EqualValues(t, size, damaged.Offset, name)
			require.EqualValues(t, len(text), damaged.Text)
		}
		if name == "lzma" {
			continue
		}
		for size := 2; size < header; size++ { // of the second stream
			_, _, err := read(t, file+file[:size])
			require.Error(t, err, "%s, %d bytes more", name, size)
		}
	}
}

func TestDamaged(t *testing.T) {
	for name, file := range compressed(t, noise(1000)) {
		for at := len(file) / 3; at < len(file)/3+50; at++ {
			if name == "lzma" {
				continue // has no checksum
			}
			bad := []byte(file)
			bad[at] ^= 0x10
			text, _, err := read(t, string(bad))
			var damaged *Error
			require.ErrorAs(t, err, &damaged, "%s: %d bytes", name, len(text))
			require.Equal(t, name, damaged.Compression)
		}
	}
}

// Zeros after gzip and xz are padding; what else follows is not text, and no truncation either.
func TestGarbage(t *testing.T) {
	for name, file := range compressed(t, sample) {
		for _, garbage := range []string{"garbage after it", "\n\n\n\n\n\n\n\n\n\n\n\n", "\x00\x00\x00\x00garbage, longer"} {
			text, _, err := read(t, file+garbage)
			require.ErrorIs(t, err, ErrGarbage, "%s %q", name, garbage)
			require.Equal(t, sample, text)
		}
	}
	files := compressed(t, sample)
	for _, name := range []string{"gzip", "xz"} {
		for _, size := range []int{4, 512, 1 << 20} {
			text, _, err := read(t, files[name]+strings.Repeat("\x00", size))
			require.NoError(t, err, name)
			require.Equal(t, sample, text)
		}
	}
	d, err := NewReader(strings.NewReader(files["gzip"] + "garbage"))
	require.NoError(t, err)
	_, err = io.ReadAll(d)
	require.EqualError(t, err, "gzip, at byte 34: garbage after the end of the compressed data")
	require.Len(t, files["gzip"], 34)
}

func TestPlain(t *testing.T) {
	for file, note := range map[string]string{
		"": "", "text": "", "\x1f": "", "]\x00\x00\x80\x00 is no lzma": "",
		"\x1f\x8b": "gzip", "\x1f\x8b\x08": "gzip", "\x1f\x8bplain text": "gzip", "\x1f\x8b\x08\xff plain text": "gzip",
		"\xfd7zXZ\x00": "xz", "\xfd7zXZ\x00 plain text": "xz", "BZh9 is how bzip2 begins": "bzip2",
		"\x28\xb5\x2f\xfd": "zstd",
		"\x1f\x9d\xff":     "compress", "PK\x03\x04": "zip",
	} {
		d, err := NewReader(strings.NewReader(file))
		require.NoError(t, err)
		require.Empty(t, d.Compression())
		require.Equal(t, note != "", d.Note() != "", "%q", file)
		require.Contains(t, d.Note(), note)
		text, err := io.ReadAll(d)
		require.NoError(t, err)
		require.Equal(t, file, string(text))
		require.EqualValues(t, len(file), d.Offset())
	}
	for _, file := range compressed(t, sample) {
		text, err := io.ReadAll(Plain(strings.NewReader(file)))
		require.NoError(t, err)
		require.Equal(t, file, string(text))
	}
}

func TestUnsupported(t *testing.T) {
	for name, head := range map[string]string{
		"lz4": "\x04\x22\x4d\x18\x64\x40\xa7", "lzip": "LZIP\x01\x0c", "compress": "\x1f\x9d\x90x",
		"7z": "7z\xbc\xaf\x27\x1c\x00\x04", "zip": "PK\x03\x04\x14\x00\x00",
	} {
		_, err := NewReader(strings.NewReader(head))
		var unsupported *UnsupportedError
		require.ErrorAs(t, err, &unsupported)
		require.Equal(t, name, unsupported.Compression)
		require.ErrorContains(t, err, "compressed by "+name)
	}
	_, err := NewReader(strings.NewReader(unhex(t, filteredSample)))
	require.ErrorContains(t, err, "filters")
	require.ErrorContains(t, err, "xz -dc")
}

// A frame of zstd's that is passed over may come first.
func TestSkippableFrame(t *testing.T) {
	text, compression, err := read(t, "\x50\x2a\x4d\x18\x04\x00\x00\x00skip"+compressed(t, sample)["zstd"])
	require.NoError(t, err)
	require.Equal(t, "zstd", compression)
	require.Equal(t, sample, text)
}

// inBlocks is text by xz, in blocks of so many bytes.
func inBlocks(t *testing.T, text string, size int64) string {
	return written(t, text, func(w io.Writer) (io.WriteCloser, error) {
		return xz.WriterConfig{BlockSize: size, DictCap: 1 << 16}.NewWriter(w)
	})
}

// asking is a file of xz whose last block asks for the dictionary with that code: (2 | code&1) << (code/2 + 11) bytes.
func asking(t *testing.T, file string, code byte) string {
	header := file[12:][:4*(int(file[12])+1)]
	require.Equal(t, "\x00\x21\x01", header[1:4])
	changed := []byte(header)
	changed[4] = code
	end := len(changed) - 4
	binary.LittleEndian.PutUint32(changed[end:], crc32.ChecksumIEEE(changed[:end]))
	at := strings.LastIndex(file, header)
	return file[:at] + string(changed) + file[at+len(header):]
}

// The dictionary that a block asks for is not allocated where it is too large, in whichever block or stream that is.
func TestDictionaryOfXZ(t *testing.T) {
	const possible = 34 // 512 MiB
	blocks := inBlocks(t, sample, 5)
	for before, file := range map[string]string{
		"":              inBlocks(t, sample, 1<<20),
		sample[:10]:     blocks,
		sample + sample: strings.Repeat(inBlocks(t, sample, 1<<20), 3),
	} {
		for code, size := range map[byte]string{possible + 1: "768", 39: "3072", 40: "4095"} {
			var start, end runtime.MemStats
			runtime.ReadMemStats(&start)
			text, _, err := read(t, asking(t, file, code))
			runtime.ReadMemStats(&end)
			var refused *Error
			require.ErrorAs(t, err, &refused)
			require.EqualError(t, refused.Err,
				"a block asks for a dictionary of "+size+" MiB, which is not read: 512 MiB are possible")
			require.Equal(t, before, text)
			require.Less(t, end.TotalAlloc-start.TotalAlloc, uint64(1<<26))
		}
	}
	d, err := NewReader(strings.NewReader(asking(t, blocks, possible)))
	require.NoError(t, err)
	text, err := io.ReadAll(d)
	require.NoError(t, err)
	require.Equal(t, sample, string(text))
}

// Many small blocks do not take the memory of a large one each.
func TestManyBlocksOfXZ(t *testing.T) {
	file := inBlocks(t, noise(1000), 1)
	var start, end runtime.MemStats
	runtime.ReadMemStats(&start)
	text, _, err := read(t, file)
	runtime.ReadMemStats(&end)
	require.NoError(t, err)
	require.Equal(t, noise(1000), text)
	require.Less(t, end.TotalAlloc-start.TotalAlloc, uint64(1<<30)) // 2,000 times 64 KiB, and what a decoder takes
}

// Every change of a bit after the first header is an error, and so is a filter in a later block.
func TestDamagedXZ(t *testing.T) {
	file := inBlocks(t, sample, 5)
	file += "\x00\x00\x00\x00" + file
	for i := 12 * 8; i < len(file)*8; i++ {
		bad := []byte(file)
		bad[i/8] ^= 1 << (i % 8)
		text, _, err := read(t, string(bad))
		var damaged *Error
		require.ErrorAs(t, err, &damaged, "bit %d: %q", i, text)
	}
	text, _, err := read(t, file+unhex(t, filteredSample))
	require.ErrorContains(t, err, "filters")
	require.Equal(t, sample+sample, text)
}

// The checks that blocks may have, by the program xz: xz --check=sha256 --block-size=7 -T2, and others.
func TestChecksOfXZ(t *testing.T) {
	for name, file := range map[string]string{
		"none": "fd377a585a000000ff12d94102c00b0721011600f77c29360100063e610a41434754000002c009052101" +
			"16009c8e2101010004414347540a0000000000021707150500003545423fa8000afc020000000000595a",
		"crc32": "fd377a585a0000016922de3602c00b0721011600f77c29360100063e610a414347540000c185626e02c0" +
			"0905210116009c8e2101010004414347540a000000003c9bc76100021b0719050000f63a56023e300d8b" +
			"020000000001595a",
		"crc64": "fd377a585a000004e6d6b44602c00b0721011600f77c29360100063e610a4143475400008d72711c0bb8" +
			"3c3502c00905210116009c8e2101010004414347540a00000000006d12390ca22bbb00021f071d050000" +
			"b7efa516b1c467fb020000000004595a",
		"sha256": "fd377a585a00000ae1fb0ca102c00b0721011600f77c29360100063e610a41434754000095e87ca8d12d" +
			"33803995ef5993c14cbe7f973a9c3a967103ec7dfd82a10d81cf02c00905210116009c8e210101000441" +
			"4347540a00000000a4b0723993d3751f3d530e3c20da4c24ccdd32e65820fba897cc5f119e85ca550002" +
			"3707350500003defdc98b6e9df1c02000000000a595a",
	} {
		text, _, err := read(t, unhex(t, file))
		require.NoError(t, err, name)
		require.Equal(t, sample, text, name)
		bad := []byte(unhex(t, file))
		bad[7]++ // a number that no check has
		binary.LittleEndian.PutUint32(bad[8:], crc32.ChecksumIEEE(bad[6:8]))
		_, _, err = read(t, string(bad))
		require.Error(t, err, name)
	}
}

// Errors of the file are not those of its compression.
func TestFileError(t *testing.T) {
	broken := errors.New("broken")
	for name, file := range compressed(t, noise(1<<20)) {
		d, err := NewReader(io.MultiReader(strings.NewReader(file[:len(file)/2]), iotest.ErrReader(broken)))
		require.NoError(t, err)
		_, err = io.ReadAll(d)
		require.Equal(t, broken, err, name)
	}
	_, err := NewReader(iotest.ErrReader(broken))
	require.Equal(t, broken, err)
}

// Whatever the bytes are: no panic, and the same error or text however they come.
func FuzzReader(f *testing.F) {
	for _, seed := range []string{"", "plain", "\x1f\x8b\x08\x00\x00\x00\x00\x00\x00\x03", "BZh91AY&SY"} {
		f.Add([]byte(seed))
	}
	for _, file := range compressed(f, sample) {
		f.Add([]byte(file))
	}
	f.Fuzz(func(t *testing.T, file []byte) {
		d, err := NewReader(bytes.NewReader(file))
		if err == nil {
			_, _ = io.CopyN(io.Discard, d, 1<<24) // bombs
		}
	})
}
