/*
 * suffixcl: suffix arrays and what is made of them, on OpenCL devices, for C, C++ and whatever calls C.
 *
 *     suffixcl *s;
 *     if (suffixcl_open(NULL, &s) != SUFFIXCL_DONE) { fprintf(stderr, "%s\n", suffixcl_message()); return 1; }
 *     suffixcl_suffix_array(s, text, n, sa);
 *     suffixcl_close(s);
 *
 * Results     Every function that returns int returns a status, 0 where all is well. A result is written to memory of
 *             the caller, and holds anything where the status is not 0. Results overlap neither each other nor inputs.
 * Ownership   The library keeps no pointer that it is given, but for those of a progress function. Nothing that it
 *             returns has to be freed but handles, which are closed. No character ends a text: it has a length.
 * Empty       Lengths of 0 are allowed everywhere; pointers may be NULL then.
 * Units       Positions, lengths and slots count symbols of the text, from 0: characters of 8 bits, if nothing else is
 *             said. Memory is in bytes.
 * Structures  The first field of each is its size, as the caller was compiled. Later versions have more fields at the
 *             end. A library takes structures of earlier versions. It refuses later ones, unless the fields that it does
 *             not know are 0. A structure of zeros with its size asks for what is usual.
 * Messages    suffixcl_message() tells what the last call of the thread that failed has to say.
 * Threads     All functions may be called from several threads at once. Calls on one handle of suffixcl_open() run one
 *             after the other; a handle of suffixcl_ranks_open() takes one call at a time.
 * Processes   The library has a Go runtime, with threads of its own: use it after fork(), not before.
 */
#ifndef SUFFIXCL_H
#define SUFFIXCL_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* What calls return. Those below 6 and SUFFIXCL_INTERRUPTED are the exit codes of the command suffixcl. */
enum {
	SUFFIXCL_DONE = 0,
	SUFFIXCL_FAILED = 1,        /* the device, the driver or MPI failed; the message says which and where */
	SUFFIXCL_USAGE = 2,         /* wrong arguments, or a handle that is closed */
	SUFFIXCL_NO_DEVICE = 3,     /* no usable OpenCL device; the message says what to install */
	SUFFIXCL_MEMORY = 4,        /* does not fit into memory, or the text is too long; the message has the numbers */
	SUFFIXCL_MISMATCH = 5,      /* an array or transform is wrong; the message has the first wrong entry */
	SUFFIXCL_RANK = 6,          /* another rank failed; the message has its number and reason */
	SUFFIXCL_INTERRUPTED = 130  /* ended by suffixcl_cancel() or suffixcl_ranks_cancel() */
};

/* suffixcl_progress is told that done of total units of a phase are done, from a thread of the library or of the
 * caller. A total of 0 is not known. It returns soon, calls nothing of this library, and neither longjmp() nor an
 * exception leaves it. phase is there until it returns. */
typedef void (*suffixcl_progress)(void *data, const char *phase, int64_t done, int64_t total);

/* suffixcl_options say how to open a device. All zero but for size: the fastest device, all its memory. */
typedef struct suffixcl_options {
	size_t size;                /* sizeof(suffixcl_options): what the caller was compiled with */
	const char *device;         /* "auto", "gpu", "cpu", an index, words of its name; NULL: $SUFFIXCL_DEVICE or "auto" */
	const char *algorithm;      /* as the command's --algorithm; NULL: the fastest. Over ranks "pcss" or "pdc3" */
	int64_t max_memory;         /* most device memory to use, in bytes; 0: what the device has. Over ranks also what rank
	                               0 may take to sort for others that share its CPU; 0: 30 a character of its block */
	suffixcl_progress progress; /* or NULL */
	void *progress_data;        /* what progress is given first */
	const char *command;        /* path of the command suffixcl, of which several processes build the programs of the
	                               first call on a device; NULL: the library starts no process. Not over ranks */
} suffixcl_options;

/* suffixcl is a device that is open. */
typedef struct suffixcl suffixcl;

