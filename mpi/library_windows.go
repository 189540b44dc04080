package mpi

import "errors"

var errWindows = errors.New("the libraries of Windows have an ABI that is not known here")

func openLibrary(string) (uintptr, error) { return 0, errWindows }

func findSymbol(uintptr, string) (uintptr, error) { return 0, errWindows }

func closeLibrary(uintptr) {}
