package serve

import (
	"bytes"
	"context"
	_ "embed"
	"encoding/json"
	"fmt"
	"html"
	"net/http"
	"net/http/httptest"
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

// visit is what a person does, at the end of the page. It leaves what it sees in an element.
//
//go:embed testdata/visit.js
var visit string

// seen is what visit sees.
type seen struct {
	Error     string
	Width     int // of the window, in pixels
	Focus     string
	Count     string
	Hits      int  // passages at first, and after more are asked for
	After     int  //
	Marks     bool // the query is marked in all
	Header    string
	Metadata  int
	More      bool
	Moved     bool // the focus is on the first of the new passages
	Overflow  int  // pixels
	Contrast  float64
	Small     int // fields that a finger hardly hits
	Nameless  int // fields without a label
	Unreached int // by the keyboard
	None      int // passages of a phrase that does not occur
	Label     string
	Tokens    string
	Wrong     string
}

func browser(t *testing.T) string {
	for _, name := range []string{"chromium-headless-shell", "chromium", "chromium-browser", "google-chrome"} {
		if path, err := exec.LookPath(name); err == nil {
			return path
		}
	}
	needed.Missing(t, "REQUIRE_BROWSER", "browser", "chromium")
	return ""
}

// browse returns the page as it is after its scripts, and what the browser complains about.
func browse(t *testing.T, program, url string, args ...string) (dom string, complaints []string) {
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	args = append([]string{"--headless", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--dump-dom",
		"--user-data-dir=" + t.TempDir(), "--enable-logging=stderr", "--virtual-time-budget=8000"}, args...)
	c := exec.CommandContext(ctx, program, append(args, url)...)
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

// The page in a real browser: from a link, and on a phone in the dark. With SUFFIXCL_SOAK=1 on a desk, too.
func TestBrowser(t *testing.T) {
	program := browser(t)
	dir := t.TempDir()
	var docs []string
	for i := range 24 {
		docs = append(docs, strings.Repeat("words before ", i%3)+"the <i>phrase</i> "+strings.Repeat("and_long_words", i))
	}
	writeFM9(t, filepath.Join(dir, "mini"), docs)
	writeShard(t, filepath.Join(dir, "tokens"), 0, [][]uint32{{5, 1, 2, 6}}, true)
	metrics := NewMetrics()
	var indexes []*Index
	for _, name := range []string{"mini", "tokens"} {
		x, err := Open(t.Context(), ParseSource(filepath.Join(dir, name)), OpenOptions{TokenBytes: 2})
		require.NoError(t, err)
		t.Cleanup(func() { x.Close() })
		indexes = append(indexes, x)
	}
	o := usual()
	s, err := New(indexes, metrics, o)
	require.NoError(t, err)
	mux := http.NewServeMux()
	mux.Handle("/", s)
	mux.HandleFunc("/visit", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		fmt.Fprint(w, strings.Replace(string(page), "</body>", "<script>"+visit+"</script></body>", 1))
	})
	server := httptest.NewServer(mux)
	t.Cleanup(server.Close)

	t.Run("link", func(t *testing.T) { // with the policy of the service
		dom, complaints := browse(t, program, server.URL+"/#index=mini&q=the")
		assert.Empty(t, complaints)
		assert.Contains(t, dom, ">24 occurrences in mini (")
		assert.Equal(t, 10, strings.Count(dom, "<mark>the</mark> &lt;i&gt;phrase"))
	})
	windows := map[string][]string{"phone": {"--window-size=390,844", "--blink-settings=preferredColorScheme=0"}}
	if os.Getenv("SUFFIXCL_SOAK") == "1" {
		windows["desk"] = []string{"--window-size=1200,900"}
		windows["light"] = []string{"--window-size=390,844"}
	}
	for name, args := range windows {
		t.Run(name, func(t *testing.T) {
			dom, complaints := browse(t, program, server.URL+"/visit", args...)
			assert.Empty(t, complaints)
			_, rest, found := strings.Cut(dom, `<pre id="seen">`)
			require.True(t, found, "%.2000s", dom)
			text, _, _ := strings.Cut(rest, "</pre>")
			var got seen
			require.NoError(t, json.Unmarshal([]byte(html.UnescapeString(text)), &got), text)
			assert.Contains(t, args[0], fmt.Sprint("=", got.Width, ","))
			assert.GreaterOrEqual(t, got.Contrast, 4.5, "of text")
			assert.LessOrEqual(t, got.Overflow, 0)
			got.Width, got.Contrast, got.Overflow = 0, 0, 0
			assert.Equal(t, seen{Focus: "phrase", Count: "24 occurrences in mini", Hits: 10, After: 20, Marks: true,
				Header: "Document N · N bytes · place N", Metadata: 10, More: true, Moved: true,
				Label: "Token ids, with blanks or commas", Tokens: "1 2", Wrong: "token ids are numbers"}, got)
		})
	}
}