/* suffixcl_index is an FM-index on a device, and suffixcl_matcher a text with its suffix array there. */
typedef struct suffixcl_index suffixcl_index;
typedef struct suffixcl_matcher suffixcl_matcher;

/* suffixcl_text is a text of bytes, one of symbols that compare as numbers, or a set of texts of bytes. Symbols are not
 * copied on the host but for a set with offsets. A set has a terminator after each text, whatever the texts hold; its
 * positions count terminators, too: N is n, and with offsets n + texts. */
typedef struct suffixcl_text {
	size_t size;
	const void *symbols;        /* [n], in this machine's byte order; NULL in a call that only plans */
	uint64_t n;
	uint64_t symbol_bytes;      /* 1, 2 or 4; 0 stands for 1 */
	const uint64_t *offsets;    /* of a set: text k is symbols[offsets[k]] to symbols[offsets[k+1] - 1]; [texts + 1], from 0
	                               to n. Each gets a terminator 0 in a copy. NULL: no set, or one with ends */
	const uint32_t *ends;       /* of a set with terminators in symbols: ends[k] is the place of that of text k; [texts],
	                               the last of them n - 1. NULL: no set, or one with offsets */
	uint64_t texts;             /* how many texts a set has */
} suffixcl_text;

/* suffixcl_plan, where a call of a job is given one, is what the job takes. Then the call computes nothing, writes no
 * result, and calls no function that takes one. SUFFIXCL_MEMORY where the device has no room. */
typedef struct suffixcl_plan {
	size_t size;
	int64_t device;             /* most device memory at a time, in bytes */
	int64_t host;               /* most host memory of the library at a time: that of text and results is the caller's */
	char *table;                /* [table_size]: the phases in a table for people, as much of it as there is room for, with a
	                               0 at the end; or NULL */
	size_t table_size;
} suffixcl_plan;

/* suffixcl_want says which arrays suffixcl_arrays() makes: those that are not NULL, of N entries each. */
typedef struct suffixcl_want {
	size_t size;
	const char *order;          /* of suffixes: "plain", "end-largest", "specials-largest" or "memory"; NULL: "plain" */
	const char *letters;        /* those that are not special, in the order specials-largest; NULL: "ACGT" */
	const uint32_t *known;      /* the suffix array [N], which is verified and not computed; or NULL */
	uint32_t *sa;               /* suffix array */
	uint32_t *lcp;              /* LCP array */
	void *transform;            /* Burrows-Wheeler transform, of symbols of the text's width */
	uint64_t *primary;          /* its primary index; not NULL with transform */
	uint32_t *documents;        /* document array, of a set: the number of the text in which each suffix begins */
	suffixcl_plan *plan;
} suffixcl_want;

/* suffixcl_repeat_options of suffixcl_repeats(). */
typedef struct suffixcl_repeat_options {
	size_t size;
	uint64_t min_length;        /* from which on repeats count; 0 and 1: all */
	int32_t reverse_complement; /* not 0: the text is DNA, and what occurs on the other strand is a repeat, too */
	int32_t reserved;           /* 0 */
	suffixcl_plan *plan;
} suffixcl_repeat_options;

/* suffixcl_intervals are intervals of an LCP array, inner nodes of the suffix tree: m entries of each array. */
typedef struct suffixcl_intervals {
	size_t size;
	uint64_t m;
	const uint32_t *left, *right; /* first and last slot of the suffix array */
	const uint32_t *depth;      /* length of the prefix that the suffixes have in common */
	const uint32_t *position;   /* where the suffix of slot left begins */
	const uint32_t *documents;  /* of a set: how many texts have the prefix; else NULL */
} suffixcl_intervals;

/* What intervals of interval_options.best have most of. */
enum { SUFFIXCL_BY_COUNT = 0, SUFFIXCL_BY_DEPTH = 1, SUFFIXCL_BY_AREA = 2 };

