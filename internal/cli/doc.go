// Package cli holds what the commands suffixcl and suffixcl-lab share: flags, input and
// output files, progress, exit codes and the errors that lead to them.
package cli
