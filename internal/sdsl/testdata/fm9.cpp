// Writes the index that libsdsl makes of int_vector files of a text, its suffix array and its transform, and answers
// patterns, one a line, with their numbers of occurrences.
#include <iostream>
#include <sdsl/suffix_arrays.hpp>

using namespace sdsl;

int main(int, char **argv)
{
	int_vector<8> text, bwt;
	int_vector<> sa;
	cache_config config(true, argv[4], "fm9");
	if (!load_from_file(text, argv[1]) || !load_from_file(sa, argv[2]) || !load_from_file(bwt, argv[3]))
		return 1;
	store_to_cache(text, conf::KEY_TEXT, config);
	store_to_cache(sa, conf::KEY_SA, config);
	store_to_cache(bwt, conf::KEY_BWT, config);
	csa_wt<wt_huff<rrr_vector<127>>, 32, 64> index(config);
	store_to_file(index, argv[5]);
	return 0;
}