/* suffixcl_interval_options of suffixcl_each_interval(). A limit of 0 is none. */
typedef struct suffixcl_interval_options {
	size_t size;
	uint64_t min_depth, max_depth;         /* length of the common prefix */
	uint64_t min_count, max_count;         /* number of occurrences */
	uint64_t min_documents, max_documents; /* of a set: number of texts with the prefix */
	uint64_t best;              /* not 0: so many of the highest scores, the highest first */
	int32_t by;                 /* SUFFIXCL_BY_COUNT, _DEPTH or _AREA: the score */
	int32_t left_maximal;       /* not 0: different symbols stand before the occurrences */
	int32_t supermaximal;       /* not 0: repeats that are in no longer one */
	int32_t reserved;           /* 0 */
	suffixcl_plan *plan;
} suffixcl_interval_options;

/* suffixcl_match is an exact match of a reference and a query. */
typedef struct suffixcl_match {
	uint32_t reference;         /* position in the reference: in that of a set as N counts */
	uint32_t query;             /* position in the strand of the query's text */
	uint32_t length;
} suffixcl_match;

/* suffixcl_matches are matches [m] of one strand of a text of the queries. */
typedef struct suffixcl_matches {
	size_t size;
	uint64_t m;
	const suffixcl_match *matches;
	uint64_t text;              /* number of the text, from 0 */
	int32_t reverse;            /* not 0: query counts on the reverse complement of the text */
	int32_t reserved;
} suffixcl_matches;

/* Kinds of matches, all of them maximal, and strands. */
enum { SUFFIXCL_UNIQUE_IN_REFERENCE = 0, SUFFIXCL_MAXIMAL_UNIQUE = 1, SUFFIXCL_MAXIMAL_EXACT = 2 };
enum { SUFFIXCL_FORWARD = 0, SUFFIXCL_REVERSE = 1, SUFFIXCL_BOTH_STRANDS = 2 };

/* suffixcl_match_options of suffixcl_each_match(). */
typedef struct suffixcl_match_options {
	size_t size;
	uint64_t min_length;        /* 0: 20 */
	int32_t kind, strands;
	const char *letters;        /* those that match; NULL: all bytes but 0 match as they are */
	suffixcl_plan *plan;
} suffixcl_match_options;

/* suffixcl_occurrence is one of a match of several genomes. */
typedef struct suffixcl_occurrence {
	uint32_t genome, text;      /* numbers of the genome, and of the text in it */
	uint32_t position;          /* of its first letter on the forward strand of the text */
	int32_t reverse;            /* not 0: its reverse complement is there */
} suffixcl_occurrence;

/* suffixcl_multi_match is an exact match of several genomes, with its occurrences [count]. */
typedef struct suffixcl_multi_match {
	size_t size;
	uint64_t length, count;
	const suffixcl_occurrence *occurrences;
} suffixcl_multi_match;

/* suffixcl_multi_match_options of suffixcl_each_multi_match(). A limit of 0 is none. */
typedef struct suffixcl_multi_match_options {
	size_t size;
	uint64_t min_length;        /* 0: 20 */
	uint64_t min_genomes;       /* 0: all */
	uint64_t most_each, most_count; /* occurrences in a genome, and in all; most_each 1: multi-MUMs */
	int32_t both_strands, reserved;
	const char *letters;        /* as of suffixcl_match_options */
	suffixcl_plan *plan;
} suffixcl_multi_match_options;

/* suffixcl_mappability are values [m] of positions first to first + m - 1 of a text. */
typedef struct suffixcl_mappability {
	size_t size;
	uint64_t k;                 /* length whose frequencies they are; 0: lengths of shortest unique substrings */
	uint64_t text, first, m;
	const uint32_t *values;     /* 0 where there is no such substring */
} suffixcl_mappability;

/* suffixcl_mappability_options of suffixcl_each_mappability(). */
typedef struct suffixcl_mappability_options {
	size_t size;
	const uint64_t *k;          /* [lengths], each at least 1: the lengths whose frequencies are wanted */
	uint64_t lengths;
	int32_t unique;             /* not 0: the lengths of shortest unique substrings, too */
	int32_t both_strands;       /* not 0: what occurs on the other strand counts as well */
	const char *letters;        /* as of suffixcl_match_options */
	suffixcl_plan *plan;
} suffixcl_mappability_options;

