package main

import (
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"github.com/suffixcl/suffixcl/internal/cli/clitest"
)

func TestDevices(t *testing.T) {
	clitest.NeedDevice(t)
	dir := t.TempDir()
	r := clitest.Good(t, dir, "devices", "--long")
	assert.Contains(t, r.Out, "0: ")
	assert.Contains(t, r.Out, "self-test         ok")
	assert.Contains(t, r.Out, "cl_khr_")

	var list struct{ Devices []deviceReport }
	require.NoError(t, json.Unmarshal([]byte(clitest.Good(t, dir, "devices", "--json", "--no-test").Out), &list))
	require.NotEmpty(t, list.Devices)
	for i, d := range list.Devices {
		assert.Equal(t, i, d.Index)
		assert.NotEmpty(t, d.Name)
		assert.NotEmpty(t, d.Driver)
		assert.Zero(t, d.TestTime)
	}
}
