package driver_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/suffixcl/suffixcl/internal/driver"
)

func TestVisible(t *testing.T) {
	root := t.TempDir()
	require.Empty(t, driver.Visible(root))
	require.NoError(t, os.Mkdir(filepath.Join(root, "dev"), 0o700))
	require.NoError(t, os.WriteFile(filepath.Join(root, "dev", "kfd"), nil, 0o600))
	there := driver.Visible(root)
	require.Len(t, there, 1)
	require.Equal(t, filepath.Join(root, "dev", "kfd"), there[0].File)
	require.Equal(t, driver.AMD, there[0].Vendor)
	require.Contains(t, there[0].Advice, "libamdocl64.so")
}