/* suffixcl_range is symbols start to end - 1 of a text. */
typedef struct suffixcl_range {
	uint64_t start, end;
} suffixcl_range;

/* suffixcl_duplicate_options of suffixcl_each_duplicate(). */
typedef struct suffixcl_duplicate_options {
	size_t size;
	uint64_t length;            /* of windows, in symbols: from 2 to 2^30 */
	uint64_t min_count;         /* least number of occurrences of a duplicate; 0: 2 */
	const uint64_t *documents;  /* [documents_count + 1]: where each document begins, in symbols, from 0, and the length of
	                               the text; NULL: it is one document. No window crosses their ends */
	uint64_t documents_count;
	uint64_t other;             /* not 0: the start of a document, with which a second set of documents begins. What is
	                               before it and occurs in that set is a duplicate */
	int32_t keep_first;         /* not 0: all occurrences but the first are duplicates, else all */
	int32_t both;               /* not 0, with other: what is from other on and occurs before it, too */
	uint64_t *windows;          /* number of duplicates; or NULL */
	suffixcl_plan *plan;
} suffixcl_duplicate_options;

/* suffixcl_block is a part of the results of suffixcl_each_block(), valid until the function returns. */
typedef struct suffixcl_block {
	size_t size;
	uint64_t first, length;     /* slots of sa, and of lcp */
	const uint64_t *sa;         /* [length] if wanted, else NULL, as the others */
	const uint8_t *packed;      /* [5 * length], little-endian */
	const uint64_t *lcp;
	const uint8_t *transform;   /* [transform_length] */
	uint64_t transform_first, transform_length;
} suffixcl_block;

/* suffixcl_block_options of suffixcl_each_block(). */
typedef struct suffixcl_block_options {
	size_t size;
	int32_t sa, packed, lcp, transform; /* not 0: wanted; packed in place of sa */
	uint64_t *primary;          /* primary index of the transform; or NULL */
	suffixcl_plan *plan;
} suffixcl_block_options;

/* suffixcl_repeat_part is what suffixcl_each_repeat() finds for positions first to first + m - 1. */
typedef struct suffixcl_repeat_part {
	size_t size;
	uint64_t first, m;
	const uint32_t *start;      /* [m]: of the leftmost of the longest repeats that cover the position */
	const uint32_t *length;     /* [m]: 0 where there is none */
} suffixcl_repeat_part;

/* suffixcl_streamed is the result of a text [n] of suffixcl_stream(): its suffix array, or its transform. */
typedef struct suffixcl_streamed {
	size_t size;
	uint64_t text, n;           /* number of the text, from 0, and its length in bytes */
	const uint32_t *sa;         /* [n]; NULL where transforms are wanted */
	const uint8_t *transform;   /* [n]; NULL where they are not */
	uint64_t primary;           /* primary index of the transform */
} suffixcl_streamed;

/* suffixcl_stream_options of suffixcl_stream(). */
typedef struct suffixcl_stream_options {
	size_t size;
	uint64_t longest;           /* most bytes that a text has */
	int32_t transform;          /* not 0: transforms are wanted, else suffix arrays */
	int32_t reserved;           /* 0 */
	suffixcl_plan *plan;
} suffixcl_stream_options;

/* What a function returns that has no text. */
enum {
	SUFFIXCL_NO_MORE = -1,      /* all texts were given */
	SUFFIXCL_STOP = -2          /* the call ends, and returns SUFFIXCL_INTERRUPTED */
};

/* suffixcl_next_text writes the next text to text, where there is room for so many bytes, and returns its length, or
 * what is above. It calls nothing of this library, and neither longjmp() nor an exception leaves it. */
typedef int64_t (*suffixcl_next_text)(void *data, uint8_t *text, uint64_t room);

/* Functions that take parts of results, from a thread of the library or of the caller, one at a time. What they are
 * given is there until they return. 0 goes on. Anything else ends the call, which returns SUFFIXCL_INTERRUPTED. They call
 * nothing of this library, and neither longjmp() nor an exception leaves them. */
