package mpi

import "errors"

var errWindows = errors.New("the libraries of Windows have an ABI that is not known here")

const wholeProgram = 0

func openLibrary(string) (uintptr, error) { return 0, errWindows }

func openedLibrary(string) uintptr { return 0 }

func findSymbol(uintptr, string) (uintptr, error) { return 0, errWindows }

func closeLibrary(uintptr) {}
