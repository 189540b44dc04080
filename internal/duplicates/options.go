package duplicates

// MaxLen is the longest text, in symbols.
const MaxLen = 1 << 40

// MinWindow and MaxWindow bound the length of windows, in symbols.
const (
	MinWindow = 2
	MaxWindow = 1 << 30
)

// Options of a Finder.
type Options struct {
	Length      int  // of windows, in symbols
	SymbolBytes int  // 1, 2 or 4; 0 means 1
	KeepFirst   bool // all occurrences but the first are duplicates, else all
	MinCount    int  // least number of occurrences of a duplicate; 0 means 2
	// Other, if it is not 0, is the start of a document, with which a second set of documents begins. Then a duplicate has
	// to occur in that set, too, and KeepFirst does not matter: all occurrences before Other are duplicates; with Both,
	// those from Other on, too.
	Other int
	Both  bool
	// Documents is the number of documents; 0 means 1.
	Documents int
	// Frequent is how many of the most frequent passages are wanted.
	Frequent int
	// Capacity is the number of entries of the lists; 0: as memory allows, at most a fourth of the text. A given number is
	// not compared with the memory of the device: see Memory.
	Capacity int
	// Piece, if it is not 0, has the text go through the device in pieces of so many symbols, also where it fits.
	Piece int
}
