//go:build !linux

package addressspace

// Resident is the most memory that the process has had at once, as the system counts it; 0 if it does not tell.
func Resident() int64 { return 0 }

// AdviseHuge asks the system for huge pages. Other systems than Linux decide for themselves.
func AdviseHuge([]byte) {}
