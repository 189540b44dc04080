// radixsort.cl: stable LSD radix sort of (key, value) pairs, or of keys, by the bits that the host cuts into digits
// of at most 8. This is the first part of its programs:
//
//   radixsort_histogram.cl  how often each digit occurs, for all passes at once
//   radixsort_onesweep.cl   one pass in one kernel: tiles find their places by decoupled look-back (Adinets &
//                           Merrill 2022). The device has to let a work-group wait for one with a lower ticket
//   radixsort_reduce.cl     one pass by counting digits per tile and, after scan.cl has scanned the counts, writing
//                           (Satish, Harris & Garland 2009; Merrill & Grimshaw 2011)
//   radixsort_chunks.cl     the same for CPUs, with one work-item a chunk of pairs
//
// K, V       key and value types; HAS_VALUES 0 sorts keys alone
// DIGIT      bits [shift, shift + bits) of a key, bits <= 8
// n          number of pairs, below 2^32
//
// Template parameters, so that the first pass can compute the pairs that it sorts:
//   RADIX_PARAMS         kernel parameters, each preceded by a comma
//   RADIX_LOAD_KEY(i)    key of pair i (ulong); evaluated up to three times
//   RADIX_LOAD_VALUE(i)  value of pair i; evaluated once
// and so that the last pass can write something else than the pairs:
//   RADIX_LAST_PARAMS             more kernel parameters, after RADIX_PARAMS
//   RADIX_STORE_KEY(to, key)      writes what comes of a key to its place
//   RADIX_STORE_VALUE(to, value)  the same of a value
//
//   RADIX_FIRST, RADIX_END, RADIX_COUNT_AT
//                        other tiles than all pairs in order, for radixsort_reduce.cl and radixsort_chunks.cl:
//                        radixsegments.cl
//
// Launch: work-groups of WG; the kernels say how many. It has no local memory of its own.

#ifndef K
#error "K: key type"
#endif
#ifndef HAS_VALUES
#error "HAS_VALUES: 1 or 0"
#endif
#if HAS_VALUES && !defined(V)
#error "V: value type"
#endif

#define RADIX 256
#define RADIX_BITS 8
#define DIGIT(key) ((uint)((key) >> shift) & mask)

// The kernels' values, and what the passes without a template read.
#if HAS_VALUES
#define VALUES_OUT , __global V *values_out
#define IF_VALUES(statement) statement
#else
#define VALUES_OUT
#define IF_VALUES(statement)
#endif
#ifndef RADIX_PARAMS
#define RADIX_LOAD_KEY(i) keys_in[i]
#define RADIX_LOAD_VALUE(i) values_in[i]
#if HAS_VALUES
#define RADIX_PARAMS , __global const K *keys_in, __global const V *values_in
#else
#define RADIX_PARAMS , __global const K *keys_in
#endif
#endif
#ifndef RADIX_LAST_PARAMS
#define RADIX_LAST_PARAMS
#define RADIX_STORE_KEY(to, key) keys_out[to] = key
#define RADIX_STORE_VALUE(to, value) values_out[to] = value
#define RADIX_STORES_PAIRS
#endif
