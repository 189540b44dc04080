package synthetic

import "math/rand/v2"

// Adversarial are texts of n bytes that make walks long: over raw LLR arrays (one
// character; a random text twice) and over useful repeats (many of one length; many, few
// of which are the longest).
func Adversarial(n int) map[string][]byte {
	rng := rand.New(rand.NewPCG(7, 7))
	equal, twice := make([]byte, n), make([]byte, n)
	for i := range n {
		equal[i] = 'a'
		if i < n/2 {
			twice[i] = "ACGT"[rng.IntN(4)]
		} else {
			twice[i] = twice[i-n/2]
		}
	}
	return map[string][]byte{"equal": equal, "twice": twice, "many": ManyRepeats(n), "sparse": SparseRepeats(n)}
}

// ManyRepeats is a text of n characters with a position that nearly as many useful repeats
// cover as can be: about the square root of n, all of one length. The text is a block of
// characters, and then its windows. Each window has an end that keeps repeats from being longer.
func ManyRepeats(n int) []byte {
	w := 1 // the block has 2w characters, w windows of w+1 follow
	for 2*(w+1)+(w+1)*(w+2) <= n {
		w++
	}
	return windows(n, w, 1, func(int) int { return w })
}

// SparseRepeats is like ManyRepeats, but only every 50th is one of the longest, and the
// others are one character shorter.
func SparseRepeats(n int) []byte {
	w := 1 // w/2 windows of w+1 or w+2
	for 2*(w+1)+(w+2)/2*(w+3) <= n {
		w++
	}
	return windows(n, w, 2, func(i int) int {
		if i%50 == 25 {
			return w + 1
		}
		return w
	})
}

// windows is a text of n characters: a block of 2w, its windows, one for each step of the
// first w, and noise. length is that of window i.
func windows(n, w, step int, length func(i int) int) []byte {
	rng := rand.New(rand.NewPCG(8, 8))
	text := make([]byte, 0, n+2*w)
	for range 2 * w {
		text = append(text, "ACGT"[rng.IntN(4)])
	}
	for at := 0; at < w && len(text) < n; at += step {
		text = append(append(text, text[at:at+length(at/step)]...), byte(128+at%127))
	}
	for len(text) < n {
		text = append(text, byte(rng.IntN(60)))
	}
	return text[:n]
}
