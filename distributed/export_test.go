package distributed

// SetOnHost has the host sort up to n items.
func SetOnHost(n int) (restore func()) {
	old := onHost
	onHost = n
	return func() { onHost = old }
}

// OwnerOf is exported for tests.
var OwnerOf = ownerOf

// SetMaxWindow has windows of at most n characters, 3 or more.
func SetMaxWindow(n int) (restore func()) {
	old := maxWindow
	maxWindow = n
	return func() { maxWindow = old }
}
