package amdgpu

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/suffixcl/suffixcl/internal/testkit/amdcode"
)

// kernel is one that can be launched.
type kernel struct {
	amdcode.Kernel
	target      string
	code        []inst
	entry       int
	packedItems bool // the numbers of work-items are in one register
	explicit    int  // arguments that the caller sets
	saved       map[uint16]bool
	counters    Counters
	mostLDS     int // bytes of local memory that a launch had
}

// holdsScalars tells whether v_writelane keeps scalars in the register: any lane of it may be read then.
func (k *kernel) holdsScalars(register uint16) bool { return k.saved[register] }

// unsupported are the properties of kernels that this device does not provide.
const unsupported = amdcode.PropertyQueuePtr | amdcode.PropertyDispatchID

// compile returns the code object of a text with its listing: programs are loaded again and again, and a process that
// disassembles one takes a tenth of a second to start.
func (m *machine) compile(ctx context.Context, source string, options ...string) ([]byte, error) {
	object, err := m.compiler.Compile(ctx, source, m.target, options...)
	if err != nil {
		return nil, err
	}
	listing, err := m.compiler.Disassemble(ctx, object, m.target)
	return withListing(object, listing), err
}

// listed ends what [withListing] returns. Before it is the length of the listing, in eight bytes.
const listed = "listing of amdgpu"

func withListing(object, listing []byte) []byte {
	code := slices.Concat(object, listing)
	return append(binary.LittleEndian.AppendUint64(code, uint64(len(listing))), listed...)
}

// parts are object and listing of what withListing returned.
func parts(code []byte) (object, listing []byte, err error) {
	rest, ok := bytes.CutSuffix(code, []byte(listed))
	at := len(rest) - 8
	if !ok || at < 0 || binary.LittleEndian.Uint64(rest[at:]) > uint64(at) {
		return nil, nil, errors.New("no code object with its listing")
	}
	length := int(binary.LittleEndian.Uint64(rest[at:]))
	return rest[:at-length], rest[at-length : at], nil
}

// loadKernels decodes what compile returned.
func loadKernels(code []byte, t amdcode.Target) ([]*kernel, error) {
	object, listing, err := parts(code)
	if err != nil {
		return nil, err
	}
	found, err := amdcode.ReadKernels(object)
	if err != nil {
		return nil, err
	}
	functions, err := amdcode.ReadListing(listing)
	if err != nil {
		return nil, err
	}
	kernels := make([]*kernel, len(found))
	for i, k := range found {
		if k.Target != t.Name {
			return nil, fmt.Errorf("kernel %s: the code is for %q, the device is a %s", k.Name, k.Target, t.Name)
		}
		decoded := &kernel{Kernel: k, target: t.Name, packedItems: t.Name != "gfx906" && t.Name != "gfx1030"}
		if k.Wavefront != t.Wavefront || k.Descriptor.Properties&unsupported != 0 || k.Descriptor.Preload != 0 {
			return nil, fmt.Errorf("kernel %s: wavefronts of %d lanes, properties %#x, preload %#x are not provided on %s",
				k.Name, k.Wavefront, k.Descriptor.Properties, k.Descriptor.Preload, t.Name)
		}
		for _, a := range k.Args {
			if !a.Hidden() {
				decoded.explicit++
			}
		}
		decoded.code, decoded.entry, err = decodeKernel(&k, functions[k.Name], t)
		if err != nil {
			return nil, fmt.Errorf("kernel %s on %s: %w", k.Name, t.Name, err)
		}
		decoded.saved = make(map[uint16]bool)
		for _, in := range decoded.code {
			if strings.HasPrefix(in.text, "v_writelane") {
				decoded.saved[in.dst.index] = true
			}
		}
		kernels[i] = decoded
	}
	return kernels, nil
}

// hiddenValue is what a driver passes in an argument that it sets itself.
func (l *launch) hiddenValue(kind string, offset [3]int, dims int) uint64 {
	name, axisName, _ := cutLast(kind, "_")
	axis := strings.Index("xyz", axisName)
	if axis < 0 || len(axisName) != 1 {
		if kind == "hidden_grid_dims" {
			return uint64(dims)
		}
		return 0
	}
	switch name {
	case "hidden_block_count":
		return uint64(l.global[axis] / l.local[axis])
	case "hidden_group_size":
		return uint64(l.local[axis])
	case "hidden_global_offset":
		return uint64(offset[axis])
	}
	return 0 // hidden_remainder: work-groups are whole
}

func cutLast(s, separator string) (before, after string, found bool) {
	if i := strings.LastIndex(s, separator); i >= 0 {
		return s[:i], s[i+len(separator):], true
	}
	return s, "", false
}
