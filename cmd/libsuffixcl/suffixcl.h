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
 * Units       Positions, lengths and slots count characters of 8 bits, from 0. Memory is in bytes.
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
} suffixcl_options;

/* suffixcl is a device that is open. */
typedef struct suffixcl suffixcl;

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

/* suffixcl_verify returns SUFFIXCL_MISMATCH unless sa [n] is the suffix array of text [n]. Linear time. */
int suffixcl_verify(suffixcl *s, const uint8_t *text, uint64_t n, const uint32_t *sa);

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
