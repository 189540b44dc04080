package main

import (
	"debug/elf"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
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

func readMetadata(doc []byte) ([]kernel, error) {
	d := msgpack{data: doc}
	v, err := d.value()
	if err != nil {
		return nil, fmt.Errorf("AMDGPU metadata: %w", err)
	}
	root, _ := v.(map[string]any)
	list, ok := root["amdhsa.kernels"].([]any)
	if !ok {
		return nil, nil // a code object without kernels
	}
	var kernels []kernel
	for _, item := range list {
		m, _ := item.(map[string]any)
		var k kernel
		if k.Name, ok = m[".name"].(string); !ok {
			return nil, errors.New("AMDGPU metadata: kernel without a name")
		}
		for key, to := range map[string]*int{
			".vgpr_count": &k.VGPRs, ".sgpr_count": &k.SGPRs,
			".vgpr_spill_count": &k.VGPRSpills, ".sgpr_spill_count": &k.SGPRSpills,
			".group_segment_fixed_size": &k.LDS, ".private_segment_fixed_size": &k.Scratch,
		} {
			n, ok := m[key].(int)
			if !ok {
				return nil, fmt.Errorf("AMDGPU metadata: kernel %s has no %s", k.Name, key)
			}
			*to = n
		}
		k.DynamicStack, _ = m[".uses_dynamic_stack"].(bool)
		kernels = append(kernels, k)
	}
	slices.SortFunc(kernels, func(a, b kernel) int { return strings.Compare(a.Name, b.Name) })
	return kernels, nil
}

// msgpack decodes the part of MessagePack that the metadata uses: maps with
// string keys, arrays, strings, integers, booleans and nil.
type msgpack struct{ data []byte }

var errMsgpack = errors.New("malformed MessagePack")

// take returns the next n bytes.
func (d *msgpack) take(n int) ([]byte, error) {
	if n < 0 || n > len(d.data) {
		return nil, errMsgpack
	}
	b := d.data[:n]
	d.data = d.data[n:]
	return b, nil
}

// uint reads a big-endian integer of n bytes.
func (d *msgpack) uint(n int) (int, error) {
	b, err := d.take(n)
	v := uint64(0)
	for _, c := range b {
		v = v<<8 | uint64(c)
	}
	return int(v), err
}

func (d *msgpack) value() (any, error) {
	tag, err := d.uint(1)
	if err != nil {
		return nil, err
	}
	sized := func(bytes int, read func(int) (any, error)) (any, error) {
		n, err := d.uint(bytes)
		if err != nil {
			return nil, err
		}
		return read(n)
	}
	switch {
	case tag <= 0x7f:
		return tag, nil
	case tag >= 0xe0:
		return tag - 0x100, nil
	case tag&0xf0 == 0x80:
		return d.mapping(tag & 0x0f)
	case tag&0xf0 == 0x90:
		return d.array(tag & 0x0f)
	case tag&0xe0 == 0xa0:
		return d.text(tag & 0x1f)
	}
	switch tag {
	case 0xc0:
		return nil, nil
	case 0xc2, 0xc3:
		return tag == 0xc3, nil
	case 0xcc, 0xcd, 0xce, 0xcf:
		return d.uint(1 << (tag - 0xcc))
	case 0xd0, 0xd1, 0xd2, 0xd3:
		bytes := 1 << (tag - 0xd0)
		n, err := d.uint(bytes)
		shift := 64 - 8*bytes
		return int(int64(n) << shift >> shift), err
	case 0xd9, 0xda, 0xdb:
		return sized(1<<(tag-0xd9), d.text)
	case 0xdc, 0xdd:
		return sized(2<<(tag-0xdc), d.array)
	case 0xde, 0xdf:
		return sized(2<<(tag-0xde), d.mapping)
	}
	return nil, fmt.Errorf("%w: tag %#x", errMsgpack, tag)
}

func (d *msgpack) text(n int) (any, error) {
	b, err := d.take(n)
	return string(b), err
}

func (d *msgpack) array(n int) (any, error) {
	list := []any{}
	for range n {
		v, err := d.value()
		if err != nil {
			return nil, err
		}
		list = append(list, v)
	}
	return list, nil
}

func (d *msgpack) mapping(n int) (any, error) {
	m := map[string]any{}
	for range n {
		k, err := d.value()
		if err != nil {
			return nil, err
		}
		key, ok := k.(string)
		if !ok {
			return nil, fmt.Errorf("%w: a key is no string", errMsgpack)
		}
		if m[key], err = d.value(); err != nil {
			return nil, err
		}
	}
	return m, nil
}
