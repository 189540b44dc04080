package amdcode

import (
	"bytes"
	"debug/elf"
	"encoding/binary"
	"errors"
	"fmt"
	"slices"
	"strings"
)

// Kernel is what a code object says about a kernel.
type Kernel struct {
	Name                   string
	Target                 string // "gfx942", without features
	VGPRs, SGPRs           int    // vector registers include accumulation registers
	VGPRSpills, SGPRSpills int
	LDS                    int // bytes of local memory
	Scratch                int // bytes of private memory of a work-item
	DynamicStack           bool
	Wavefront              int    // lanes
	WorkGroup              [3]int // what the source requires; zeros if it does not
	MaxWorkGroup           int    // work-items
	Args                   []Arg  // hidden ones last
	ArgBytes               int    // of the segment that holds the arguments
	Descriptor             Descriptor
}

// Arg is an argument of a kernel.
type Arg struct {
	Name         string `json:".name"`      // empty unless compiled with -cl-kernel-arg-info
	Type         string `json:".type_name"` // as in the source, likewise
	Kind         string `json:".value_kind"`
	AddressSpace string `json:".address_space"`
	Offset       int    `json:".offset"` // in the segment
	Size         int    `json:".size"`   // bytes
}

// Kinds of arguments.
const (
	ByValue      = "by_value"
	GlobalBuffer = "global_buffer"
	LocalBuffer  = "dynamic_shared_pointer"
)

// Hidden tells whether the driver sets the argument, not the caller.
func (a Arg) Hidden() bool { return strings.HasPrefix(a.Kind, "hidden_") }

// Descriptor is what the hardware is told of a kernel (LLVM, Kernel Descriptor).
type Descriptor struct {
	Entry      uint64 // address of the first instruction
	Rsrc2      uint32 // compute_pgm_rsrc2: what scalar registers hold at the start
	Properties uint16 // kernel_code_properties: likewise
	Preload    uint16 // words of arguments that scalar registers hold at the start
}

// Names of what the bits of a descriptor enable.
const (
	PropertyPrivateSegmentBuffer = 1 << iota
	PropertyDispatchPtr
	PropertyQueuePtr
	PropertyKernargPtr
	PropertyDispatchID
	PropertyFlatScratchInit
	PropertyPrivateSegmentSize
)

// Rsrc2 has, from Rsrc2UserShift on, how many scalar registers come before those of the work-group.
const (
	Rsrc2UserShift = 1
	Rsrc2UserMask  = 1<<5 - 1
)

// Bits of Rsrc2.
const (
	Rsrc2WorkGroupX = 1 << (7 + iota)
	Rsrc2WorkGroupY
	Rsrc2WorkGroupZ
)

// noteMetadata is NT_AMDGPU_METADATA: a MessagePack document (LLVM, User Guide
// for AMDGPU Backend, code object V3 and above).
const noteMetadata = 32

// abiVersion is the ABI version of code object V5, in the ELF header.
const abiVersion = 3

// ReadKernels reads the kernels of an ELF code object, by name. A code object of another version is an error.
func ReadKernels(code []byte) ([]Kernel, error) {
	f, kernels, err := readELF(code)
	if err != nil {
		return nil, err
	}
	symbols, err := f.DynamicSymbols()
	if err != nil && !errors.Is(err, elf.ErrNoSymbols) {
		return nil, err
	}
	for i := range kernels {
		k := &kernels[i]
		if k.Descriptor, err = readDescriptor(f, symbols, k.Name+".kd"); err != nil {
			return nil, fmt.Errorf("kernel %s: %w", k.Name, err)
		}
	}
	return kernels, nil
}

// ReadObject reads the kernels of an object that is not linked, but for their descriptors. An undefined symbol is an
// error.
func ReadObject(object []byte) ([]Kernel, error) {
	f, kernels, err := readELF(object)
	if err != nil {
		return nil, err
	}
	symbols, err := f.Symbols()
	if err != nil {
		return nil, err
	}
	for _, s := range symbols {
		if s.Section == elf.SHN_UNDEF {
			return nil, fmt.Errorf("undefined symbol: %s", s.Name)
		}
	}
	return kernels, nil
}

// readELF reads what objects and code objects have in common.
func readELF(code []byte) (*elf.File, []Kernel, error) {
	f, err := elf.NewFile(bytes.NewReader(code))
	if err != nil {
		return nil, nil, err
	}
	if f.ABIVersion != abiVersion {
		return nil, nil, fmt.Errorf("code object with ABI version %d, want %d (code object V5), which clang 19 makes: %v",
			f.ABIVersion, abiVersion, ErrNoCompiler)
	}
	var doc []byte
	for _, s := range f.Sections {
		if s.Type != elf.SHT_NOTE {
			continue
		}
		data, err := s.Data()
		if err != nil {
			return nil, nil, err
		}
		if doc = findNote(data, f.ByteOrder); doc != nil {
			break
		}
	}
	if doc == nil {
		return nil, nil, errors.New("no AMDGPU metadata note")
	}
	kernels, err := readMetadata(doc)
	return f, kernels, err
}

