// Package intmath rounds integers up.
package intmath

// CeilDiv is n / d, rounded up. n is not negative, d is positive.
func CeilDiv(n, d int) int { return (n + d - 1) / d }

// RoundUp is the least multiple of d that is not below n.
func RoundUp(n, d int) int { return CeilDiv(n, d) * d }
