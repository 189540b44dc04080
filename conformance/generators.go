package conformance

import (
	"fmt"
	"math/bits"
	"math/rand/v2"
	"slices"

	"github.com/suffixcl/suffixcl/internal/testkit/suitekit"
)

// A class makes texts of one kind.
type class struct {
	name string
	make func(n int, rng *rand.Rand) []byte
}

func (c class) text(n int, seed uint64) sample {
	return sample{name: c.name, seed: seed, data: c.make(n, suitekit.Rand(seed, c.name, n))}
}

// classes lists the classes that exist at size n, always in the same order.
func classes(n int) []class {
	list := []class{
		{"equal/a", equal('a')},
		{"equal/0", equal(0)},
		{"equal/255", equal(255)},
	}
	for _, p := range periods(n) {
		list = append(list, class{fmt.Sprintf("periodic/p=%d", p), periodic(p)})
	}
	return append(list,
		class{"periodic/broken", brokenPeriod},
		class{"fibonacci", func(n int, _ *rand.Rand) []byte { return fibonacci(n) }},
		class{"thue-morse", func(n int, _ *rand.Rand) []byte { return thueMorse(n) }},
		class{"debruijn/sigma=2", func(n int, _ *rand.Rand) []byte { return deBruijn(n, "ab") }},
		class{"debruijn/sigma=4", func(n int, _ *rand.Rand) []byte { return deBruijn(n, "ACGT") }},
		class{"staircase", func(n int, _ *rand.Rand) []byte { return staircase(n) }},
		class{"dna-with-n", dnaWithN},
		class{"dna-records", dnaRecords},
		class{"random/sigma=1", uniform(1)},
		class{"random/sigma=2", uniform(2)},
		class{"random/sigma=4", uniform(4)},
		class{"random/sigma=26", uniform(26)},
		class{"random/sigma=256", uniform(256)},
		class{"extremes", func(n int, rng *rand.Rand) []byte { return suitekit.Pick(n, rng, "\x00\xff") }},
		class{"trailing-zeros", trailingZeros},
		class{"repeats/sigma=2", longRepeats("ab")},
		class{"repeats/sigma=4", longRepeats("ACGT")},
		class{"repeats/sigma=26", longRepeats(letters)},
		class{"versions", versions},
		class{"sorted", func(n int, rng *rand.Rand) []byte { return sorted(n, rng) }},
		class{"reversed", reversed},
	)
}

const letters = "abcdefghijklmnopqrstuvwxyz"

func equal(c byte) func(int, *rand.Rand) []byte {
	return func(n int, _ *rand.Rand) []byte {
		text := make([]byte, n)
		for i := range text {
			text[i] = c
		}
		return text
	}
}

// periods returns 2, 3, 7 and 64, the smallest divisor of n above 1 and its
// codivisor, so far as they are smaller than n, ascending and distinct.
func periods(n int) []int {
	candidates := []int{2, 3, 7, 64}
	for d := 2; d*d <= n; d++ {
		if n%d == 0 {
			candidates = append(candidates, d, n/d)
			break
		}
	}
	slices.Sort(candidates)
	candidates = slices.Compact(candidates)
	return slices.DeleteFunc(candidates, func(p int) bool { return p >= n })
}

// periodic makes texts of period p, and of none smaller if n is 2p or more: the
// word repeated holds one 'a', at a random place.
func periodic(p int) func(int, *rand.Rand) []byte {
	return func(n int, rng *rand.Rand) []byte {
		word := suitekit.Pick(p, rng, "bcd")
		word[rng.IntN(p)] = 'a'
		text := make([]byte, n)
		for i := range text {
			text[i] = word[i%p]
		}
		return text
	}
}

// brokenPeriod differs from a text of period 3 in its last byte only.
func brokenPeriod(n int, rng *rand.Rand) []byte {
	text := make([]byte, n)
	for i := range text {
		text[i] = "bcd"[i%3]
	}
	if n > 0 {
		text[n-1] = "ae"[rng.IntN(2)]
	}
	return text
}

// fibonacci is the prefix of the word that starts with a, ab, aba, abaab, …,
// where each is the concatenation of the two before it.
func fibonacci(n int) []byte {
	word, previous := []byte("ab"), 1 // the Fibonacci word and the length of the one before
	for len(word) < n {
		length := len(word)
		word = append(word, word[:previous]...)
		previous = length
	}
	return word[:n:n]
}

// thueMorse has b wherever the position has an odd number of one bits.
func thueMorse(n int) []byte {
	text := make([]byte, n)
	for i := range text {
		text[i] = "ab"[bits.OnesCount(uint(i))&1]
	}
	return text
}

