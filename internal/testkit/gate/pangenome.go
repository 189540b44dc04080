package gate

import (
	"bytes"
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/suffixcl/suffixcl/internal/fmd"
)

// shortPangenome is how many letters are sorted by definition.
const shortPangenome = 1500

// bothStrands are the strings of codes of records of FASTA: each, and its reverse complement.
func (in *input) bothStrands() (all [][]byte) {
	for _, symbols := range in.texts {
		var forward, reverse []byte
		for _, c := range symbols {
			code := byte(5)
			if at := strings.IndexByte("ACGT", byte(c)&^0x20); at >= 0 {
				code = byte(at + 1)
			}
			forward = append(forward, code)
		}
		for _, code := range slices.Backward(forward) {
			reverse = append(reverse, []byte{0, 4, 3, 2, 1, 5}[code])
		}
		all = append(all, forward, reverse)
	}
	return all
}

// transformOf is the transform of strings by definition: $ of string i is before that of string j for i < j.
func transformOf(texts [][]byte) (transform []byte) {
	type suffix struct{ of, at int }
	var all []suffix
	for i, s := range texts {
		for at := range len(s) + 1 {
			all = append(all, suffix{i, at})
		}
	}
	slices.SortFunc(all, func(a, b suffix) int {
		return cmp.Or(bytes.Compare(texts[a.of][a.at:], texts[b.of][b.at:]), cmp.Compare(a.of, b.of))
	})
	for _, s := range all {
		transform = append(transform, append([]byte{0}, texts[s.of]...)[s.at])
	}
	return transform
}

// isTransformOf compares an index with the definition.
func (t *trial) isTransformOf(name string, texts [][]byte) error {
	file, err := t.get(name)
	if err != nil {
		return err
	}
	var got []byte
	_, err = fmd.Decode(bytes.NewReader(file), int64(len(file)), func(r fmd.Run) error {
		got = append(got, bytes.Repeat([]byte{r.Letter}, int(min(r.Len, 1<<20)))...)
		return nil
	})
	if err != nil {
		return err
	}
	return differs(name, got, transformOf(texts))
}

func runPangenome(t *trial, flags []string) error {
	if err := t.shorten(shortPangenome); err != nil {
		return err
	}
	run := func(args ...string) (string, error) {
		return t.command(with("pangenome", args, "-q")...)
	}
	if _, err := run(append([]string{"build", "text", "-o", "one"}, flags...)...); err != nil {
		return err
	}
	texts := t.in.bothStrands()
	switch _, name, _ := strings.Cut(t.verb.name, " "); name {
	case "build":
		return t.isTransformOf("one", texts)
	case "append":
		if _, err := run("append", "one", "text"); err != nil {
			return err
		}
		return t.isTransformOf("one", append(texts, texts...))
	case "merge":
		if _, err := run("merge", "one", "one", "-o", "out"); err != nil {
			return err
		}
		return t.isTransformOf("out", append(texts, texts...))
	case "stat":
		out, err := run("stat", "one")
		if err != nil {
			return err
		}
		transform := transformOf(texts)
		runs := 1
		for i := range transform[1:] {
			if transform[i] != transform[i+1] {
				runs++
			}
		}
		want := fmt.Sprintf("%d sequences\n%d symbols\n%d runs\n", len(texts), len(transform), runs)
		for i, letter := range "ACGTN" {
			want += fmt.Sprintf("%d %c\n", bytes.Count(transform, []byte{byte(i + 1)}), letter)
		}
		return differs("figures", out, want)
	case "get":
		for i, s := range texts {
			out, err := run("get", "one", fmt.Sprint(i))
			if err != nil {
				return err
			}
			_, got, _ := strings.Cut(strings.TrimSuffix(out, "\n"), "\n")
			want := strings.Map(func(c rune) rune { return rune("$ACGTN"[c]) }, string(s))
			if err := differs(fmt.Sprintf("string %d", i), got, want); err != nil {
				return err
			}
		}
		return nil
	case "samples":
		if _, err := run("samples", "one", "--rate", "3"); err != nil {
			return err
		}
		file, err := t.get("one.ssa")
		if err != nil {
			return err
		}
		s, err := fmd.ReadSamples(bytes.NewReader(file), int64(len(file)))
		if err != nil {
			return err
		}
		shift, last := fmd.Shift(uint64(len(texts))), []byte(nil)
		for _, place := range s.Places {
			of, at := place&(1<<shift-1), place>>shift
			if of >= uint64(len(texts)) || at >= uint64(len(texts[of])) || bytes.Compare(last, texts[of][at:]) > 0 {
				return fmt.Errorf("sample %d:%d", of, at)
			}
			last = texts[of][at:]
		}
		return nil
	}
	if _, err := run("verify", "one", "text"); err != nil {
		return err
	}
	if err := t.put("other", []byte(">a\nGATTACA\n")); err != nil {
		return err
	}
	_, err := run("verify", "one", "other")
	if r, refused := err.(*refusal); !refused || r.code != exitVerify {
		return fmt.Errorf("another genome: %w", err)
	}
	return nil
}
