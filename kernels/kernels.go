// Package kernels embeds the OpenCL C sources: a file for each primitive or
// algorithm, stem.cl, or for each part of one, stem_part.cl, which follows
// stem.cl in a program. Package device assembles and builds them.
package kernels

import "embed"

// FS holds every *.cl file of this directory.
//
//go:embed *.cl
var FS embed.FS
