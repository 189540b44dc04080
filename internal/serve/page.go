package serve

import (
	"bytes"
	"crypto/sha256"
	_ "embed"
	"encoding/base64"
	"io"
	"log"
	"net/http"
)

// page is one file: it loads nothing from elsewhere.
//
//go:embed page.html
var page []byte

// policy lets the page run its own script and style, and ask this service alone.
var policy = "default-src 'none'; connect-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'; " +
	"img-src data:; script-src " + digest("script") + "; style-src " + digest("style")

// digest is that of the content of the page's element of a name, as a policy names it.
func digest(element string) string {
	_, rest, _ := bytes.Cut(page, []byte("<"+element+">"))
	content, _, _ := bytes.Cut(rest, []byte("</"+element+">"))
	sum := sha256.Sum256(content)
	return "'sha256-" + base64.StdEncoding.EncodeToString(sum[:]) + "'"
}

func servePage(w http.ResponseWriter, _ *http.Request) {
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	w.Header().Set("Content-Security-Policy", policy)
	w.Header().Set("Referrer-Policy", "no-referrer")
	_, _ = w.Write(page)
}

// quietLog takes what net/http tells of connections that end early.
func quietLog() *log.Logger { return log.New(io.Discard, "", 0) }