typedef int (*suffixcl_take_repeats)(void *data, const suffixcl_repeat_part *part);
typedef int (*suffixcl_take_streamed)(void *data, const suffixcl_streamed *part);
typedef int (*suffixcl_take_intervals)(void *data, const suffixcl_intervals *part);
typedef int (*suffixcl_take_matches)(void *data, const suffixcl_matches *part);
typedef int (*suffixcl_take_multi_match)(void *data, const suffixcl_multi_match *part);
typedef int (*suffixcl_take_mappability)(void *data, const suffixcl_mappability *part);
typedef int (*suffixcl_take_ranges)(void *data, const suffixcl_range *ranges, uint64_t m);
typedef int (*suffixcl_take_block)(void *data, const suffixcl_block *part);
typedef int (*suffixcl_take_bytes)(void *data, const uint8_t *bytes, uint64_t n);

/* suffixcl_index_options of suffixcl_index_build(). */
typedef struct suffixcl_index_options {
	size_t size;
	uint64_t sample_every;      /* of so many positions one is kept to locate occurrences; 0: the index only counts */
	int32_t dna;                /* not 0: only A, C, G, T and U match, in both cases */
	int32_t reserved;           /* 0 */
	suffixcl_plan *plan;
} suffixcl_index_options;

/* suffixcl_matcher_options of suffixcl_matcher_build(). */
typedef struct suffixcl_matcher_options {
	size_t size;
	const uint32_t *known;      /* the suffix array [N], which is verified and not computed; or NULL */
	int32_t dna;                /* as of suffixcl_index_options */
	int32_t documents;          /* not 0: for suffixcl_matcher_count_documents(), of a set */
	suffixcl_plan *plan;
} suffixcl_matcher_options;

/* suffixcl_patterns are patterns to search for: pattern q is symbols[offsets[q]] to symbols[offsets[q+1] - 1]. */
typedef struct suffixcl_patterns {
	size_t size;
	const void *symbols;        /* of the width of the text's, in this machine's byte order */
	uint64_t symbol_bytes;      /* 0 stands for 1 */
	const uint64_t *offsets;    /* [count + 1], ascending from 0 */
	uint64_t count;
} suffixcl_patterns;

/* suffixcl_run_options of suffixcl_run(). */
typedef struct suffixcl_run_options {
	size_t size;
	suffixcl_take_bytes output; /* takes what the command would write to standard output; NULL: it is dropped */
	void *output_data;
	suffixcl_take_bytes errors; /* the same of standard error: notes, summaries, errors */
	void *errors_data;
	const char *input;          /* file that is standard input; NULL: it is empty */
	suffixcl_progress progress; /* or NULL */
	void *progress_data;
	const char *command;        /* as of suffixcl_options */
} suffixcl_run_options;

/* suffixcl_ranks is a device that is open, and the ranks of an MPI communicator that compute together. */
typedef struct suffixcl_ranks suffixcl_ranks;

#ifndef SUFFIXCL_NO_PROTOTYPES

/* suffixcl_message is what the last call that failed on this thread has to say, in UTF-8 and at most 4,095 bytes: "" if
 * none has. It is there until the next call that fails on this thread. */
const char *suffixcl_message(void);

/* suffixcl_version is that of the library, such as "v0.1.0". */
const char *suffixcl_version(void);

/* suffixcl_open opens a device; options may be NULL. *made is NULL where it fails.
 * SUFFIXCL_USAGE for options that do not exist, SUFFIXCL_NO_DEVICE, SUFFIXCL_MEMORY. */
int suffixcl_open(const suffixcl_options *options, suffixcl **made);

/* suffixcl_close waits for the call that runs, and closes the device. NULL does nothing. */
int suffixcl_close(suffixcl *s);

/* suffixcl_cancel ends the calls that run or wait: they return SUFFIXCL_INTERRUPTED soon. Later calls are not
 * touched. */
int suffixcl_cancel(suffixcl *s);

/* suffixcl_suffix_array sorts the suffixes of text [n]: sa [n] are their positions. n is at most 2^32 - 2. */
int suffixcl_suffix_array(suffixcl *s, const uint8_t *text, uint64_t n, uint32_t *sa);