// deBruijn is the prefix of the lexicographically smallest de Bruijn sequence,
// of the smallest order that is long enough: the Lyndon words whose length
// divides the order, in ascending order (Fredricksen, Kessler, Maiorana; the
// words by Duval's algorithm).
func deBruijn(n int, alphabet string) []byte {
	sigma, order := len(alphabet), 1
	for length := sigma; length < n; length *= sigma {
		order++
	}
	text := make([]byte, 0, n+order)
	for word := []int{0}; len(text) < n && len(word) > 0; {
		if order%len(word) == 0 {
			for _, d := range word {
				text = append(text, alphabet[d])
			}
		}
		for i := 0; len(word) < order; i++ {
			word = append(word, word[i])
		}
		for len(word) > 0 && word[len(word)-1] == sigma-1 {
			word = word[:len(word)-1]
		}
		if len(word) > 0 {
			word[len(word)-1]++
		}
	}
	return text[:n]
}

// staircase is ab aab aaab aaaab …
func staircase(n int) []byte {
	text := equal('a')(n, nil)
	for step, i := 2, 1; i < n; step++ {
		text[i] = 'b'
		i += step + 1
	}
	return text
}

// dnaWithN is random DNA in which about a quarter of the bytes lie in runs of N
// of very different lengths, one of them at the start or the end.
func dnaWithN(n int, rng *rand.Rand) []byte {
	text := suitekit.Pick(n, rng, "ACGT")
	fill := func(at, length int) {
		for i := at; i < min(at+length, n); i++ {
			text[i] = 'N'
		}
	}
	if n == 0 {
		return text
	}
	for budget := n / 4; budget > 0; {
		length := 1 + rng.IntN(1+rng.IntN(budget))
		fill(rng.IntN(n), length)
		budget -= length
	}
	length := min(n/16+1, n)
	fill(rng.IntN(2)*(n-length), length)
	return text
}

// dnaRecords ends each record of up to 99 random bases with a $, or now and then an N.
func dnaRecords(n int, rng *rand.Rand) []byte {
	text := suitekit.Pick(n, rng, "ACGT")
	for i := rng.IntN(100); i < n; i += 1 + rng.IntN(100) {
		text[i] = "$$$N"[rng.IntN(4)]
	}
	return text
}

// uniform draws from sigma byte values: letters from 'a' on, or all bytes.
func uniform(sigma int) func(int, *rand.Rand) []byte {
	alphabet := make([]byte, sigma)
	for i := range alphabet {
		alphabet[i] = byte('a' + i) // wraps around for 256
	}
	return func(n int, rng *rand.Rand) []byte { return suitekit.Pick(n, rng, string(alphabet)) }
}

// trailingZeros ends in n/8+1 zero bytes after random bytes, some of them zero.
func trailingZeros(n int, rng *rand.Rand) []byte {
	text := suitekit.Pick(n, rng, "\x00\x01\x02\xff")
	clear(text[n-min(n, n/8+1):])
	return text
}

// longRepeats makes copies of a random block of about n/6 bytes, each with up
// to three bytes replaced and cut off at a random end.
func longRepeats(alphabet string) func(int, *rand.Rand) []byte {
	return func(n int, rng *rand.Rand) []byte {
		block := suitekit.Pick(n/6+1, rng, alphabet)
		text := slices.Clone(block)
		for len(text) < n {
			start := len(text)
			text = append(text, block[:len(block)-rng.IntN(len(block)/8+1)]...)
			for range rng.IntN(4) {
				text[start+rng.IntN(len(text)-start)] = alphabet[rng.IntN(len(alphabet))]
			}
		}
		return text[:n:n]
	}
}

// versions is a document of words, about n/10 bytes long, followed by version
// after version, each edited from the one before by replacing, inserting and
// deleting about one byte in 200.
func versions(n int, rng *rand.Rand) []byte {
	words := make([][]byte, 64)
	for i := range words {
		words[i] = append(suitekit.Pick(1+rng.IntN(9), rng, letters), ' ')
	}
	var document []byte
	for len(document) < n/10+1 {
		document = append(document, words[rng.IntN(len(words))]...)
	}
	text := slices.Clone(document)
	for len(text) < n {
		for range len(document)/200 + 1 {
			at, letter := rng.IntN(len(document)), letters[rng.IntN(len(letters))]
			switch rng.IntN(3) {
			case 0:
				document[at] = letter
			case 1:
				document = slices.Insert(document, at, letter)
			case 2:
				if len(document) > 1 {
					document = slices.Delete(document, at, at+1)
				}
			}
		}
		text = append(text, document...)
	}
	return text[:n:n]
}

func sorted(n int, rng *rand.Rand) []byte {
	text := uniform(256)(n, rng)
	slices.Sort(text)
	return text
}

func reversed(n int, rng *rand.Rand) []byte {
	text := sorted(n, rng)
	slices.Reverse(text)
	return text
}
