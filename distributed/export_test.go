package distributed

// SetOnHost has the host sort up to n items.
func SetOnHost(n int) (restore func()) {
	old := onHost
	onHost = n
	return func() { onHost = old }
}

// OwnerOf is exported for tests.
var OwnerOf = ownerOf
