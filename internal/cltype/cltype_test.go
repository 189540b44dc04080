package cltype_test

import (
	"reflect"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/suffixcl/suffixcl/internal/cltype"
)

func TestNames(t *testing.T) {
	assert.Equal(t, "uchar", cltype.Name[uint8]())
	assert.Equal(t, "uint", cltype.Name[uint32]())
	assert.Equal(t, "ulong", cltype.Name[uint64]())
	assert.Equal(t, "uint2", cltype.Name[[2]uint32]())
	assert.Equal(t, "ushort", cltype.Of(reflect.TypeFor[uint16]()))
	assert.Equal(t, "int", cltype.Of(reflect.TypeFor[int32]()))
	assert.Equal(t, "long", cltype.Of(reflect.TypeFor[int64]()))
	assert.Equal(t, "uint4", cltype.Of(reflect.TypeFor[[4]uint32]()))
	assert.Equal(t, "bool", cltype.Of(reflect.TypeFor[bool]()))
	sizes := []int{cltype.Size[uint8](), cltype.Size[uint32](), cltype.Size[uint64](), cltype.Size[[2]uint32]()}
	assert.Equal(t, []int{1, 4, 8, 8}, sizes)
}
