package cli

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"sync"
	"time"

	"github.com/suffixcl/suffixcl/internal/hooks"
)

// TimelineVariable names the environment variable with the directory in which each process of a command leaves what it
// did, and when. `suffixcl-lab bench cold` sets and reads it.
const TimelineVariable = "SUFFIXCL_TIMELINE"

// Timeline is what a process did.
type Timeline struct {
	Main  time.Time      `json:"main"` // when the function main began
	Ended time.Time      `json:"ended"`
	Parts []TimelinePart `json:"parts"` // in the order of their ends
}

// TimelinePart is a call to the driver, by its name, or other work.
type TimelinePart struct {
	What  string        `json:"what"`
	Began time.Time     `json:"began"`
	Took  time.Duration `json:"took"`
}

// RecordTimeline begins to record, if the environment says so. save ends that, and writes the file.
func RecordTimeline() (save func()) {
	dir := os.Getenv(TimelineVariable)
	if dir == "" {
		return func() {}
	}
	line := Timeline{Main: time.Now()}
	var mu sync.Mutex
	restore := hooks.Watch(func(what string, began time.Time, took time.Duration) {
		mu.Lock()
		defer mu.Unlock()
		line.Parts = append(line.Parts, TimelinePart{what, began, took})
	})
	return func() {
		restore()
		mu.Lock() // others may go on
		defer mu.Unlock()
		line.Ended = time.Now()
		data, err := json.Marshal(line)
		if err == nil {
			err = os.WriteFile(timelineFile(dir, os.Getpid()), data, 0o644)
		}
		if err != nil {
			fmt.Fprintln(os.Stderr, err)
		}
	}
}

// timelineFile is the file of a process.
func timelineFile(dir string, pid int) string { return filepath.Join(dir, strconv.Itoa(pid)+".json") }

// ReadTimelines returns what the process of that number has left in a directory, and then what others have, in the
// order of their beginnings.
func ReadTimelines(dir string, pid int) (lines []Timeline, err error) {
	names, err := filepath.Glob(filepath.Join(dir, "*.json"))
	if err != nil {
		return nil, err
	}
	first := timelineFile(dir, pid)
	for _, name := range names {
		var line Timeline
		data, err := os.ReadFile(name)
		if err == nil {
			err = json.Unmarshal(data, &line)
		}
		if err != nil {
			return nil, err
		}
		if name == first {
			lines = slices.Insert(lines, 0, line)
		} else {
			lines = append(lines, line)
		}
	}
	if !slices.Contains(names, first) {
		return nil, fmt.Errorf("the process left nothing in %s: it is of a version without timelines", dir)
	}
	slices.SortFunc(lines[1:], func(a, b Timeline) int { return a.Main.Compare(b.Main) })
	return lines, nil
}
