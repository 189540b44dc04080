package patternset

// Check tells whether offsets and text of a batch belong together.
var Check = check
