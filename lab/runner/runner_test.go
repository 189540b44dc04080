package runner

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/suffixcl/suffixcl/cl"
	"github.com/suffixcl/suffixcl/conformance"
	"github.com/suffixcl/suffixcl/device"
	"github.com/suffixcl/suffixcl/internal/hooks"
	"github.com/suffixcl/suffixcl/internal/testkit/devicetest"
	"github.com/suffixcl/suffixcl/internal/testkit/harness"
)

// childVariable makes the test's program a child: a real one, or one that misbehaves.
const childVariable = "SUFFIXCL_TEST_CHILD"

func TestMain(m *testing.M) {
	switch os.Getenv(childVariable) {
	case "":
		os.Exit(m.Run())
	case "real":
		if err := Work(context.Background(), os.Stdin, os.Stdout); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
	case "bad":
		badChild()
	case "lost":
		if err := Work(context.Background(), os.Stdin, losing{}); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
	case "start":
		fmt.Fprintln(os.Stderr, "no such driver")
		os.Exit(1)
	}
	os.Exit(0)
}

// badChild passes cell a, hangs in b, crashes in c, fails d and passes e.
func badChild() {
	var j job
	if json.NewDecoder(os.Stdin).Decode(&j) != nil {
		os.Exit(9)
	}
	devices, err := device.List()
	if err != nil {
		os.Exit(9)
	}
	lines := json.NewEncoder(os.Stdout)
	var cells []Cell
	for _, name := range []string{"a", "b", "c", "d", "e"} {
		cell := Cell{Subject: name, Kind: "sorter", Variant: j.Variant, Class: "x"}
		done := false
		for _, d := range j.Done {
			done = done || d.is(&cell)
		}
		if !done {
			cells = append(cells, cell)
		}
	}
	d := devices[0]
	info := RunInfo{Device: strings.TrimSpace(d.Name()), Platform: d.Platform().Name(),
		Driver: d.DriverVersion(), System: "s"}
	lines.Encode(event{Device: &Run{RunInfo: info}})
	fmt.Println("a driver says hello")
	lines.Encode(event{Cells: cells})
	for _, c := range cells {
		lines.Encode(event{Begin: &c})
		switch c.Result = Passed; c.Subject {
		case "a": // longer than the limit, but never silent for so long
			for n := range 6 {
				lines.Encode(event{Case: fmt.Sprint("x/n=", n)})
				time.Sleep(400 * time.Millisecond)
			}
		case "b":
			lines.Encode(event{Case: "x/n=1"})
			lines.Encode(event{Case: "x/n=2"})
			time.Sleep(time.Hour)
		case "c":
			panic("from the driver")
		case "d":
			c.Result, c.Case, c.Error = Failed, "x/n=3", "sa[0] = 1, want 2 <&>"
		}
		lines.Encode(event{End: &c})
	}
	lines.Encode(event{All: true})
}

// losing is standard output of a child that loses the device in one cell: all calls to the driver fail from then on.
type losing struct{}

func (losing) Write(line []byte) (int, error) {
	begins := bytes.HasPrefix(line, []byte(`{"Begin":{"subject":"exclusive sum u32"`))
	if begins && bytes.Contains(line, []byte(`"large"`)) {
		hooks.InjectFaults(func(string) int32 { return outOfResources })
	}
	return os.Stdout.Write(line)
}

const outOfResources = -5

// A cell that loses the device fails alone.
func TestLostDevice(t *testing.T) {
	run := func(child string) *Run {
		o, devices := options(t, child)
		o.Variants, o.Only = []string{"tiny"}, []string{"exclusive sum u32", "exclusive sum u64", "inclusive sum u32"}
		report := Merge()
		require.NoError(t, report.Run(t.Context(), devices, o))
		require.Len(t, report.Runs, 1)
		return report.Runs[0]
	}
	good, lost := run("real"), run("lost")
	require.Len(t, lost.Cells, len(good.Cells))
	failed := 0
	for i, c := range lost.Cells {
		want := Passed
		if c.Subject == "exclusive sum u32" && c.Class == "large" {
			want = Failed
			failed++
			assert.Contains(t, c.Error, "CL_OUT_OF_RESOURCES")
		}
		assert.Equal(t, want, c.Result, "%s %s: %s", c.Subject, c.Class, c.Error)
		assert.Equal(t, good.Cells[i].Class, c.Class)
	}
	assert.Equal(t, 1, failed)
}

func options(t *testing.T, child string) (Options, []*cl.Device) {
	devices := devicetest.Devices(t)
	return Options{Devices: []int{0}, Level: "quick", Seed: 1, Library: "lib", Limit: time.Minute,
		Command: func(ctx context.Context) *exec.Cmd {
			c := exec.CommandContext(ctx, os.Args[0])
			c.Env = append(os.Environ(), childVariable+"="+child)
			return c
		}}, devices
}

