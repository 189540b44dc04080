package device

// MaxLen is the longest text in bytes, and the longest array of its suffixes: positions are 32-bit words, and one value
// stays free.
const MaxLen = 1<<32 - 2
