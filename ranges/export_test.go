package ranges

// GuessFrom has the codes of texts of n bytes guessed, by two stretches, and returns what ends that.
func GuessFrom(n int) (end func()) {
	before := guess
	guess.least, guess.stretches, guess.of = n, 2, n/4
	return func() { guess = before }
}