/* suffixcl_lcp makes the LCP array of text [n]: lcp [n], entry j is the length of the longest common prefix of the
 * suffixes in slots j-1 and j of the suffix array, entry 0 is 0. sa [n] is the suffix array, which is verified first,
 * or NULL. */
int suffixcl_lcp(suffixcl *s, const uint8_t *text, uint64_t n, const uint32_t *sa, uint32_t *lcp);

/* suffixcl_ranges makes arrays of text [n] range by range, in the memory that the device has: n is at most 2^36. What is
 * wanted of sa [n], lcp [n] and transform [n] is not NULL; all of them are those of the functions above and below, with
 * places of 64 bits. *primary is the index of the transform, and may be NULL without one.
 * SUFFIXCL_MEMORY where not even one range fits. */
int suffixcl_ranges(suffixcl *s, const uint8_t *text, uint64_t n, uint64_t *sa, uint64_t *lcp, uint8_t *transform,
	uint64_t *primary);

/* suffixcl_bwt transforms text [n]: transform [n], the row of the end marker left out, and the primary index, which is
 * 1 and the slot of the whole text; 0 for the empty one. */
int suffixcl_bwt(suffixcl *s, const uint8_t *text, uint64_t n, uint8_t *transform, uint64_t *primary);

/* suffixcl_inverse_bwt makes text [n] of transform [n] and its primary index. SUFFIXCL_MISMATCH where they are of no
 * text. */
int suffixcl_inverse_bwt(suffixcl *s, const uint8_t *transform, uint64_t n, uint64_t primary, uint8_t *text);

/* suffixcl_inverse_bwt_plan is what that takes for a transform of n bytes. Nothing is computed. */
int suffixcl_inverse_bwt_plan(suffixcl *s, uint64_t n, suffixcl_plan *plan);

/* suffixcl_verify returns SUFFIXCL_MISMATCH unless sa [n] is the suffix array of text [n]. Linear time. */
int suffixcl_verify(suffixcl *s, const uint8_t *text, uint64_t n, const uint32_t *sa);

/*
 * Jobs. Each takes a text, options, and for results in parts a function with its data. Options may be NULL.
 */

/* suffixcl_arrays makes arrays of a text, which is sorted once: those that want has. */
int suffixcl_arrays(suffixcl *s, const suffixcl_text *text, const suffixcl_want *want);

/* suffixcl_verify_arrays returns SUFFIXCL_MISMATCH unless the arrays of want are those of the text. sa is not NULL. Its
 * plan is that of suffixcl_arrays() with want.known. */
int suffixcl_verify_arrays(suffixcl *s, const suffixcl_text *text, const suffixcl_want *want);

/* suffixcl_repeats finds the longest repeats that cover each position: start [N] of the leftmost of them, and length
 * [N]; 0 where there is none. */
int suffixcl_repeats(suffixcl *s, const suffixcl_text *text, const suffixcl_repeat_options *options, uint32_t *start,
	uint32_t *length);

/* suffixcl_each_repeat is the same in parts, in the order of the text: the host has to hold no result. */
int suffixcl_each_repeat(suffixcl *s, const suffixcl_text *text, const suffixcl_repeat_options *options,
	suffixcl_take_repeats take, void *data);

/* suffixcl_each_interval finds intervals of the LCP array. Parts come in the order of the suffix array. */
int suffixcl_each_interval(suffixcl *s, const suffixcl_text *text, const suffixcl_interval_options *options,
	suffixcl_take_intervals take, void *data);

/* suffixcl_each_match finds matches of a reference and queries, both of bytes: for each text and strand of the queries a
 * part at least. No text holds a 0. */
int suffixcl_each_match(suffixcl *s, const suffixcl_text *reference, const suffixcl_text *queries,
	const suffixcl_match_options *options, suffixcl_take_matches take, void *data);

/* suffixcl_each_multi_match finds exact matches of genomes [count], each a set or a text of bytes. */
int suffixcl_each_multi_match(suffixcl *s, const suffixcl_text *genomes, uint64_t count,
	const suffixcl_multi_match_options *options, suffixcl_take_multi_match take, void *data);

