package main

import (
	"debug/elf"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/vmihailenco/msgpack/v5"
)

// kernel is what the metadata of a code object says about a kernel.
type kernel struct {
	Name                   string
	VGPRs, SGPRs           int // vector registers include accumulation registers
	VGPRSpills, SGPRSpills int
	LDS                    int // bytes of local memory
	Scratch                int // bytes of private memory of a work-item
	DynamicStack           bool
}

// noteMetadata is NT_AMDGPU_METADATA: a MessagePack document (LLVM, User Guide
// for AMDGPU Backend, code object V3 and above).
const noteMetadata = 32

// readCodeObject reads the kernels of an ELF code object, by name.
func readCodeObject(r io.ReaderAt) ([]kernel, error) {
	f, err := elf.NewFile(r)
	if err != nil {
		return nil, err
	}
	for _, s := range f.Sections {
		if s.Type != elf.SHT_NOTE {
			continue
		}
		data, err := s.Data()
		if err != nil {
			return nil, err
		}
		if doc := findNote(data, f.ByteOrder); doc != nil {
			return readMetadata(doc)
		}
	}
	return nil, errors.New("no AMDGPU metadata note")
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

// metadata is the part of the document that the gate looks at. Pointers tell what is missing.
type metadata struct {
	Kernels []struct {
		Name         string `msgpack:".name"`
		VGPRs        *int   `msgpack:".vgpr_count"`
		SGPRs        *int   `msgpack:".sgpr_count"`
		VGPRSpills   *int   `msgpack:".vgpr_spill_count"`
		SGPRSpills   *int   `msgpack:".sgpr_spill_count"`
		LDS          *int   `msgpack:".group_segment_fixed_size"`
		Scratch      *int   `msgpack:".private_segment_fixed_size"`
		DynamicStack bool   `msgpack:".uses_dynamic_stack"`
	} `msgpack:"amdhsa.kernels"`
}

// readMetadata reads the kernels of a metadata document, which may have none, by name.
func readMetadata(doc []byte) ([]kernel, error) {
	var m metadata
	if err := msgpack.Unmarshal(doc, &m); err != nil {
		return nil, fmt.Errorf("AMDGPU metadata: %w", err)
	}
	var kernels []kernel
	for _, k := range m.Kernels {
		if k.Name == "" {
			return nil, errors.New("AMDGPU metadata: kernel without a name")
		}
		if slices.Contains([]*int{k.VGPRs, k.SGPRs, k.VGPRSpills, k.SGPRSpills, k.LDS, k.Scratch}, nil) {
			return nil, fmt.Errorf("AMDGPU metadata: kernel %s lacks a number", k.Name)
		}
		kernels = append(kernels, kernel{Name: k.Name,
			VGPRs: *k.VGPRs, SGPRs: *k.SGPRs, VGPRSpills: *k.VGPRSpills, SGPRSpills: *k.SGPRSpills,
			LDS: *k.LDS, Scratch: *k.Scratch, DynamicStack: k.DynamicStack})
	}
	slices.SortFunc(kernels, func(a, b kernel) int { return strings.Compare(a.Name, b.Name) })
	return kernels, nil
}
