package pangenome

// SetAtOnce sets how many letters of an index that is merged are read and appended together, until its end is called.
func SetAtOnce(read int64, merged int) (end func()) {
	oldRead, oldMerged := readAtOnce, mergedAtOnce
	readAtOnce, mergedAtOnce = read, merged
	return func() { readAtOnce, mergedAtOnce = oldRead, oldMerged }
}
