/* Every function of ranks, with good and bad arguments, on 3 ranks of a program that called MPI_Init. */
#include <mpi.h>

#include "check.h"

enum { N = 1000 };

static int ranks, rank;
static uint8_t text[N];

/* block is where the block of this rank is, and its length. */
static const uint8_t *block(uint64_t n, uint64_t *length)
{
	uint64_t first;
	WANT(SUFFIXCL_DONE, suffixcl_ranks_block(n, ranks, rank, &first, length));
	return text + first;
}

static void results(suffixcl_ranks *r, uint64_t n)
{
	uint64_t length, sa[N + 1], lcp[N + 1], primary = 0;
	uint8_t transform[N + 1];
	const uint8_t *mine = block(n, &length);
	WANT(SUFFIXCL_DONE, suffixcl_ranks_suffix_array(r, mine, length, sa));
	WANT(SUFFIXCL_DONE, suffixcl_ranks_verify(r, mine, length, sa));
	WANT(SUFFIXCL_DONE, suffixcl_ranks_lcp(r, mine, length, sa, lcp));
	WANT(SUFFIXCL_DONE, suffixcl_ranks_bwt(r, mine, length, sa, transform, &primary));
	HOLDS(primary <= n && (primary > 0 || n == 0));
	if (rank == 0 && n > 0)
		HOLDS(lcp[0] == 0 && transform[0] == text[n - 1]);
}

/* only is a status of the rank that fails, which is the last: the others return SUFFIXCL_RANK. */
static int only(int status) { return rank == ranks - 1 ? status : SUFFIXCL_RANK; }

static void refused(suffixcl_ranks *r, int communicator)
{
	uint64_t length, sa[N + 1], primary;
	uint8_t transform[N + 1];
	const uint8_t *mine = block(N, &length);
	int last = rank == ranks - 1;
	WANT(SUFFIXCL_USAGE, suffixcl_ranks_suffix_array(r, mine, length - last, sa)); /* blocks of wrong size */
	SAYS("characters");
	WANT(only(SUFFIXCL_USAGE), suffixcl_ranks_suffix_array(r, last ? NULL : mine, length, sa));
	SAYS("block is NULL");
	WANT(only(SUFFIXCL_USAGE), suffixcl_ranks_suffix_array(r, mine, length, last ? NULL : sa));
	WANT(SUFFIXCL_DONE, suffixcl_ranks_suffix_array(r, mine, length, sa));
	WANT(only(SUFFIXCL_USAGE), suffixcl_ranks_bwt(r, mine, length, sa, transform, last ? NULL : &primary));
	if (last)
		sa[1] = sa[0];
	WANT(SUFFIXCL_MISMATCH, suffixcl_ranks_verify(r, mine, length, sa));
	if (last)
		sa[1] = N;
	WANT(SUFFIXCL_MISMATCH, suffixcl_ranks_lcp(r, mine, length, sa, sa));

	suffixcl_ranks *other;
	suffixcl_options options = {.size = sizeof options, .algorithm = last ? "pdc3" : "pcss"};
	WANT(SUFFIXCL_DONE, suffixcl_ranks_open(&options, communicator, &other));
	WANT(SUFFIXCL_USAGE, suffixcl_ranks_suffix_array(other, mine, length, sa)); /* different options */
	WANT(SUFFIXCL_DONE, suffixcl_ranks_close(other));
	options.device = last ? "no such device" : NULL;
	WANT(only(SUFFIXCL_NO_DEVICE), suffixcl_ranks_open(&options, communicator, &other));
	HOLDS(other == NULL);
	options.size = last ? 3 : sizeof options;
	WANT(only(SUFFIXCL_USAGE), suffixcl_ranks_open(&options, communicator, &other));
	WANT(only(SUFFIXCL_USAGE), suffixcl_ranks_open(NULL, communicator, last ? NULL : &other));
}

static void communicators(void)
{
	suffixcl_ranks *r;
	MPI_Comm copy, half;
	MPI_Comm_dup(MPI_COMM_WORLD, &copy);
	int freed = (int)MPI_Comm_c2f(copy);
	WANT(SUFFIXCL_DONE, suffixcl_ranks_open(NULL, freed, &r));
	MPI_Comm_free(&copy);
	uint64_t length, sa[N];
	const uint8_t *mine = block(N, &length);
	WANT(SUFFIXCL_USAGE, suffixcl_ranks_suffix_array(r, mine, length, sa));
	WANT(SUFFIXCL_DONE, suffixcl_ranks_close(r));
	WANT(SUFFIXCL_USAGE, suffixcl_ranks_close(r));
	WANT(SUFFIXCL_USAGE, suffixcl_ranks_open(NULL, (int)MPI_Comm_c2f(MPI_COMM_NULL), &r));

	/* Those of the even and the odd ranks. */
	MPI_Comm_split(MPI_COMM_WORLD, rank % 2, rank, &half);
	WANT(SUFFIXCL_DONE, suffixcl_ranks_open(NULL, (int)MPI_Comm_c2f(half), &r));
	MPI_Comm_size(half, &ranks);
	MPI_Comm_rank(half, &rank);
	results(r, N);
	WANT(SUFFIXCL_DONE, suffixcl_ranks_close(r));
	MPI_Comm_free(&half);
	MPI_Comm_size(MPI_COMM_WORLD, &ranks);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
}

int main(int argc, char **argv)
{
	suffixcl_ranks *r;
	uint64_t first;
	WANT(SUFFIXCL_USAGE, suffixcl_ranks_open(NULL, 0, &r));
	SAYS("not initialised");
	MPI_Init(&argc, &argv);
	int world = (int)MPI_Comm_c2f(MPI_COMM_WORLD);
	MPI_Comm_size(MPI_COMM_WORLD, &ranks);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	for (uint32_t i = 0, x = 1; i < N; i++)
		text[i] = "abcd"[(x = x * 1664525 + 1013904223) >> 30];

	WANT(SUFFIXCL_USAGE, suffixcl_ranks_block(N, ranks, ranks, &first, &first));
	for (int a = 0; a < 2; a++) {
		suffixcl_options options = {.size = sizeof options, .algorithm = a == 0 ? "pcss" : "pdc3"};
		WANT(SUFFIXCL_DONE, suffixcl_ranks_open(&options, world, &r));
		results(r, N);
		results(r, 2); /* more ranks than characters */
		results(r, 0);
		WANT(SUFFIXCL_DONE, suffixcl_ranks_close(r));
	}
	WANT(SUFFIXCL_DONE, suffixcl_ranks_open(NULL, world, &r));
	refused(r, world);
	results(r, N);
	WANT(SUFFIXCL_DONE, suffixcl_ranks_close(r));
	WANT(SUFFIXCL_DONE, suffixcl_ranks_close(NULL));
	communicators();
	if (!wrong)
		puts("ended well");
	MPI_Finalize();
	WANT(SUFFIXCL_USAGE, suffixcl_ranks_open(NULL, world, &r));
	return wrong;
}