/* suffixcl_each_mappability tells how often the k-mer of each position occurs: for each length, text by text. */
int suffixcl_each_mappability(suffixcl *s, const suffixcl_text *text, const suffixcl_mappability_options *options,
	suffixcl_take_mappability take, void *data);

/* suffixcl_each_duplicate finds what windows that occur several times cover, in the order of the text, which is no set
 * and may be longer than device memory. options is not NULL. */
int suffixcl_each_duplicate(suffixcl *s, const suffixcl_text *text, const suffixcl_duplicate_options *options,
	suffixcl_take_ranges take, void *data);

/* suffixcl_each_block sorts a text of up to 2^36 bytes, no set, in ranges. Neither device nor host has to hold a result,
 * which comes in blocks. */
int suffixcl_each_block(suffixcl *s, const suffixcl_text *text, const suffixcl_block_options *options,
	suffixcl_take_block take, void *data);

/* suffixcl_stream makes the suffix arrays of many texts of bytes, or their transforms: those of small texts in batches,
 * each in one launch. Transfers run while others are sorted. next is called for each text, and for up to two batches
 * before take gets the first result. Results come in the order of the texts. Both are called on the thread that called.
 * options is not NULL. SUFFIXCL_MEMORY for a text that is longer than options.longest. */
int suffixcl_stream(suffixcl *s, const suffixcl_stream_options *options, suffixcl_next_text next, void *next_data,
	suffixcl_take_streamed take, void *take_data);

/*
 * Indexes and matchers. Those of a handle that is closed are closed, too. Calls run one after the other with those of the
 * handle, and suffixcl_cancel() ends them, too.
 */

/* suffixcl_index_build makes the FM-index of a text, which is no set. *made is NULL where it fails. */
int suffixcl_index_build(suffixcl *s, const suffixcl_text *text, const suffixcl_index_options *options,
	suffixcl_index **made);

/* suffixcl_index_load reads a file of suffixcl_index_save() or of the command. */
int suffixcl_index_load(suffixcl *s, const char *file, suffixcl_index **made);

/* suffixcl_index_save writes a file, which has its name when it is complete. */
int suffixcl_index_save(suffixcl_index *x, const char *file);

/* suffixcl_index_describe says what is indexed: symbols, bytes of each, and of how many positions one is kept. Pointers
 * may be NULL. */
int suffixcl_index_describe(suffixcl_index *x, uint64_t *n, uint64_t *symbol_bytes, uint64_t *sample_every);

/* suffixcl_index_count counts the occurrences of patterns [count]: counts [count]. */
int suffixcl_index_count(suffixcl_index *x, const suffixcl_patterns *patterns, uint32_t *counts);

/* suffixcl_index_locate finds the occurrences of patterns [count]: those of pattern q are positions[first[q]] to
 * positions[first[q+1] - 1], ascending. first [count + 1] are the sums of the counts, from 0. */
int suffixcl_index_locate(suffixcl_index *x, const suffixcl_patterns *patterns, const uint64_t *first,
	uint32_t *positions);

/* suffixcl_index_close frees an index. NULL does nothing. */
int suffixcl_index_close(suffixcl_index *x);

/* suffixcl_matcher_build prepares a text for searches. *made is NULL where it fails. */
int suffixcl_matcher_build(suffixcl *s, const suffixcl_text *text, const suffixcl_matcher_options *options,
	suffixcl_matcher **made);

/* The same of a matcher. */
int suffixcl_matcher_count(suffixcl_matcher *m, const suffixcl_patterns *patterns, uint32_t *counts);
int suffixcl_matcher_locate(suffixcl_matcher *m, const suffixcl_patterns *patterns, const uint64_t *first,
	uint32_t *positions);
int suffixcl_matcher_close(suffixcl_matcher *m);

/* suffixcl_matcher_count_documents counts the texts of a set that have each pattern: counts [count]. */
int suffixcl_matcher_count_documents(suffixcl_matcher *m, const suffixcl_patterns *patterns, uint32_t *counts);

