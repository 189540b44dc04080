//go:build 386 || arm || mips || mipsle || wasm

package cl

// Lengths, positions and sizes of device memory are ints, and pointers of the driver are 64 bits wide. On platforms of
// 32 bits the next line ends the build, with a message that says so.
var _ = suffixcl_needs_a_64_bit_platform
