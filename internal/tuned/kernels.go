package tuned

import (
	"crypto/sha256"
	"encoding/hex"
	"hash"
	"io/fs"

	"github.com/suffixcl/suffixcl/internal/tune"
	"github.com/suffixcl/suffixcl/kernels"
)

// KernelDigest tells apart versions of the OpenCL sources.
func KernelDigest() string { return tune.Hooks.KernelDigest() }

// KernelDigests tell apart versions of each file of the OpenCL sources.
func KernelDigests() map[string]string {
	digests := make(map[string]string)
	eachKernelFile(func(file string, text []byte) {
		h := sha256.New()
		h.Write(text)
		digests[file] = short(h)
	})
	return digests
}

func eachKernelFile(f func(file string, text []byte)) {
	files, _ := fs.Glob(kernels.FS, "*.cl") // an embedded system does not fail
	for _, file := range files {
		text, _ := fs.ReadFile(kernels.FS, file)
		f(file, text)
	}
}

// short is how many digits of a digest people compare.
func short(h hash.Hash) string { return hex.EncodeToString(h.Sum(nil))[:12] }
