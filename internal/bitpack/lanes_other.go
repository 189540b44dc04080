//go:build !amd64

package bitpack

// Vectors tells whether there are vector instructions that pack.
func Vectors() bool { return false }

// lanes are for other processors.
type lanes struct{}

func newLanes(*[256]uint32, int) *lanes { return nil }

func (*lanes) eights(*[batch]eights, *[batch * unit]byte) bool {
	panic("bitpack: no vector instructions")
}