// A cell that hangs or crashes costs itself; the run can be gone on with.
func TestBadDriver(t *testing.T) {
	o, devices := options(t, "bad")
	o.Limit, o.Variants = 2*time.Second, []string{"tiny"}
	var ended []string
	o.Progress = func(_ *Run, c Cell, done, total int) {
		ended = append(ended, fmt.Sprintf("%s %s %d/%d", c.Subject, c.Result, done, total))
	}
	saves := 0
	o.Save = func() error { saves++; return nil }
	report := Merge()
	require.NoError(t, report.Run(t.Context(), devices, o))
	assert.Equal(t, []string{"a passed 1/5", "b hung 2/5", "c crashed 3/5", "d failed 4/5", "e passed 5/5"}, ended)
	require.Len(t, report.Runs, 1)
	run := report.Runs[0]
	assert.Empty(t, run.Cells[0].Case)
	assert.Equal(t, "x/n=2", run.Cells[1].Case, "where it hangs")
	assert.Equal(t, 2, run.Cells[1].Cases)
	assert.Contains(t, run.Cells[2].Error, "from the driver")
	assert.Equal(t, 3, report.Failures())
	assert.Positive(t, saves)
	assert.Equal(t, "lib", run.Library)

	ended = nil
	run.Cells = run.Cells[:4]
	require.NoError(t, report.Run(t.Context(), devices, o))
	assert.Equal(t, []string{"e passed 1/1"}, ended, "what is there is not run again")

	testPage(t, report)
	o.Save = func() error { return errors.New("disk full") }
	require.ErrorContains(t, Merge().Run(t.Context(), devices, o), "disk full")
	ctx, cancel := context.WithCancel(t.Context())
	o.Save, o.Progress = nil, func(*Run, Cell, int, int) { cancel() }
	require.ErrorIs(t, Merge().Run(ctx, devices, o), context.Canceled)
}

func testPage(t *testing.T, report *Report) {
	var page bytes.Buffer
	require.NoError(t, report.Page(&page))
	for _, want := range []string{
		"3 of 5 cells did not pass", `class="passed"`, `class="failed"`, "x/n=3", "want 2 &lt;&amp;&gt;",
		"viewport", "@media print",
		"suffixcl-lab conformance --device &#39;",
		"&#39; --variant tiny --only &#39;d&#39; --class &#39;x&#39; --seed 1 --quick",
	} {
		assert.Contains(t, page.String(), want)
	}
	for _, outside := range []string{"http:", "https:", "src=", "@import"} {
		assert.NotContains(t, page.String(), outside, "the page is self-contained")
	}
}

func TestDeviceThatDoesNotOpen(t *testing.T) {
	o, devices := options(t, "start")
	o.Variants = []string{harness.VariantsFor(devices[0])[0].Name}
	report := Merge()
	require.NoError(t, report.Run(t.Context(), devices, o))
	require.Equal(t, 1, report.Failures())
	assert.Contains(t, report.Runs[0].Cells[0].Error, "no such driver")
}

// The real thing, with a class of small inputs of every subject.
func TestSubjects(t *testing.T) {
	o, devices := options(t, "real")
	for i := range devices {
		o.Devices = []int{i}
		o.Variants = []string{harness.VariantsFor(devices[i])[0].Name}
		o.Classes = []string{"exhaustive/abc", "accept/exhaustive/abc", "bytes/exhaustive/abc", "large",
			"letter/exhaustive/ab", "16 bits/bytes/exhaustive/ab", "set/exhaustive/ab", "16 bits/any values"}
		report := Merge()
		require.NoError(t, report.Run(t.Context(), devices, o))
		run := report.Runs[0]
		for _, c := range run.Cells {
			assert.Equal(t, Passed, c.Result, "%s, %s: %s", c.Subject, c.Class, c.Error)
			assert.Positive(t, c.Cases)
		}
		assert.Len(t, run.Cells, len(Subjects())-1, "every subject but the copy has one of the classes")
		assert.Equal(t, strings.TrimSpace(devices[i].Name()), run.Device, "what a run is resumed by")
		assert.Equal(t, devices[i].Platform().Name(), run.Platform)
		assert.Equal(t, devices[i].DriverVersion(), run.Driver)
	}
}

// Names are what --only and --resume go by.
func TestNamesAreDistinct(t *testing.T) {
	seen := map[string]bool{}
	for _, s := range Subjects() {
		assert.False(t, seen[s.Name], s.Name)
		seen[s.Name] = true
		assert.Contains(t, kinds, s.Kind)
	}
}

func TestFailuresAreSeen(t *testing.T) {
	_, devices := options(t, "")
	s, err := harness.Open(devices[0], harness.Variants[0])
	require.NoError(t, err)
	defer s.Close()
	c, nothing := Cell{}, func() error { return nil }
	var begun []string
	begin := func(name string) error { begun = append(begun, name); return nil }
	require.NoError(t, try(t.Context(), s, &c, []conformance.Case{
		{Name: "good", Run: func(context.Context) error { return nil }},
		{Name: "bad", Run: func(context.Context) error { s.Fail(errors.New("sticky")); return errors.New("wrong") }},
		{Name: "not run", Run: func(context.Context) error { panic("") }},
	}, begin, nothing))
	assert.Equal(t, []string{"good", "bad"}, begun)
	assert.Equal(t, Failed, c.Result)
	assert.Equal(t, "bad", c.Case)
	assert.Equal(t, 2, c.Cases)
	require.NoError(t, s.Err(), "the next cell begins without the failure")
	leak, err := device.Alloc[uint8](s, 5)
	require.NoError(t, err)
	good := []conformance.Case{{Name: "good", Run: func(context.Context) error { return nil }}}
	require.NoError(t, try(t.Context(), s, &c, good, begin, nothing))
	assert.Equal(t, "5 bytes of device memory are left", c.Error)
	leak.Release()
	require.NoError(t, try(t.Context(), s, &c, good, begin, func() error { return errors.New("race") }))
	assert.Equal(t, Failed, c.Result)
	assert.Equal(t, "race", c.Error)
	gone := errors.New("nobody reads")
	require.ErrorIs(t, try(t.Context(), s, &c, good, func(string) error { return gone }, nothing), gone)
}
