package gate

import (
	"bytes"
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// Texts are of their kinds: widths, numbers of different symbols, passages that occur again.
func TestInputs(t *testing.T) {
	for _, k := range Kinds() {
		in := newInput(k, 6000, 3)
		text := in.text()
		if k.Name == kindNone {
			assert.Empty(t, in.file)
			continue
		}
		assert.Len(t, text, 6000, k.Name)
		if in.width*len(text) == len(in.file) {
			assert.Equal(t, byte(text[9]), in.file[9*in.width], k.Name)
		}
		slices.Sort(text)
		switch different := len(slices.Compact(text)); {
		case k.vocabulary > 256:
			assert.Greater(t, different, 1000, k.Name)
		case k.width > 1:
			assert.LessOrEqual(t, different, 256, k.Name)
			assert.Greater(t, different, 100, k.Name)
		}
		assert.Equal(t, in.file, newInput(k, 6000, 3).file, k.Name)
		assert.NotEqual(t, in.file, newInput(k, 6000, 4).file, k.Name)
	}
}

// The orders of a text that everyone knows, from other definitions.
func TestOrders(t *testing.T) {
	of := func(kind string) arrays {
		in := input{Kind: Kind{Name: kind, width: 1}, texts: [][]uint64{{'b', 'a', 'n', 'a', 'n', 'a'}}}
		return in.arrays()
	}
	plain := of(kindBytes)
	assert.Equal(t, []uint32{5, 3, 1, 0, 4, 2}, plain.sa)
	assert.Equal(t, []uint32{0, 1, 3, 0, 0, 2}, plain.lcp)
	assert.Equal(t, "annbaa", string(plain.bwt))
	assert.Equal(t, 4, plain.primary)
	end := of(kindEnd)
	assert.Equal(t, []uint32{1, 3, 5, 0, 2, 4}, end.sa)
	assert.Equal(t, "bnnaaa", string(end.bwt))
	assert.Equal(t, 3, end.primary)
	specials := input{Kind: Kind{Name: kindSpecials, width: 1}, texts: [][]uint64{{'N', 'A', 'N', 'A', 'N', 'A'}}}
	assert.Equal(t, []uint32{1, 3, 5, 0, 2, 4}, specials.arrays().sa)
	assert.Equal(t, make([]uint32, 3), specials.arrays().lcp[3:], "specials are equal to nothing")
	memory := input{Kind: Kind{Name: kindMemory, width: 2}, texts: [][]uint64{{0x0201, 0x0102, 0x0300}}}
	assert.Equal(t, []uint32{2, 0, 1}, memory.arrays().sa)
}

// refuses is a command that takes nothing.
func refuses(context.Context, string, ...string) (int, string, string, error) {
	return exitUsage, "", "suffixcl: sa: unknown flag: --x (see suffixcl sa --help)\n", nil
}

// What a verb should take and refuses is wrong, and so is what it should refuse and takes, and a driver that fails
// where a refusal is expected.
func TestWrongCells(t *testing.T) {
	wrong := func(run Runner, verb, kind string) Cell {
		cells, err := Run(t.Context(), Options{Run: run, Length: 1000, Seed: 1, AtOnce: 4})
		require.NoError(t, err)
		assert.Len(t, cells, len(verbs())*len(Kinds()))
		r := Report{Cells: cells}
		return r.find(verb, kind)
	}
	c := wrong(refuses, "sa", kindBytes)
	assert.Equal(t, Wrong, c.Result)
	assert.Contains(t, c.Why, "exit code 2: unknown flag: --x")
	c = wrong(refuses, "sa", kindSet)
	assert.Equal(t, Cell{"sa", kindSet, Refused, "suffixcl sa text -o out --set", "unknown flag: --x"}, c)

	takes := func(context.Context, string, ...string) (int, string, string, error) { return 0, "", "", nil }
	assert.Equal(t, Wrong, wrong(takes, "sa", kindSet).Result)
	assert.Equal(t, Wrong, wrong(takes, "count", kindBytes).Result)
	fails := func(context.Context, string, ...string) (int, string, string, error) {
		return exitFailed, "", "suffixcl: clFinish: CL_OUT_OF_RESOURCES", nil
	}
	assert.Equal(t, Wrong, wrong(fails, "sa", kindSet).Result)
	assert.Equal(t, Wrong, wrong(fails, "build bwa", kindBytes).Result)
	hangs := func(context.Context, string, ...string) (int, string, string, error) {
		return -1, "", "", errors.New("ended after 2m0s")
	}
	c = wrong(hangs, "unbwt", kindEnd)
	assert.Equal(t, Wrong, c.Result)
	assert.Equal(t, "ended after 2m0s", c.Why)

	// A wrong entry of a result, which nothing but the definition shows.
	writes := func(damage int) Runner {
		return func(ctx context.Context, dir string, args ...string) (int, string, string, error) {
			if args[0] != "sa" || len(args) < 5 {
				return refuses(ctx, dir)
			}
			in := newInput(Kinds()[0], 1000, 1)
			file := encode(in.arrays().sa, 4)
			file[len(file)-4*damage] ^= byte(damage)
			return 0, "", "", os.WriteFile(filepath.Join(dir, "out"), file, 0o666)
		}
	}
	assert.Contains(t, wrong(writes(1), "sa", kindBytes).Why, "out: byte 3996 of 4000")
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	_, err := Run(ctx, Options{Run: refuses, Length: 1000})
	require.ErrorIs(t, err, context.Canceled)
}

func TestReport(t *testing.T) {
	r := &Report{Version: Version, Device: "A", Platform: "P", Driver: "1", Library: "lib", Cells: []Cell{
		{"sa", kindBytes, Right, "suffixcl sa", ""}, {"sa", kindSet, Refused, "suffixcl sa --set", "unknown flag: --set"},
		{"lcp", kindBytes, Wrong, "suffixcl lcp", `byte 1: "|"`}, {"gsa", kindSet, Absent, "", "not installed"},
	}}
	var b bytes.Buffer
	require.NoError(t, r.Write(&b))
	assert.Equal(t, 1+len(r.Cells), strings.Count(b.String(), "\n"))
	again, err := Parse(b.Bytes())
	require.NoError(t, err)
	assert.Equal(t, r, again)
	assert.Len(t, r.Wrong(), 1)
	assert.Equal(t, 1, r.Count(Absent))
	for _, bad := range []string{"", "{}", `{"suffixcl_verbs":1}`, `{"suffixcl_verbs":2,"device":"A"}`,
		`{"suffixcl_verbs":1,"device":"A","cells":[{"verb":"sa","kind":"set"},{"verb":"sa","kind":"set"}]}`} {
		_, err := Parse([]byte(bad))
		assert.Error(t, err, bad)
	}
	other := &Report{Device: "B", Library: "lib", Cells: slices.Clone(r.Cells)}
	other.Cells[2].Result = Right
	table := Markdown([]string{"a", "b"}, []*Report{r, other}, strings.ToUpper)
	assert.Contains(t, table, "| a | A, P 1,  | LIB |\n")
	assert.Contains(t, table, "| `sa` | right | not run |")
	assert.Contains(t, table, "| `lcp` | **wrong** (a), right (b) |")
	assert.Contains(t, table, "| 1 | unknown flag: --set |\n| 2 | not installed |\n")
}
