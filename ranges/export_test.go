package ranges

const MostSmall = mostSmall

// GuessFrom has the codes of texts of n bytes guessed, by two stretches, and returns what ends that.
func GuessFrom(n int) (end func()) {
	before := guess
	guess.least, guess.stretches, guess.of = n, 2, n/4
	return func() { guess = before }
}

// CodeFrom has texts of n bytes sorted by an alphabetic code first, whatever it is worth, and returns what ends that.
func CodeFrom(n int) (end func()) {
	before := worthCoding
	worthCoding.least, worthCoding.share, worthCoding.cpu = n, 100, true
	return func() { worthCoding = before }
}
