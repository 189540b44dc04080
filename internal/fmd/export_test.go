package fmd

// SetSuperblock sets the words of a superblock until the function that it returns is called.
func SetSuperblock(words uint64) (restore func()) {
	before := superblockWords
	superblockWords = words
	return func() { superblockWords = before }
}
