package main

import (
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestDevices(t *testing.T) {
	needDevice(t)
	dir := t.TempDir()
	r := good(t, dir, "devices", "--long")
	assert.Contains(t, r.out, "0: ")
	assert.Contains(t, r.out, "self-test         ok")
	assert.Contains(t, r.out, "cl_khr_")

	var list struct{ Devices []deviceReport }
	require.NoError(t, json.Unmarshal([]byte(good(t, dir, "devices", "--json", "--no-test").out), &list))
	require.NotEmpty(t, list.Devices)
	for i, d := range list.Devices {
		assert.Equal(t, i, d.Index)
		assert.NotEmpty(t, d.Name)
		assert.NotEmpty(t, d.Driver)
		assert.Zero(t, d.TestTime)
	}
}
