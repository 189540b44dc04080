package device

import (
	"errors"
	"fmt"
	"reflect"
	"strings"

	"github.com/suffixcl/suffixcl/cl"
	"github.com/suffixcl/suffixcl/internal/cltype"
)

// signatureOf asks for the signature. Drivers know it of programs that they built from source.
func signatureOf(k *cl.Kernel) (signature, error) {
	list := make(signature, k.NumArgs())
	for i := range list {
		var err error
		if list[i], err = k.GetKernelArgInfo(i); errors.Is(err, cl.KernelArgInfoNotAvailable) {
			return nil, nil
		} else if err != nil {
			return nil, err
		}
	}
	return list, nil
}

// check compares arguments from number `at` on with their declaration, and returns the number of the next.
func (g signature) check(at int, args []any) (int, error) {
	for _, a := range args {
		if list, ok := a.([]any); ok {
			var err error
			if at, err = g.check(at, list); err != nil {
				return at, err
			}
			continue
		}
		if want, got := g[at], argumentType(a); !takes(want, got) {
			return at, fmt.Errorf("argument %d (%s): %s, wants %s", at, want.Name, got, want.TypeName)
		}
		at++
	}
	return at, nil
}

// takes reports whether a parameter takes an argument of a type: its own; for a pointer NULL; for a pointer to vectors
// one to their components; for a pointer to a structure any pointer.
func takes(want cl.KernelArgInfo, got string) bool {
	if !strings.HasSuffix(want.TypeName, "*") {
		return got == want.TypeName
	}
	if _, scalar := scalars[component(want.TypeName)]; !scalar {
		return strings.HasSuffix(got, "*")
	}
	return got == anyPointer || got == want.TypeName || got == component(want.TypeName)
}

// scalars are pointers to the components that kernels have.
var scalars = map[string]struct{}{
	"char*": {}, "uchar*": {}, "short*": {}, "ushort*": {}, "int*": {}, "uint*": {}, "long*": {}, "ulong*": {},
}

// component is the type of a pointer without the width of vectors: "uint*" of "uint4*".
func component(pointer string) string {
	return strings.TrimRight(strings.TrimSuffix(pointer, "*"), "0123456789") + "*"
}

// anyPointer is the type of NULL, and of buffers of Void.
const anyPointer = "void*"

// argumentType is the type in OpenCL C of what is passed.
func argumentType(a any) string {
	b, ok := a.(kernelBuffer)
	switch {
	case a == nil:
		return anyPointer
	case !ok:
		return cltype.Of(reflect.TypeOf(a))
	case b.element() == reflect.TypeFor[Void]():
		return anyPointer
	}
	return cltype.Of(b.element()) + "*"
}
