package device_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/suffixcl/suffixcl/device"
	"github.com/suffixcl/suffixcl/internal/testkit/devicetest"
	"github.com/suffixcl/suffixcl/internal/tuned"
)

// BenchmarkLaunch is what a launch and a wait cost in addition to the work itself: short texts consist
// of little else.
func BenchmarkLaunch(b *testing.B) {
	for _, d := range devicetest.Devices(b) {
		for _, profile := range []bool{false, true} {
			s := open(b, d, device.Config{Profile: profile})
			wg, items := tuned.Of(s).Map.WG, tuned.Of(s).Map.Items
			p := s.Program(device.Source{
				Files: []string{"verify.cl"}, Defines: device.Defines{"WG": wg, "ITEMS": items},
			})
			k := p.Kernel("verify_order", wg)
			require.NoError(b, k.Make())
			text, words := from(b, s, make([]uint8, 16)), from(b, s, make([]uint32, 16))
			pinned, err := device.AllocPinned[uint32](s, 16)
			require.NoError(b, err)
			host := make([]uint32, 16)
			for name, f := range map[string]func(i int){
				"launch":            func(i int) { k.Launch(1, 0, text, words, uint64(i%16), words, words) },
				"launch, same":      func(i int) { k.Launch(1, 0, text, words, uint64(0), words, words) },
				"launch of 100":     func(i int) { k.Launch(100, 0, text, words, uint64(i%16), words, words) },
				"fill":              func(i int) { words.Fill(uint32(i)) },
				"read":              func(i int) { words.Read(host) },
				"read pinned":       func(i int) { words.Read(pinned.Slice()) },
				"launch and read":   func(i int) { k.Launch(1, 0, text, words, uint64(i%16), words, words); words.Read(host) },
				"launch and finish": func(i int) { k.Launch(1, 0, text, words, uint64(i%16), words, words); s.Finish() },
				"write":             func(i int) { words.Write(host) },
				"10 launches, read": func(i int) {
					for range 10 {
						k.Launch(1, 0, text, words, uint64(i%16), words, words)
					}
					words.Read(host)
				},
			} {
				b.Run(fmt.Sprintf("%s/profile=%t/%s", d.Name(), profile, name), func(b *testing.B) {
					for i := range b.N {
						f(i)
						if i%1000 == 999 {
							require.NoError(b, s.Finish())
						}
					}
					require.NoError(b, s.Finish())
				})
			}
			text.Release()
			words.Release()
		}
	}
}