/*
 * Verbs of the command, in this process.
 */

/* suffixcl_run does what the command suffixcl does with words [count], the name of the command left out, and returns its
 * exit code. {"help", "--json"} describes all verbs. Runs follow one another. The current directory and the environment
 * are those of the process, the environment that of its start. options may be NULL. */
int suffixcl_run(const suffixcl_run_options *options, int count, const char *const *words);

/* suffixcl_run_cancel ends the runs that run or wait. They return SUFFIXCL_INTERRUPTED soon, and leave no files. */
int suffixcl_run_cancel(void);

/*
 * Over ranks. The program has initialised MPI, and finalises it; the library calls neither MPI_Init nor MPI_Finalize.
 *
 * A communicator is passed by its Fortran handle: MPI_Comm_c2f(comm) in C, comm in Fortran (comm%MPI_VAL of mpi_f08).
 * Every rank calls the same functions in the same order, as with collectives of MPI. Messages of the library mix with
 * none of the program, since each call duplicates the communicator. Calls of MPI are made on the thread that called the
 * library. So MPI_Init will do.
 *
 * A rank has a block of the text, that of suffixcl_ranks_block(), and gets the block of the array at the same places.
 * Places have 64 bits. A status is that of all ranks, in that either all return SUFFIXCL_DONE or none; the rank that
 * failed returns why, the others SUFFIXCL_RANK. After SUFFIXCL_INTERRUPTED, and where MPI failed, the program calls
 * MPI_Abort: what was begun cannot be taken back.
 */

/* suffixcl_ranks_block is the block of a rank of a text of n characters: *first is its place, *length how many there
 * are. The first n % ranks ranks have one more than the others. SUFFIXCL_USAGE unless 0 <= rank < ranks. */
int suffixcl_ranks_block(uint64_t n, int ranks, int rank, uint64_t *first, uint64_t *length);

/* suffixcl_ranks_open opens a device on each rank of a communicator, which lives until suffixcl_ranks_close(). Where
 * options (or NULL) and $SUFFIXCL_DEVICE name none, the ranks of a node are spread over its GPUs. All ranks call it.
 * *made is NULL where it fails. */
int suffixcl_ranks_open(const suffixcl_options *options, int communicator, suffixcl_ranks **made);

/* suffixcl_ranks_close closes the device of this rank. NULL does nothing. It does not wait for other ranks. */
int suffixcl_ranks_close(suffixcl_ranks *r);

/* suffixcl_ranks_cancel ends the call that runs on this rank, from another thread. Calls of other ranks wait for it until
 * they are cancelled, too, or the program is ended by MPI_Abort. */
int suffixcl_ranks_cancel(suffixcl_ranks *r);

/* suffixcl_ranks_suffix_array sorts the suffixes of the text of which block [length] is here: sa [length]. */
int suffixcl_ranks_suffix_array(suffixcl_ranks *r, const uint8_t *block, uint64_t length, uint64_t *sa);

/* suffixcl_ranks_lcp makes the LCP array of the text of which block [length] and sa [length] are here: lcp [length].
 * sa is not verified but for being positions. */
int suffixcl_ranks_lcp(suffixcl_ranks *r, const uint8_t *block, uint64_t length, const uint64_t *sa, uint64_t *lcp);

/* suffixcl_ranks_bwt transforms the text of which block [length] and sa [length] are here: transform [length], and on
 * all ranks the primary index. */
int suffixcl_ranks_bwt(suffixcl_ranks *r, const uint8_t *block, uint64_t length, const uint64_t *sa,
                       uint8_t *transform, uint64_t *primary);

/* suffixcl_ranks_verify returns SUFFIXCL_MISMATCH on all ranks unless sa [length] is the block of the suffix array. */
int suffixcl_ranks_verify(suffixcl_ranks *r, const uint8_t *block, uint64_t length, const uint64_t *sa);

#endif /* SUFFIXCL_NO_PROTOTYPES */

#ifdef __cplusplus
}
#endif

#endif /* SUFFIXCL_H */
