package runner

import (
	"bytes"
	"context"
	_ "embed"
	"encoding/json"
	"fmt"
	"html"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/suffixcl/suffixcl/internal/testkit/needed"
)

// browser finds one that runs without a display. Without any the test is skipped, or fails
// if REQUIRE_BROWSER is 1.
func browser(t *testing.T) string {
	for _, name := range []string{"chromium-headless-shell", "chromium", "chromium-browser", "google-chrome"} {
		if path, err := exec.LookPath(name); err == nil {
			return path
		}
	}
	needed.Missing(t, "REQUIRE_BROWSER", "browser", "chromium")
	return ""
}

// browse runs the browser on a page, and returns what it writes and what it complains about.
func browse(t *testing.T, file string, args ...string) (out string, complaints []string) {
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	args = append([]string{
		"--headless", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--hide-scrollbars",
		"--user-data-dir=" + t.TempDir(), "--enable-logging=stderr", "--virtual-time-budget=4000",
	}, args...)
	c := exec.CommandContext(ctx, browser(t), append(args, "file://"+file)...)
	var stdout, stderr bytes.Buffer
	c.Stdout, c.Stderr = &stdout, &stderr
	require.NoError(t, c.Run(), stderr.String())
	for line := range strings.Lines(stderr.String()) {
		if strings.Contains(line, "CONSOLE") {
			complaints = append(complaints, line)
		}
	}
	return stdout.String(), complaints
}

// visit is what a reader does, put at the end of the page; seen is what it leaves there.
//
//go:embed testdata/visit.js
var visit string

type seen struct {
	Width             int // of the window, in pixels
	Passed, Failed    int // fields of the matrices
	Overview          int // fields of the tables of all devices
	Dots, Bars        int
	Before, After     bool // is the command of the first failure seen, before and after its field is followed
	Command           string
	Cells             bool // are the cells seen that a field that passed leads to
	Listed            int  // cells in the lists
	Printed, Failures int  // failures that print shows, all
	Overflow          int  // pixels
	Outside           int  // elements beyond the right edge that nothing scrolls
	Contrast          float64
	Nameless          int // tables without a name
	Error             string
}

// browsed is a report of two devices: 3 subjects, 2 variants, 4 classes.
func browsed() *Report {
	r := Merge()
	for d, device := range []string{
		"Graphics & Sons <X1>", "a CPU with quite a long name such as drivers make of all that they know",
	} {
		run := &Run{RunInfo: RunInfo{Device: device, Platform: "P", Driver: "1.0",
			Level: "quick", Seed: 7, Library: "(devel)",
			Extensions: []string{"cl_khr_very_long_name_of_an_extension", "cl_khr_b"}}}
		for s, subject := range []string{"radix sort pairs u64/u64", "hybrid", "bwt"} {
			for _, variant := range []string{"native", "other-shape-tiny"} {
				for _, class := range []string{"sizes", "large/fibonacci", "random"} {
					c := Cell{
						Subject: subject, Kind: kinds[s], Variant: variant, Class: class,
						Result: Passed, Cases: 3, Seconds: 0.25,
					}
					if d == 0 && s == 1 && variant == "native" && class != "random" {
						c.Result, c.Case, c.Error = Failed, class+"/n=17", "text <b>&, \"it's\": "+strings.Repeat("x", 300)
					}
					run.put(c)
				}
			}
			run.put(Cell{
				Subject: subject,
				Kind:    kinds[s],
				Variant: "native",
				Class:   classSpeed,
				Result:  Passed,
				Speed:   &Speed{Items: 1000, Unit: "items", PerSecond: 3e9 / float64(1+1000*d+s), GBps: 40 / float64(1+d)},
			})
		}
		run.put(Cell{
			Subject: copySubject,
			Kind:    kinds[0],
			Variant: "native",
			Class:   classSpeed,
			Result:  Passed,
			Speed:   &Speed{Items: 1000, Unit: "bytes", PerSecond: 1e9, GBps: 50},
		})
		r.Runs = append(r.Runs, run)
	}
	return r
}

// The page in a real browser: on a desk, in the dark, on a phone, on paper.
func TestBrowser(t *testing.T) {
	browser(t)
	r := browsed()
	var page bytes.Buffer
	require.NoError(t, r.Page(&page))
	dir := t.TempDir()
	file := filepath.Join(dir, "visited.html")
	visited := strings.Replace(page.String(), "</body>", "<script>"+visit+"</script></body>", 1)
	require.NoError(t, os.WriteFile(file, []byte(visited), 0o600))
	for name, args := range map[string][]string{
		"desk":  {"--window-size=1200,900"},
		"dark":  {"--window-size=1200,900", "--blink-settings=preferredColorScheme=0"},
		"phone": {"--window-size=390,844"},
	} {
		t.Run(name, func(t *testing.T) {
			dom, complaints := browse(t, file, append(args, "--dump-dom")...)
			assert.Empty(t, complaints)
			_, rest, found := strings.Cut(dom, `<pre id="seen">`)
			require.True(t, found, "%.2000s", dom)
			text, _, _ := strings.Cut(rest, "</pre>")
			var got seen
			require.NoError(t, json.Unmarshal([]byte(html.UnescapeString(text)), &got), text)
			require.Empty(t, got.Error)
			assert.GreaterOrEqual(t, got.Contrast, 4.5, "of text in coloured fields")
			assert.Contains(t, args[0], fmt.Sprint("=", got.Width, ","))
			got.Contrast, got.Width = 0, 0
			assert.Equal(t, seen{
				Passed: 2*(3*2+1) - 1, Failed: 1, Overview: 2 * (3 + 1 + 3 + 1), Dots: 2 * 3, Bars: 2 * 3,
				After: true, Command: r.Runs[0].Repeat(r.Runs[0].Cells[7]), Cells: true, Listed: 2 * (3*(2*3+1) + 1), Printed: 2,
				Failures: 2,
			}, got)
		})
	}
	t.Run("paper", func(t *testing.T) {
		paper := filepath.Join(dir, "page.pdf")
		require.NoError(t, os.WriteFile(file, page.Bytes(), 0o600))
		_, complaints := browse(t, file, "--no-pdf-header-footer", "--print-to-pdf="+paper)
		assert.Empty(t, complaints)
		pdf, err := os.ReadFile(paper)
		require.NoError(t, err)
		assert.True(t, bytes.HasPrefix(pdf, []byte("%PDF-")))
		pages := bytes.Count(pdf, []byte("/Type /Page\n"))
		assert.Positive(t, pages)
		assert.LessOrEqual(t, pages, 5, fmt.Sprint(len(pdf), " bytes"))
	})
}
