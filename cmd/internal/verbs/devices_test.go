package verbs

import (
	"encoding/json"
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"github.com/suffixcl/suffixcl/internal/cli"
	"github.com/suffixcl/suffixcl/internal/cli/clitest"
)

func TestDevices(t *testing.T) {
	clitest.NeedDevice(t)
	dir := t.TempDir()
	r := clitest.Good(t, dir, "devices", "--long")
	assert.Contains(t, r.Out, "0: ")
	assert.Contains(t, r.Out, "self-test         ok")
	assert.Contains(t, r.Out, "cl_khr_")

	var list devicesReport
	require.NoError(t, json.Unmarshal([]byte(clitest.Good(t, dir, "devices", "--json", "--no-test").Out), &list))
	require.NotEmpty(t, list.Devices)
	for i, d := range list.Devices {
		assert.Equal(t, i, d.Index)
		assert.NotEmpty(t, d.Name)
		assert.NotEmpty(t, d.Driver)
		assert.Zero(t, d.TestTime)
	}
}

// A SUFFIXCL_DEVICE that selects nothing is told: every other verb fails by it.
func TestDevicesWrongVariable(t *testing.T) {
	clitest.NeedDevice(t)
	run := func(variable string, args ...string) clitest.Result {
		c := clitest.Command(t.TempDir(), append([]string{"devices", "--no-test"}, args...)...)
		c.Env = append(os.Environ(), "SUFFIXCL_DEVICE="+variable)
		return clitest.Finish(t, c)
	}
	for _, variable := range []string{"nonsense", "9999"} {
		r := run(variable)
		assert.Equal(t, cli.ExitDone, r.Code, r.Errors)
		line := fmt.Sprintf("\nNo device is the default: SUFFIXCL_DEVICE is %q, which none matches.\n", variable)
		assert.True(t, strings.HasSuffix(r.Out, line), r.Out)
		assert.NotContains(t, r.Out, "(default)")
		assert.Contains(t, run(variable, "--json").Out, `"selector_matches": false`)
	}
	for _, variable := range []string{"", "0"} {
		r := run(variable)
		assert.NotContains(t, r.Out, "SUFFIXCL_DEVICE")
		assert.Contains(t, r.Out, "(default)")
		assert.Contains(t, run(variable, "--json").Out, `"selector_matches": true`)
	}
}
