package cli

import (
	"bytes"
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/suffixcl/suffixcl/seqio"
)

// The files of a directory come in the order of their paths, with their texts, up to the first that fails.
func TestEachText(t *testing.T) {
	dir := t.TempDir()
	want := map[string]string{}
	put := func(name string, data []byte) {
		path := filepath.Join(dir, name)
		require.NoError(t, os.MkdirAll(filepath.Dir(path), 0o700))
		require.NoError(t, os.WriteFile(path, data, 0o600))
	}
	packed := func(text []byte) []byte {
		var b bytes.Buffer
		z := gzip.NewWriter(&b)
		_, err := z.Write(text)
		require.NoError(t, err)
		require.NoError(t, z.Close())
		return b.Bytes()
	}
	for i := range 300 {
		name := fmt.Sprintf("%02d/%03d", i/20, i)
		text := bytes.Repeat([]byte{byte(i)}, i*i%977)
		switch i {
		case 70:
			text = bytes.Repeat([]byte("longer than is read ahead"), aheadOfTurn/20)
		case 71:
			text = bytes.Repeat([]byte("as long as is read ahead "), aheadOfTurn)[:aheadOfTurn]
		}
		want[name] = string(text)
		if i%7 == 3 {
			text = packed(text)
		}
		put(name, text)
	}
	files, err := Files(dir)
	require.NoError(t, err)
	require.Len(t, files, 300)
	o := InputOptions{Sequences: seqio.Options{Format: seqio.Plain}}
	each := func(ctx context.Context, stop int) (last string, err error) {
		n := 0
		err = EachText(ctx, files, o, func(file File, in *Input) error {
			require.Equal(t, files[n], file)
			require.Equal(t, filepath.Join(dir, file.Below), in.Name)
			if n++; n == stop {
				return errors.New("stop")
			}
			text, err := in.ReadAll(ctx, nil, nil)
			if err == nil {
				require.Equal(t, want[file.Below], string(text), file.Below)
			}
			last = file.Below
			return err
		})
		return last, err
	}
	last, err := each(t.Context(), 0)
	require.NoError(t, err)
	require.Equal(t, "14/299", last)
	last, err = each(t.Context(), 100)
	require.EqualError(t, err, "stop")
	require.Equal(t, "04/098", last)

	put("07/145", packed(make([]byte, 4000))[:20])
	last, err = each(t.Context(), 0)
	require.ErrorContains(t, err, filepath.Join(dir, "07/145"))
	require.Equal(t, "07/145", last)
	require.NoError(t, os.Remove(filepath.Join(dir, "05/100"))) // since they were listed
	last, err = each(t.Context(), 0)
	require.ErrorIs(t, err, os.ErrNotExist)
	require.Equal(t, "04/099", last)

	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	_, err = each(ctx, 0)
	require.ErrorIs(t, err, context.Canceled)
}
