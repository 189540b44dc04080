package gate

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

// runFormat makes an index by two sorters.
func runFormat(t *trial, _ []string) error {
	for algorithm, prefix := range map[string]string{"auto": "out", "skew": "other"} {
		args := with(strings.Fields(t.verb.name), "text", prefix, "-q", "--algorithm", algorithm)
		if strings.HasSuffix(t.verb.name, "genometools") {
			encode := exec.CommandContext(t.ctx, "gt", "encseq", "encode", "-dna", "-indexname", prefix, "text")
			encode.Dir = t.dir
			if said, err := encode.CombinedOutput(); err != nil {
				return fmt.Errorf("gt: %w: %s", err, said)
			}
		}
		if _, err := t.command(args...); err != nil {
			return err
		}
	}
	names, err := filepath.Glob(filepath.Join(t.dir, "other.*"))
	if err == nil && len(names) < 2 {
		err = fmt.Errorf("files: %q", names)
	}
	for _, name := range names {
		suffix := strings.TrimPrefix(filepath.Base(name), "other")
		if want, failure := os.ReadFile(name); err == nil && suffix != ".prj" { // which has the name of the index
			err = errors.Join(failure, t.file("out"+suffix, want))
		}
	}
	return err
}

// runInfiniGram compares the files of a document with what they are by definition.
func runInfiniGram(t *trial, flags []string) error {
	_, err := t.command(with("build", "infini-gram-mini", "text", t.verb.rest, "--keep", "-q", flags)...)
	if err != nil {
		return err
	}
	files, err := infiniGramFiles(t.in.file)
	for name, want := range files {
		err = errors.Join(err, t.file("out/"+name, want))
	}
	return err
}
