package suffixcl_test

import (
	"crypto/sha256"
	"fmt"
	"os"
	"path/filepath"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/suffixcl/suffixcl"
	"github.com/suffixcl/suffixcl/cl"
	"github.com/suffixcl/suffixcl/device"
	"github.com/suffixcl/suffixcl/internal/lab/devicetest"
	"github.com/suffixcl/suffixcl/internal/lab/opticks"
)

// BenchmarkLoading is what it takes to load the programs of a sort of 150 KB, which are compiled, in a context that has
// none yet: by one goroutine after the other, and by several at once.
func BenchmarkLoading(b *testing.B) {
	for _, d := range devicetest.Devices(b) {
		dir := b.TempDir()
		s, err := device.Open(device.Config{Device: d, CacheDir: dir})
		require.NoError(b, err)
		e, err := suffixcl.New(s, suffixcl.EngineOptions{})
		require.NoError(b, err)
		defer e.Close()
		_, err = e.SuffixArray(b.Context(), opticks.Text)
		require.NoError(b, err)
		files, err := filepath.Glob(filepath.Join(dir, "v*", "*.clbin"))
		require.NoError(b, err)
		var binaries [][]byte
		for _, name := range files {
			data, err := os.ReadFile(name)
			require.NoError(b, err)
			binaries = append(binaries, data[sha256.Size:])
		}
		require.NoError(b, loadAll(d, binaries, 1, func() {}, func() {})) // the driver's cache is full then
		for _, goroutines := range []int{1, 2, 4, 8, 16} {
			b.Run(fmt.Sprintf("%s/programs=%d/goroutines=%d", d.Name(), len(binaries), goroutines), func(b *testing.B) {
				b.StopTimer()
				for range b.N {
					require.NoError(b, loadAll(d, binaries, goroutines, b.StartTimer, b.StopTimer))
				}
			})
		}
	}
}

// loadAll loads binaries in a context of their own, by so many goroutines.
func loadAll(d *cl.Device, binaries [][]byte, goroutines int, start, stop func()) error {
	context, err := cl.CreateContext([]*cl.Device{d})
	if err != nil {
		return err
	}
	defer context.Release()
	next, errs := make(chan []byte, len(binaries)), make([]error, goroutines)
	programs := make(chan *cl.Program, len(binaries))
	for _, binary := range binaries {
		next <- binary
	}
	close(next)
	var running sync.WaitGroup
	start()
	for i := range goroutines {
		running.Go(func() {
			for binary := range next {
				p, err := context.CreateProgramWithBinary([]*cl.Device{d}, [][]byte{binary})
				if err == nil {
					programs <- p
					err = p.BuildProgram([]*cl.Device{d}, "-cl-std=CL1.2 -cl-kernel-arg-info")
				}
				if err != nil {
					errs[i] = err
					return
				}
			}
		})
	}
	running.Wait()
	stop()
	close(programs)
	for p := range programs {
		p.Release()
	}
	for _, err := range errs {
		if err != nil {
			return err
		}
	}
	return nil
}
