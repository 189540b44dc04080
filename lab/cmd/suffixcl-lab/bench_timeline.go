package main

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/suffixcl/suffixcl/internal/cli"
)

// timelineRuns is how often a call is measured before its timeline is taken, which costs some time itself.
const timelineRuns = 5

// coldTimeline is what a call did: its process, and those that it started.
type coldTimeline struct {
	Call      string         `json:"call"`
	Caches    string         `json:"caches"`
	Began     time.Time      `json:"began"` // when the process was started
	Ended     time.Time      `json:"ended"`
	Processes []cli.Timeline `json:"processes"`
}

// timelines measures the shortest calls with their caches full, and the devices with empty ones, several times each,
// and once more with a timeline.
func (b *coldBench) timelines(ctx context.Context) error {
	small := []string{"sa", b.small, "-q", "-o", filepath.Join(b.dir, "out")}
	all := []string{ownCache, driverNV, driverCPU}
	for _, c := range []struct {
		call  []string
		empty []string
	}{{small, nil}, {[]string{"devices"}, nil}, {[]string{"devices"}, all}} {
		caches := "empty"
		if c.empty == nil {
			caches = "full"
			if err := b.start(ctx, 4, c.call); err != nil {
				return err
			}
		}
		for range timelineRuns {
			if err := b.measure(ctx, caches, 4, c.call, c.empty...); err != nil {
				return err
			}
		}
		if err := b.empty(c.empty); err != nil {
			return err
		}
		if err := b.timeline(ctx, caches, c.call); err != nil {
			return err
		}
	}
	return nil
}

// timeline runs a call and reads what it did.
func (b *coldBench) timeline(ctx context.Context, caches string, call []string) error {
	dir, err := os.MkdirTemp(b.dir, "timeline-")
	if err != nil {
		return err
	}
	c := b.command(ctx, 4, call)
	c.Env = append(c.Env, cli.TimelineVariable+"="+dir)
	t := coldTimeline{Call: b.nameOf(call), Caches: caches, Began: time.Now()}
	if err := b.finish(c, call); err != nil {
		return err
	}
	t.Ended = time.Now()
	time.Sleep(time.Second) // helpers end a little later
	if t.Processes, err = cli.ReadTimelines(dir, c.Process.Pid); err != nil {
		return err
	}
	b.out.Timelines = append(b.out.Timelines, t)
	return nil
}

// shortPart is how long a call to the driver has to be for a line of its own.
const shortPart = 500 * time.Microsecond

// print shows what takes time. Calls to the driver are printed if they are long, and summed up by name.
func (t *coldTimeline) print(w io.Writer) {
	fmt.Fprintf(w, "\n%s, caches %s: ms from the start of the process\n", t.Call, t.Caches)
	table := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	since := func(at time.Time) string { return milliseconds(at.Sub(t.Began)) }
	for i, p := range t.Processes {
		who := "command"
		if i > 0 {
			who = "helper " + strconv.Itoa(i)
		}
		fmt.Fprintf(table, "%s\t\t%s: main begins\n", since(p.Main), who)
		for _, part := range slices.SortedFunc(slices.Values(p.Parts), func(a, b cli.TimelinePart) int {
			return a.Began.Compare(b.Began)
		}) {
			if !isCall(part) || part.Took >= shortPart {
				fmt.Fprintf(table, "%s\t%s\t%s\n", since(part.Began), milliseconds(part.Took), part.What)
			}
		}
		fmt.Fprintf(table, "%s\t\t%s: main ends\n", since(p.Ended), who)
	}
	fmt.Fprintf(table, "%s\t\tthe command has ended\n", since(t.Ended))
	table.Flush()
	t.printCalls(w)
}

// printCalls shows the calls to the driver that the command made, those that took longest first.
func (t *coldTimeline) printCalls(w io.Writer) {
	type sum struct {
		name  string
		calls int
		took  time.Duration
	}
	sums := map[string]*sum{}
	for _, part := range t.Processes[0].Parts {
		if !isCall(part) {
			continue
		}
		if sums[part.What] == nil {
			sums[part.What] = &sum{name: part.What}
		}
		sums[part.What].calls++
		sums[part.What].took += part.Took
	}
	list := make([]*sum, 0, len(sums))
	for _, s := range sums {
		list = append(list, s)
	}
	slices.SortFunc(list, func(a, b *sum) int {
		return cmp.Or(cmp.Compare(b.took, a.took), cmp.Compare(a.name, b.name))
	})
	fmt.Fprintf(w, "\n%s, caches %s: calls to the driver\n", t.Call, t.Caches)
	table := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintln(table, "ms\tcalls\t")
	for _, s := range list {
		fmt.Fprintf(table, "%s\t%d\t%s\n", milliseconds(s.took), s.calls, s.name)
	}
	table.Flush()
}

// isCall tells whether a part is a call to the driver.
func isCall(p cli.TimelinePart) bool {
	name, ok := strings.CutPrefix(p.What, "cl")
	return ok && name != "" && name[0] >= 'A' && name[0] <= 'Z'
}

func milliseconds(d time.Duration) string { return fmt.Sprintf("%.1f", d.Seconds()*1e3) }
