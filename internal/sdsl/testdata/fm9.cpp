// Writes the index that libsdsl makes of int_vector files of a text, its suffix array and its transform. It answers
// patterns, which standard input has in lines of hexadecimal digits, with the numbers of their occurrences, their places
// in ascending order, and the text from the first place on, as many letters again as the pattern has.
#include <algorithm>
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
	for (std::string line; std::getline(std::cin, line);) {
		std::string pattern;
		for (size_t i = 0; i + 1 < line.size(); i += 2)
			pattern += (char)std::stoi(line.substr(i, 2), nullptr, 16);
		auto places = locate(index, pattern.begin(), pattern.end());
		std::sort(places.begin(), places.end());
		std::cout << count(index, pattern.begin(), pattern.end());
		for (auto place : places)
			std::cout << ' ' << place;
		if (places.size() > 0) {
			std::cout << ' ';
			const char *digits = "0123456789abcdef";
			size_t end = std::min<size_t>(places[0] + 2 * pattern.size(), index.size());
			for (unsigned char c : extract(index, places[0], end - 1))
				std::cout << digits[c >> 4] << digits[c & 15];
		}
		std::cout << '\n';
	}
	return 0;
}
