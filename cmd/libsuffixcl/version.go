package main

import "C"

import (
	"sync"

	built "github.com/suffixcl/suffixcl/internal/version"
)

// version is made once, and never freed.
var version = sync.OnceValue(func() *C.char { return C.CString(built.Read().Version) })

//export suffixcl_version
func suffixcl_version() *C.char { return version() }
