package amdcode

import (
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
)

// deepest is how many levels a document may have. The document of a code object has five levels.
const deepest = 16

// unpack reads a MessagePack document as encoding/json reads one of JSON, which has the same values.
func unpack(doc []byte, to any) error {
	u := unpacker{doc: doc}
	value := u.value(deepest)
	if u.err != nil {
		return u.err
	}
	text, err := json.Marshal(value)
	if err != nil {
		return err
	}
	return json.Unmarshal(text, to)
}

// unpacker reads value after value. Of MessagePack's types it has those that LLVM writes: no floats, no bytes, no
// extensions; keys are strings.
type unpacker struct {
	doc []byte // what is left of it
	err error  // the first
}

func (u *unpacker) fail(err error) {
	if u.err == nil {
		u.err, u.doc = err, nil
	}
}

func (u *unpacker) bytes(n uint64) []byte {
	if n > uint64(len(u.doc)) {
		u.fail(errors.New("the document is cut off"))
		return nil
	}
	taken := u.doc[:n]
	u.doc = u.doc[n:]
	return taken
}

func (u *unpacker) number(width int) uint64 {
	var word [8]byte
	copy(word[8-width:], u.bytes(uint64(width)))
	return binary.BigEndian.Uint64(word[:])
}

func (u *unpacker) list(n uint64, depth int) any {
	list := []any{}
	for ; n > 0 && u.err == nil; n-- {
		list = append(list, u.value(depth-1))
	}
	return list
}

func (u *unpacker) object(n uint64, depth int) any {
	object := map[string]any{}
	for ; n > 0 && u.err == nil; n-- {
		key, ok := u.value(depth - 1).(string)
		if !ok {
			u.fail(errors.New("a key is no string"))
		}
		object[key] = u.value(depth - 1)
	}
	return object
}

func (u *unpacker) value(depth int) any {
	if depth == 0 {
		u.fail(errors.New("the document is too deep"))
	}
	first := byte(u.number(1))
	switch {
	case first < 0x80:
		return first
	case first < 0x90:
		return u.object(uint64(first&0xf), depth)
	case first < 0xa0:
		return u.list(uint64(first&0xf), depth)
	case first < 0xc0:
		return string(u.bytes(uint64(first & 0x1f)))
	case first >= 0xe0:
		return int8(first)
	}
	switch first {
	case 0xc0:
		return nil
	case 0xc2, 0xc3:
		return first == 0xc3
	case 0xcc, 0xcd, 0xce, 0xcf:
		return u.number(1 << (first - 0xcc))
	case 0xd0:
		return int8(u.number(1))
	case 0xd1:
		return int16(u.number(2))
	case 0xd2:
		return int32(u.number(4))
	case 0xd3:
		return int64(u.number(8))
	case 0xd9, 0xda, 0xdb:
		return string(u.bytes(u.number(1 << (first - 0xd9))))
	case 0xdc, 0xdd:
		return u.list(u.number(2<<(first-0xdc)), depth)
	case 0xde, 0xdf:
		return u.object(u.number(2<<(first-0xde)), depth)
	}
	u.fail(fmt.Errorf("a value begins with %#x", first))
	return nil
}