// readDescriptor reads the 64 bytes at a symbol.
func readDescriptor(f *elf.File, symbols []elf.Symbol, name string) (d Descriptor, err error) {
	i := slices.IndexFunc(symbols, func(s elf.Symbol) bool { return s.Name == name })
	if i < 0 {
		return d, fmt.Errorf("no symbol %s", name)
	}
	address := symbols[i].Value
	for _, s := range f.Sections {
		if s.Type != elf.SHT_PROGBITS || address < s.Addr || address-s.Addr+64 > s.Size {
			continue
		}
		raw := make([]byte, 64)
		if _, err := s.ReadAt(raw, int64(address-s.Addr)); err != nil {
			return d, err
		}
		order := f.ByteOrder
		return Descriptor{
			Entry:      address + order.Uint64(raw[16:]),
			Rsrc2:      order.Uint32(raw[52:]),
			Properties: order.Uint16(raw[56:]), Preload: order.Uint16(raw[58:]),
		}, nil
	}
	return d, fmt.Errorf("no descriptor at %#x", address)
}

// findNote returns the metadata in a note section: records of name length,
// content length, type, name and content, the last two padded to 4 bytes.
func findNote(data []byte, order binary.ByteOrder) []byte {
	pad := func(n int) int { return (n + 3) &^ 3 }
	for len(data) >= 12 {
		name, size, typ := int(order.Uint32(data)), int(order.Uint32(data[4:])), order.Uint32(data[8:])
		data = data[12:]
		if name > len(data) || size > len(data) || pad(name)+size > len(data) {
			return nil
		}
		owner := strings.TrimRight(string(data[:name]), "\x00")
		content := data[pad(name) : pad(name)+size]
		if owner == "AMDGPU" && typ == noteMetadata {
			return content
		}
		data = data[min(pad(name)+pad(size), len(data)):]
	}
	return nil
}

// metadata is the part of the document that is looked at. Pointers tell what is missing.
type metadata struct {
	Target  string `json:"amdhsa.target"` // "amdgcn-amd-amdhsa--gfx90a:sramecc+"
	Kernels []struct {
		Name         string `json:".name"`
		VGPRs        *int   `json:".vgpr_count"`
		SGPRs        *int   `json:".sgpr_count"`
		VGPRSpills   *int   `json:".vgpr_spill_count"`
		SGPRSpills   *int   `json:".sgpr_spill_count"`
		LDS          *int   `json:".group_segment_fixed_size"`
		Scratch      *int   `json:".private_segment_fixed_size"`
		DynamicStack bool   `json:".uses_dynamic_stack"`
		Wavefront    *int   `json:".wavefront_size"`
		WorkGroup    []int  `json:".reqd_workgroup_size"`
		MaxWorkGroup *int   `json:".max_flat_workgroup_size"`
		Args         []Arg  `json:".args"`
		ArgBytes     *int   `json:".kernarg_segment_size"`
	} `json:"amdhsa.kernels"`
}

// readMetadata reads the kernels of a metadata document, which may have none, by name.
func readMetadata(doc []byte) ([]Kernel, error) {
	var m metadata
	if err := unpack(doc, &m); err != nil {
		return nil, fmt.Errorf("AMDGPU metadata: %w", err)
	}
	target, _, _ := strings.Cut(m.Target[strings.LastIndex(m.Target, "-")+1:], ":")
	var kernels []Kernel
	for _, k := range m.Kernels {
		if k.Name == "" {
			return nil, errors.New("AMDGPU metadata: kernel without a name")
		}
		numbers := []*int{
			k.VGPRs, k.SGPRs, k.VGPRSpills, k.SGPRSpills, k.LDS, k.Scratch, k.Wavefront, k.MaxWorkGroup, k.ArgBytes,
		}
		if slices.Contains(numbers, nil) {
			return nil, fmt.Errorf("AMDGPU metadata: kernel %s lacks a number", k.Name)
		}
		for _, a := range k.Args {
			if a.Offset < 0 || a.Size < 0 || a.Offset+a.Size > *k.ArgBytes {
				return nil, fmt.Errorf("AMDGPU metadata: kernel %s has an argument outside its %d bytes", k.Name, *k.ArgBytes)
			}
		}
		kernel := Kernel{Name: k.Name, Target: target,
			VGPRs: *k.VGPRs, SGPRs: *k.SGPRs, VGPRSpills: *k.VGPRSpills, SGPRSpills: *k.SGPRSpills,
			LDS: *k.LDS, Scratch: *k.Scratch, DynamicStack: k.DynamicStack,
			Wavefront: *k.Wavefront, MaxWorkGroup: *k.MaxWorkGroup, Args: k.Args, ArgBytes: *k.ArgBytes}
		copy(kernel.WorkGroup[:], k.WorkGroup)
		kernels = append(kernels, kernel)
	}
	slices.SortFunc(kernels, func(a, b Kernel) int { return strings.Compare(a.Name, b.Name) })
	return kernels, nil
}
