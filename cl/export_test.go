package cl

// What the tests of package cl_test see of the inside.
var (
	CheckRoom  = checkRoom
	NoLibrary  = noLibrary
	NoPlatform = noPlatform
	NoDevice   = noDevice
)
