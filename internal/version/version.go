// Package version tells which sources a program was built from.
package version

import (
	"cmp"
	"runtime/debug"
	"strings"
	"time"
)

// The linker sets these in a release (scripts/release), which is built without version control.
var number, revision, date, modified string

// Build is what a program was built from.
type Build struct {
	Version  string // of the module, as v0.2.0; "(devel)" if nothing is known
	Revision string // the commit; of a pseudo-version its first 12 digits; "" if it is not known
	Time     string // of the commit, as RFC 3339 in UTC; "" if it is not known
	Modified bool   // whether the sources were changed after the commit
}

// Read tells it of the running program: what a release's linker has set, else what the go command knows.
func Read() Build {
	if number != "" {
		return Build{Version: number, Revision: revision, Time: date, Modified: modified == "true"}
	}
	info, ok := debug.ReadBuildInfo()
	if !ok {
		info = &debug.BuildInfo{}
	}
	return of(info)
}

// of reads what the go command has written. A checkout has its commit in settings. What was installed by its version
// has none; only a pseudo-version tells its commit.
func of(info *debug.BuildInfo) Build {
	b := Build{Version: cmp.Or(info.Main.Version, "(devel)")}
	for _, s := range info.Settings {
		switch s.Key {
		case "vcs.revision":
			b.Revision = s.Value
		case "vcs.time":
			b.Time = s.Value
		case "vcs.modified":
			b.Modified = s.Value == "true"
		}
	}
	if b.Revision == "" {
		b.Revision, b.Time = pseudo(b.Version)
	}
	return b
}

// pseudo returns the commit and the time of a pseudo-version, as v0.2.1-0.20261129224000-8bdb9f08c0de: "" of others.
func pseudo(version string) (revision, date string) {
	version, _, _ = strings.Cut(version, "+")
	rest, revision, ok := cutLast(version, "-")
	if !ok || len(revision) != 12 || strings.Trim(revision, "0123456789abcdef") != "" || len(rest) < 14 {
		return "", ""
	}
	t, err := time.Parse("20060102150405", rest[len(rest)-14:])
	if err != nil {
		return "", ""
	}
	return revision, t.Format(time.RFC3339)
}

// cutLast cuts at the last separator.
func cutLast(s, separator string) (before, after string, ok bool) {
	i := strings.LastIndex(s, separator)
	if i < 0 {
		return s, "", false
	}
	return s[:i], s[i+len(separator):], true
}
