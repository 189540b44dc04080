//go:build !unix

package device

// trusted is true: access is not decided by owners and modes here.
func trusted(string) bool { return true }
