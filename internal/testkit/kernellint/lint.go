// Package kernellint reads kernel sources as text, and finds what compilers accept and some device punishes. It
// reads tokens, not C; where it cannot tell, it complains, and the kernel is to be written so that a reader can tell
// too. The rules:
//
//   - No return before a barrier: the work-items that left are waited for.
//   - No barrier where work-items may part: inside if, else, switch, after &&, || and ?:, and in loops whose header
//     or exit depends on the work-item, or that have a continue.
//   - Kernels are declared through KERNEL_WG, which fixes the size of work-groups.
//   - Every macro from outside is demanded by #ifndef and #error.
//   - The header comment names the file, and header or kernel say the launch shape.
//   - Vendors are told apart in common.cl only.
//
// Both arms of every #if are read. Each should be balanced in itself.
package kernellint

import "io/fs"

// Check returns what the rules find in the *.cl files of a directory, as "file:line: message". prologue are the macros
// that every program begins with.
func Check(directory fs.FS, prologue []string) ([]string, error) {
	files, err := read(directory)
	if err != nil {
		return nil, err
	}
	w := newWorld(prologue, files...)
	var problems []string
	for _, s := range files {
		for _, r := range rules {
			problems = append(problems, r.find(s, w)...)
		}
	}
	return problems, nil
}

func read(directory fs.FS) (files []*source, err error) {
	names, err := fs.Glob(directory, "*.cl")
	for _, name := range names {
		text, err := fs.ReadFile(directory, name)
		if err != nil {
			return nil, err
		}
		files = append(files, lex(name, string(text)))
	}
	return files, err
}
