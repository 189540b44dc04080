package device

import (
	"errors"
	"fmt"
	"reflect"

	"github.com/suffixcl/suffixcl/cl"
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
		return typeName(reflect.TypeOf(a))
	case b.element() == reflect.TypeFor[Void]():
		return anyPointer
	}
	return typeName(b.element()) + "*"
}

// typeName is what OpenCL C calls the type of a buffer's elements, or of a scalar; what it has no name for is
// called as in Go.
func typeName(t reflect.Type) string {
	switch t.Kind() {
	case reflect.Uint8:
		return "uchar"
	case reflect.Uint16:
		return "ushort"
	case reflect.Uint32:
		return "uint"
	case reflect.Uint64:
		return "ulong"
	case reflect.Int32:
		return "int"
	case reflect.Int64:
		return "long"
	case reflect.Array:
		return fmt.Sprintf("%s%d", typeName(t.Elem()), t.Len())
	}
	return t.String()
}
