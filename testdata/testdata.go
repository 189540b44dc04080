// Package testdata is the bundled text.
package testdata

import _ "embed"

// Opticks is opticks.txt, which the README describes.
//
//go:embed opticks.txt
var Opticks []byte
