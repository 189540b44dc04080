// Package opticks has the text that comes with the module.
package opticks

import _ "embed"

// Text is opticks.txt, which README.md describes. It must not be changed.
//
//go:embed opticks.txt
var Text []byte
