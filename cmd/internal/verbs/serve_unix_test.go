//go:build unix

package verbs

import (
	"bufio"
	"bytes"
	"io"
	"net/http"
	"os/exec"
	"strings"
	"syscall"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/suffixcl/suffixcl/internal/cli"
	"github.com/suffixcl/suffixcl/internal/cli/clitest"
)

// A service tells its address, answers, and ends well at a signal.
func TestServe(t *testing.T) {
	dir := t.TempDir()
	putTables(t, dir)
	for _, signal := range []syscall.Signal{syscall.SIGTERM, syscall.SIGINT} {
		c := clitest.Command(dir, "serve", "tables", "--token", "u8", "--port", "0", "--log")
		var errs bytes.Buffer
		c.Stderr = &errs
		out, err := c.StdoutPipe()
		require.NoError(t, err)
		require.NoError(t, c.Start())
		address, err := bufio.NewReader(out).ReadString('\n')
		require.NoError(t, err, errs.String())
		address = strings.TrimSuffix(address, "\n")
		assert.Regexp(t, `^http://127\.0\.0\.1:\d+/$`, address)
		response, err := http.Post(address, "application/json",
			strings.NewReader(`{"index":"tables","query_type":"find","query_ids":[1,2]}`))
		require.NoError(t, err)
		body, err := io.ReadAll(response.Body)
		require.NoError(t, err)
		response.Body.Close()
		assert.Contains(t, string(body), `{"cnt":2,"segment_by_shard":[[0,2]],"token_ids":[1,2],"latency":`)
		port := address[len("http://127.0.0.1:") : len(address)-1]
		other := clitest.Run(t, dir, "serve", "tables", "--token", "u8", "--port", port)
		assert.Equal(t, cli.ExitFailed, other.Code)
		assert.Contains(t, other.Errors, "address already in use")
		require.NoError(t, c.Process.Signal(signal))
		var exit *exec.ExitError
		if err := c.Wait(); err != nil {
			require.ErrorAs(t, err, &exit, errs.String())
		}
		assert.Equal(t, cli.ExitDone, c.ProcessState.ExitCode(), errs.String())
		assert.Equal(t, 1, strings.Count(errs.String(), "\n"), errs.String())
		assert.Contains(t, errs.String(), `"index":"tables","query_type":"find","status":200,"seconds":`)
	}
}
