package differential

import (
	"bytes"
	"cmp"
	"compress/bzip2"
	"encoding/binary"
	"fmt"
	"io"
)

func randomVersions(g generator) *Case {
	c := &Case{}
	alphabet := g.one("a", "ab", bases, allBytes)
	texts := g.texts(2, 400, alphabet)
	if g.sometimes(2) { // a new version of the old one
		texts[1] = append(g.text(g.IntN(20), alphabet), texts[0]...)
	}
	for i, name := range []string{"old", "new"} {
		c.Inputs = append(c.Inputs, Input{Name: name, Texts: texts[i : i+1]})
	}
	return c
}

// patched applies a patch of BSDIFF40.
func patched(old, patch []byte) ([]byte, error) {
	number := func(b []byte) int {
		v := binary.LittleEndian.Uint64(b)
		if n := int(v &^ (1 << 63)); v>>63 == 0 {
			return n
		} else {
			return -n
		}
	}
	const header = 32
	if len(patch) < header || string(patch[:8]) != "BSDIFF40" {
		return nil, fmt.Errorf("the patch begins with %s", excerpt(patch[:min(len(patch), 8)]))
	}
	first, second, size := number(patch[8:]), number(patch[16:]), number(patch[24:])
	var streams [3][]byte
	for i, part := range [][]byte{patch[header : header+first], patch[header+first : header+first+second],
		patch[header+first+second:]} {
		data, err := io.ReadAll(bzip2.NewReader(bytes.NewReader(part)))
		if err != nil {
			return nil, fmt.Errorf("stream %d of the patch: %w", i, err)
		}
		streams[i] = data
	}
	var made []byte
	at := 0
	for control := streams[0]; len(control) >= 24; control = control[24:] {
		add, extra, seek := number(control), number(control[8:]), number(control[16:])
		if add < 0 || extra < 0 || add > len(streams[1]) || extra > len(streams[2]) {
			return nil, fmt.Errorf("a step of the patch takes %d and %d bytes, there are %d and %d", add, extra, len(streams[1]),
				len(streams[2]))
		}
		for i, d := range streams[1][:add] {
			if at+i >= 0 && at+i < len(old) {
				d += old[at+i]
			}
			made = append(made, d)
		}
		made = append(made, streams[2][:extra]...)
		streams[1], streams[2], at = streams[1][add:], streams[2][extra:], at+add+seek
	}
	if len(made) != size || len(streams[1])+len(streams[2]) > 0 {
		return nil, fmt.Errorf("the patch makes %d bytes of %d", len(made), size)
	}
	return made, nil
}

var diffVerb = verb{
	random: func(g generator) *Case {
		c := randomVersions(g)
		g.maybe(c, 2, "algorithm", plainSorters[:len(plainSorters)-1]...) // small-texts takes no block of the patch
		return c
	},
	commands: func(c *Case) [][]string { return [][]string{c.with([]string{"diff", "old", "new", "-o", "patch"})} },
	check: func(c *Case, r *Run) error {
		made, err := patched(c.Inputs[0].Joined(), r.File("patch"))
		return cmp.Or(err, same("what the patch makes", made, c.Inputs[1].Joined()))
	},
}

// applyVerb has patches of diff, for want of a compressor that is not the library's.
var applyVerb = verb{
	random: randomVersions,
	commands: func(c *Case) [][]string {
		return [][]string{{"diff", "old", "new", "-o", "patch"}, {"apply", "old", "patch", "-o", "out"}}
	},
	check: func(c *Case, r *Run) error {
		made, err := patched(c.Inputs[0].Joined(), r.File("patch"))
		return cmp.Or(err, same("result", r.File("out"), made))
	},
}
