// smem.cl: super-maximal exact matches (SMEMs) of queries in an index of DNA that has both strands (Li 2012, Exploring
// single-sample SNP and INDEL calling with whole-genome de novo assembly; Gagie 2024, How to find long maximal exact
// matches and ignore short ones). This is the first part of its programs:
//
//   smem_dna.cl     the engine of transforms of four letters in blocks
//   smem_runs.cl    the engine of run-length transforms, after rlbwt.cl
//   smem_search.cl  the kernels, after one of these
//
// Letters are 0 to 3 (A, C, G, T) and OTHER. An engine has INDEX_PARAMS and INDEX_ARGS; LETTERS, how many letters are
// searched for; whole, the interval of the empty string; single, that of a letter; extend, that of a string with a
// letter more. `rows` is the number of rows, `before` how many rows begin with a lesser letter.
//
// It has no kernels: launch shape and local memory are those of the other parts.

#define OTHER 4u

// The rows that begin with a string, and those that begin with its reverse complement: as many.
typedef struct {
    ulong row, other, size;
} interval;

inline uint complement(uint letter) { return letter < OTHER ? 3 - letter : letter; }
