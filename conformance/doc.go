// Package conformance holds test suites that any implementation of suffix
// arrays, LCP arrays, Burrows-Wheeler transforms and verifiers can be put
// through, together with the inputs and the oracles they rest on.
//
// A suite takes the implementation as a function on plain slices, so it knows
// nothing of devices, buffers or options:
//
//	func TestSuffixArray(t *testing.T) {
//		build := func(ctx context.Context, text []byte) ([]uint32, error) { … }
//		conformance.Run(t, conformance.SuffixArray(build, conformance.Full()))
//	}
//
// Every suite is a list of [Case] values, each of which returns an error. [Run] runs
// them as subtests; outside "go test" they can be run one by one.
//
// # Reproducing a failure
//
// All inputs are deterministic. Every failure
// names the class, size and seed of its input, which [NewText] turns back into
// the same bytes. The environment variable SUFFIXCL_SEED sets the seed of all
// suites: a number, or "random" for a new one at each run.
//
// # Conventions
//
// Suffix arrays have n entries for a text of n bytes; a suffix that is a prefix
// of another sorts before it; bytes compare unsigned. LCP[0] is 0 and LCP[i]
// is the length of the longest common prefix of the suffixes SA[i-1] and SA[i].
// The BWT has n bytes, the end marker's row left out, and a primary index as
// libdivsufsort and libsais define it; see [ReferenceBWT].
package conformance
