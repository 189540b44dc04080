package amdcode

import (
	"os"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// The fixture is testdata/tiny.cl; how it was built stands there.
func TestReadKernels(t *testing.T) {
	code, err := os.ReadFile("testdata/tiny.gfx90a.co")
	require.NoError(t, err)
	kernels, err := ReadKernels(code)
	require.NoError(t, err)
	require.Len(t, kernels, 3)
	type numbers struct {
		name                                         string
		vgprs, sgprs, spills, lds, scratch, explicit int
	}
	var got []numbers
	for _, k := range kernels {
		explicit := 0
		for _, a := range k.Args {
			if !a.Hidden() {
				explicit++
			}
		}
		got = append(got, numbers{k.Name, k.VGPRs, k.SGPRs, k.VGPRSpills, k.LDS, k.Scratch, explicit})
		assert.Equal(t, 64, k.Wavefront)
		assert.Equal(t, "gfx90a", k.Target)
		assert.True(t, k.Descriptor.Entry%256 == 0 && k.Descriptor.Properties&PropertyKernargPtr != 0, k.Descriptor)
	}
	assert.Equal(t, []numbers{
		{"lean", 2, 10, 0, 256, 0, 2},
		{"scratch", 9, 24, 0, 0, 1028, 2},
		{"spills", 32, 16, 11, 0, 48, 1},
	}, got)
	assert.Equal(t, []string{GlobalBuffer, ByValue}, []string{kernels[0].Args[0].Kind, kernels[0].Args[1].Kind})
}

func TestReadKernelsRefusesDamage(t *testing.T) {
	whole, err := os.ReadFile("testdata/tiny.gfx90a.co")
	require.NoError(t, err)
	_, err = ReadKernels(whole[:100])
	assert.Error(t, err)
	old := append([]byte(nil), whole...)
	old[8] = 2 // EI_ABIVERSION
	_, err = ReadKernels(old)
	assert.ErrorContains(t, err, "code object V5")
	assert.ErrorContains(t, err, "install the Debian packages clang-19")

	doc := []byte("\x81\xaeamdhsa.kernels\x91\x81\xa5.name\xa1k")
	_, err = readMetadata(doc)
	assert.ErrorContains(t, err, "kernel k lacks a number")
	for n := range doc { // every cut is an error, none a panic
		_, err := readMetadata(doc[:n])
		assert.Error(t, err, "%d bytes", n)
	}
}

func TestReadListing(t *testing.T) {
	got, err := ReadListing([]byte("\nfile:\tformat\n\n0000000000001900 <k>:\n" +
		"\ts_nop 0        // 000000001900: BF800000\n\ts_cbranch_execz 39 // 000000001904: BF880027 <k+0xf4>\n"))
	require.NoError(t, err)
	assert.Equal(t, map[string][]Line{"k": {{0x1900, "s_nop 0"}, {0x1904, "s_cbranch_execz 39"}}}, got)
	_, err = ReadListing([]byte("0000000000001900 <k>:\n\ts_nop 0\n"))
	assert.ErrorContains(t, err, "no address")
}
