package gate

import (
	"errors"
	"strings"

	"github.com/suffixcl/suffixcl/conformance"
)

// runThresholds compares the files of Movi with the definition of runs and thresholds.
func runThresholds(t *trial, _ []string) error {
	for _, separator := range []string{"", "%"} {
		args := with(strings.Fields(t.verb.name), "text", "out", "-q", "--force")
		if separator != "" {
			args = append(args, "--separators")
		}
		if _, err := t.command(args...); err != nil {
			return err
		}
		text := t.in.strands(separator)
		runs := conformance.ReferenceThresholds(text)
		var heads, lengths, thresholds []byte
		for k, run := range runs {
			end := len(text) + 1
			if k+1 < len(runs) {
				end = int(runs[k+1].Start)
			}
			heads = append(heads, run.Letter)
			lengths = appendNumber(lengths, uint64(end)-uint64(run.Start), 5)
			thresholds = appendNumber(thresholds, uint64(run.Threshold), 5)
		}
		err := errors.Join(t.file("out.bwt.heads", heads), t.file("out.bwt.len", lengths), t.file("out.thr_pos", thresholds))
		if err != nil {
			return err
		}
	}
	return nil
}

// strands has each record and its reverse complement, with a separator after each.
func (in *input) strands(separator string) (text []byte) {
	for _, record := range in.texts {
		forward := bytesOf(record)
		reverse := make([]byte, len(forward))
		for i, c := range forward {
			base := max(strings.IndexByte(letters, c&^0x20), 0) // A for all others
			forward[i], reverse[len(reverse)-1-i] = letters[base], letters[3-base]
		}
		text = append(append(text, forward...), separator...)
		text = append(append(text, reverse...), separator...)
	}
	return text
}
