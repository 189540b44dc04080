package verbs

import (
	"os"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/suffixcl/suffixcl/internal/cli"
	"github.com/suffixcl/suffixcl/internal/cli/clitest"
)

// A bad tuning file is an error of every verb that uses a device, which names it.
func TestBadTuningFile(t *testing.T) {
	clitest.NeedDevice(t)
	dir := t.TempDir()
	clitest.Put(t, dir, "text", []byte("banana"))
	for text, want := range map[string]string{
		"{": "unexpected end", `{"version": 7}`: "version 1", `{"version": 1, "colour": "red"}`: "colour",
	} {
		clitest.Put(t, dir, "tuning.json", []byte(text))
		for _, args := range [][]string{{"sa", "text", "-o", "out"}, {"plan", "sa", "text"}} {
			c := clitest.Command(dir, args...)
			c.Env = append(os.Environ(), "SUFFIXCL_TUNING=tuning.json")
			r := clitest.Finish(t, c)
			assert.Equal(t, cli.ExitFailed, r.Code, "%v", args)
			assert.Contains(t, r.Errors, "tuning.json")
			assert.Contains(t, r.Errors, want)
		}
	}
	assert.Equal(t, []string{"text", "tuning.json"}, clitest.Files(t, dir))
	c := clitest.Command(dir, "sa", "text", "-o", "out")
	c.Env = append(os.Environ(), "SUFFIXCL_TUNING=missing.json")
	r := clitest.Finish(t, c)
	assert.Equal(t, cli.ExitFailed, r.Code)
	assert.Contains(t, r.Errors, "missing.json")
	c = clitest.Command(dir, "sa", "text", "-o", "out")
	c.Env = append(os.Environ(), "SUFFIXCL_TUNING=off")
	assert.Equal(t, cli.ExitDone, clitest.Finish(t, c).Code)
}
