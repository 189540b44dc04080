package device

import (
	"errors"
	"fmt"
	"reflect"

	"github.com/suffixcl/suffixcl/cl"
	"github.com/suffixcl/suffixcl/internal/cltype"
)

// signature is how a kernel declares its arguments; nil where the driver does not tell.
type signature []cl.KernelArgInfo

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
		if want, got := g[at], argumentType(a); got != want.TypeName && !(got == anyPointer && isPointer(want)) {
			return at, fmt.Errorf("argument %d (%s): %s, wants %s", at, want.Name, got, want.TypeName)
		}
		at++
	}
	return at, nil
}

// anyPointer is the type of NULL, and of buffers of Void.
const anyPointer = "void*"

func isPointer(a cl.KernelArgInfo) bool { return a.AddressQualifier != cl.KernelArgAddressPrivate }

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
