package main

import "C"

import (
	"runtime/debug"
	"sync"
)

// version is made once, and never freed.
var version = sync.OnceValue(func() *C.char {
	name := "(devel)"
	if info, ok := debug.ReadBuildInfo(); ok && info.Main.Version != "" {
		name = info.Main.Version
	}
	return C.CString(name)
})

//export suffixcl_version
func suffixcl_version() *C.char { return version() }
