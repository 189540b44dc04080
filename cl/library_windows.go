package cl

import "golang.org/x/sys/windows"

func openLibrary(path string) (uintptr, error) {
	handle, err := windows.LoadLibrary(path)
	return uintptr(handle), err
}

func findSymbol(library uintptr, name string) (uintptr, error) {
	return windows.GetProcAddress(windows.Handle(library), name)
}

func closeLibrary(library uintptr) { _ = windows.FreeLibrary(windows.Handle(library)) }
