package source

import (
	"context"
	"fmt"
	"strconv"
	"strings"

	"github.com/suffixcl/suffixcl/internal/bytesize"
	"github.com/suffixcl/suffixcl/internal/cli"
	"github.com/suffixcl/suffixcl/internal/regular"
)

// ReadTransform reads n bytes.
func ReadTransform(ctx context.Context, name string, n int, progress func(done, total int64)) ([]byte, error) {
	in, err := cli.OpenRaw(ctx, name)
	if err != nil {
		return nil, err
	}
	defer in.Close()
	// What is longer need not be read to the end.
	long := func(size int64) error {
		if size <= int64(n)+cli.ReadChunk {
			return nil
		}
		return WrongTransform(in, size, n)
	}
	transform, err := in.ReadAll(ctx, long, progress)
	if err == nil && len(transform) != n {
		err = WrongTransform(in, int64(len(transform)), n)
	}
	return transform, err
}

// WrongTransform is the error of a transform of another size than the text.
func WrongTransform(in *cli.Input, size int64, n int) error {
	return cli.Mismatch("%s: not the Burrows-Wheeler transform of the text: it has %s, the text %d", in.Name,
		bytesize.Count(size, "byte"), n)
}

// ReadPrimary reads the file next to a transform.
func ReadPrimary(bwt string) (int, error) {
	name := PrimaryFile(bwt)
	data, err := regular.ReadFile(name)
	if err != nil {
		return 0, fmt.Errorf("primary index: %w; --primary can give it", err)
	}
	n, err := strconv.Atoi(strings.TrimSpace(string(data)))
	if err != nil || n < 0 {
		return 0, fmt.Errorf("%s does not hold a primary index, which is a number", name)
	}
	return n, nil
}

// PrimaryFile is where the primary index of a transform is kept.
func PrimaryFile(name string) string { return name + ".primary" }
