package star

// Codes of the genome but bases, which are 0 to 3.
const (
	Other  = 4 // N and all other letters
	Spacer = 5 // between sequences
)

// codes has the code of each letter.
var codes = func() (codes [256]byte) {
	for c := range codes {
		codes[c] = Other
	}
	for code, letters := range []string{"Aa", "Cc", "Gg", "Tt"} {
		codes[letters[0]], codes[letters[1]] = byte(code), byte(code)
	}
	return codes
}()

// letters is the number of those of the text that is sorted: all codes but that of what is between sequences, which is
// equal to nothing there.
const letters = Spacer

// complement is the code on the other strand.
func complement(code byte) byte {
	if code < Other {
		return 3 - code
	}
	return code
}
