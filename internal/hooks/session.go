package hooks

import "time"

// Session is work that a session of package device does for tests and measurements only. A field that is nil or false
// adds none.
type Session struct {
	// Signatures has the arguments of each launch compared with the declaration of the kernel, where the driver
	// tells that. A difference fails the launch.
	Signatures bool
	// Edit returns the text that is compiled in place of that of a program.
	Edit func(text string) string
	// Fill returns the bytes of memory that nothing has been written to: of a new buffer, and of each piece carved from a
	// workspace. It is asked for so many bytes, and once more for the rest if it returns fewer.
	Fill func(bytes int64) []byte
	// Bounds returns poison for so many bytes, or for the first of them. It has each launch checked: kernels must touch
	// nothing but the views that they are given. See redzones.go and bounds.go of package device.
	Bounds func(bytes int64) []byte
	// Built is told of each program that was compiled or loaded, with its kernels.
	Built func(program string, kernels []string)
	// Ahead is told of each program that is to be built before its first launch, with the kernels that are certain.
	Ahead func(program string, kernels []string)
	// Launched is told of each launch.
	Launched func(kernel string, groups int)
	// Timed is told of each launch, fill and copy of a session with a profile when it has ended, in their order. The
	// times are those of the device's clock.
	Timed func(phase, kernel string, began, ended time.Duration)
	// ReadBack is told what Buffer.Read returns: counts, as a rule, by which the host goes on.
	ReadBack func(memory []byte)
}
