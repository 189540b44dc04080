// Package kernels embeds the OpenCL C sources, one file per primitive or
// algorithm. Package device assembles and builds them.
package kernels

import "embed"

// FS holds every *.cl file of this directory.
//
//go:embed *.cl
var FS embed.FS
