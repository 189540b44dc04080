/* mpirun -n P ranks TEXT OUT [pcss|pdc3] writes the suffix array of a file, 8 bytes an entry: each rank reads its block
 * of the text, and writes its block of the array. */
#include <limits.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

#include "suffixcl.h"

/* check ends all ranks where the library failed. It fails on all of them, so that each can end by itself; where MPI or
 * a device did, others may wait for what never comes. */
static void check(int status)
{
	if (status == SUFFIXCL_DONE)
		return;
	if (status != SUFFIXCL_RANK)
		fprintf(stderr, "ranks: %s\n", suffixcl_message());
	if (status == SUFFIXCL_FAILED)
		MPI_Abort(MPI_COMM_WORLD, status);
	MPI_Finalize();
	exit(status);
}

static void check_mpi(int code, const char *what)
{
	if (code == MPI_SUCCESS)
		return;
	fprintf(stderr, "ranks: cannot %s\n", what);
	MPI_Abort(MPI_COMM_WORLD, SUFFIXCL_FAILED);
}

int main(int argc, char **argv)
{
	MPI_Init(&argc, &argv);
	if (argc < 3) {
		fprintf(stderr, "ranks: TEXT OUT [pcss|pdc3]\n");
		MPI_Abort(MPI_COMM_WORLD, SUFFIXCL_USAGE);
	}
	int count, rank;
	MPI_Comm_size(MPI_COMM_WORLD, &count);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);

	MPI_File in, out;
	MPI_Offset n;
	check_mpi(MPI_File_open(MPI_COMM_WORLD, argv[1], MPI_MODE_RDONLY, MPI_INFO_NULL, &in), "open the text");
	check_mpi(MPI_File_get_size(in, &n), "tell the length of the text");
	uint64_t first, length;
	check(suffixcl_ranks_block((uint64_t)n, count, rank, &first, &length));
	if (length > INT_MAX) { // which MPI-IO counts a block in
		fprintf(stderr, "ranks: blocks of 2^31 bytes or more; start more ranks\n");
		MPI_Abort(MPI_COMM_WORLD, SUFFIXCL_USAGE);
	}
	uint8_t *block = malloc(length + 1);
	uint64_t *sa = malloc(8 * length + 8);
	if (block == NULL || sa == NULL)
		MPI_Abort(MPI_COMM_WORLD, SUFFIXCL_MEMORY);
	check_mpi(MPI_File_read_at_all(in, (MPI_Offset)first, block, (int)length, MPI_BYTE, MPI_STATUS_IGNORE), "read");
	MPI_File_close(&in);

	suffixcl_options options = {.size = sizeof options, .algorithm = argc > 3 ? argv[3] : NULL};
	suffixcl_ranks *r;
	check(suffixcl_ranks_open(&options, (int)MPI_Comm_c2f(MPI_COMM_WORLD), &r));
	check(suffixcl_ranks_suffix_array(r, block, length, sa));
	check(suffixcl_ranks_verify(r, block, length, sa));
	check(suffixcl_ranks_close(r));

	check_mpi(MPI_File_open(MPI_COMM_WORLD, argv[2], MPI_MODE_CREATE | MPI_MODE_WRONLY, MPI_INFO_NULL, &out), "create");
	check_mpi(MPI_File_set_size(out, 8 * n), "write");
	check_mpi(MPI_File_write_at_all(out, 8 * (MPI_Offset)first, sa, (int)length, MPI_UINT64_T, MPI_STATUS_IGNORE),
	          "write");
	check_mpi(MPI_File_close(&out), "write");
	free(block), free(sa);
	MPI_Finalize();
	return 0;
}
