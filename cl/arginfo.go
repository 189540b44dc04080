package cl

const (
	kernelArgAddressQualifier = 0x1196
	kernelArgTypeName         = 0x1198
	kernelArgName             = 0x119A
)

// KernelArgAddressQualifier is the address space that an argument points to.
type KernelArgAddressQualifier uint32

// The address spaces. What is passed by value is private.
const (
	KernelArgAddressGlobal   KernelArgAddressQualifier = 0x119B
	KernelArgAddressLocal    KernelArgAddressQualifier = 0x119C
	KernelArgAddressConstant KernelArgAddressQualifier = 0x119D
	KernelArgAddressPrivate  KernelArgAddressQualifier = 0x119E
)

// KernelArgInfo is how the source declares an argument.
type KernelArgInfo struct {
	AddressQualifier KernelArgAddressQualifier
	TypeName         string // without spaces, const and the like: "uint", "ulong*"
	Name             string
}

// GetKernelArgInfo returns how the source declares argument i. The program has to be built from source, with
// the option -cl-kernel-arg-info: the error is [KernelArgInfoNotAvailable] otherwise, if the driver minds.
func (k *Kernel) GetKernelArgInfo(i int) (KernelArgInfo, error) {
	if i < 0 || i >= len(k.args) {
		return KernelArgInfo{}, k.refuse(clGetKernelArgInfo, InvalidArgIndex,
			"there is no argument %d among %d", i, len(k.args))
	}
	var values [3][]byte
	for j, param := range [...]uintptr{kernelArgAddressQualifier, kernelArgTypeName, kernelArgName} {
		var err error
		if values[j], err = k.info(clGetKernelArgInfo, uintptr(i), param); err != nil {
			return KernelArgInfo{}, detail(err, k.name, "argument %d", i)
		}
	}
	return KernelArgInfo{
		AddressQualifier: KernelArgAddressQualifier(toNumber(values[0])),
		TypeName:         toText(values[1]),
		Name:             toText(values[2]),
	}, nil
}
