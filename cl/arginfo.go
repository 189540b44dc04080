package cl

const (
	kernelArgTypeName = 0x1198
	kernelArgName     = 0x119A
)

// KernelArgInfo is how the source declares an argument.
type KernelArgInfo struct {
	// TypeName has no spaces and no qualifiers: "uint", "ulong*". A pointer ends in *, whatever its address space.
	TypeName string
	Name     string
}

// GetKernelArgInfo returns how the source declares argument i. The program has to be built from source, with the option
// -cl-kernel-arg-info. Otherwise the error is [KernelArgInfoNotAvailable], or the driver returns empty names.
func (k *Kernel) GetKernelArgInfo(i int) (KernelArgInfo, error) {
	if i < 0 || i >= len(k.args) {
		return KernelArgInfo{}, k.refuse(clGetKernelArgInfo, invalidArgIndex,
			"there is no argument %d among %d", i, len(k.args))
	}
	var texts [2]string
	for j, param := range [...]uintptr{kernelArgTypeName, kernelArgName} {
		value, err := k.info(clGetKernelArgInfo, uintptr(i), param)
		if err != nil {
			return KernelArgInfo{}, detail(err, k.name, "argument %d", i)
		}
		texts[j] = toText(value)
	}
	return KernelArgInfo{TypeName: texts[0], Name: texts[1]}, nil
}
