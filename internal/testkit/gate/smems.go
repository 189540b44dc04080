package gate

import (
	"bytes"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/suffixcl/suffixcl/internal/testkit/jobsuites"
)

// runSMEMs compares matches in an index of bwa, and in a pangenome, with the definition. The reads are passages of the
// input with other letters in them, half of them of the other strand.
func runSMEMs(t *trial, _ []string) error {
	if err := t.shorten(shortPangenome); err != nil {
		return err
	}
	written := func(texts [][]byte) (file []byte) {
		for k, text := range texts {
			file = fmt.Appendf(file, ">r%d\n%s\n", k, text)
		}
		return file
	}
	base := func(text []byte, other byte) []byte {
		text = bytes.ToUpper(text)
		for i, c := range text {
			if !strings.ContainsRune("ACGT", rune(c)) {
				text[i] = other
			}
		}
		return text
	}
	s := jobsuites.SMEMSearch{MinLength: 7, MinHits: 1, MaxLocated: 20}
	var known, bases [][]byte
	for _, record := range t.in.texts {
		text := bytesOf(record)
		known, bases = append(known, base(text, 'N')), append(bases, base(text, 'G'))
	}
	pool := bytes.Join(known, nil)
	for k := range 40 {
		at := k * len(pool) / 40
		read := slices.Clone(pool[at:min(at+100, len(pool))])
		for i := 20 + k; i < len(read); i += 30 {
			read[i] = "ACGTN"[(i+k)%5]
		}
		s.Queries = append(s.Queries, read)
	}
	err := errors.Join(t.put("pool", written(known)), t.put("bases", written(bases)), t.put("reads", written(s.Queries)))
	if err != nil {
		return err
	}
	for _, call := range [][]string{{"build", "bwa", "bases", "genome", "--force", "-q"},
		{"pangenome", "build", "pool", "-o", "genome.fmd", "-q"}} {
		if _, err := t.command(call...); err != nil {
			return err
		}
	}
	for _, index := range []string{"genome", "genome.fmd"} {
		if s.Pangenome, s.Texts = index != "genome", bases; s.Pangenome {
			s.Texts = known
		}
		out, err := t.command("smems", index, "reads", "-l", fmt.Sprint(s.MinLength), "--format", "bed", "-q")
		if err != nil {
			return err
		}
		want := ""
		for _, m := range jobsuites.ReferenceSMEMs(s) {
			want += fmt.Sprintf("r%d\t%d\t%d\t%d\n", m.Query, m.Start, m.End, m.Hits)
		}
		if want == "" {
			return errors.New("no matches")
		}
		if err := differs("lines", out, want); err != nil {
			return err
		}
	}
	return nil
}
