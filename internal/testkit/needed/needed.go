// Package needed finds what tests need of other projects: programs, compilers with their headers, libraries. Where
// something is missing, a test is skipped, with the Debian package that has it.
package needed

import (
	"os"
	"os/exec"
	"strings"
	"testing"
)

// origin is where a program comes from, and the variable that fails tests without it, if there is one.
type origin struct{ pack, variable string }

var programs = map[string]origin{
	"STAR":            {"rna-star", "REQUIRE_GENOMICS"},
	"bowtie2":         {"bowtie2", "REQUIRE_GENOMICS"},
	"bowtie2-build":   {"bowtie2", "REQUIRE_GENOMICS"},
	"bsdiff":          {"bsdiff", "REQUIRE_GENOMICS"},
	"bspatch":         {"bsdiff", "REQUIRE_GENOMICS"},
	"bwa":             {"bwa", "REQUIRE_GENOMICS"},
	"bzip2":           {"bzip2", "REQUIRE_GENOMICS"},
	"c++":             {"g++", "REQUIRE_CC"},
	"cc":              {"gcc", "REQUIRE_CC"},
	"gfortran":        {"gfortran", "REQUIRE_CC"},
	"groff":           {"groff-base", ""},
	"gt":              {"genometools", "REQUIRE_GENOMICS"},
	"jellyfish":       {"jellyfish", "REQUIRE_GENOMICS"},
	"make":            {"make", "REQUIRE_CC"},
	"mgaps":           {"mummer", "REQUIRE_GENOMICS"},
	"mpicc.mpich":     {"libmpich-dev", "REQUIRE_CC"},
	"mpicc.openmpi":   {"libopenmpi-dev", "REQUIRE_CC"},
	"mpifort.mpich":   {"libmpich-dev gfortran", "REQUIRE_CC"},
	"mpifort.openmpi": {"libopenmpi-dev gfortran", "REQUIRE_CC"},
	"mpirun.openmpi":  {"openmpi-bin", "REQUIRE_MPI"},
	"mummer":          {"mummer", "REQUIRE_GENOMICS"},
	"nucmer":          {"mummer", "REQUIRE_GENOMICS"},
	"pkg-config":      {"pkg-config", "REQUIRE_CC"},
	"python3":         {"python3", "REQUIRE_PYTHON"},
	"show-coords":     {"mummer", "REQUIRE_GENOMICS"},
	"spm_normalize":   {"sentencepiece", "REQUIRE_SENTENCEPIECE"},
	"spm_train":       {"sentencepiece", "REQUIRE_SENTENCEPIECE"},
}

// Program is the path of a program.
func Program(t testing.TB, name string) string {
	t.Helper()
	from, known := programs[name]
	if !known {
		t.Fatalf("package needed does not know where %s comes from", name)
	}
	path, err := exec.LookPath(name)
	if err != nil {
		Missing(t, from.variable, name, from.pack)
	}
	return path
}

// headers are what a compiler of C needs beside itself, and the packages that have them: Debian has a compiler without.
var headers = map[string][2]string{
	"c++":           {"cstdlib", "g++"},
	"cc":            {"stdlib.h", "libc6-dev"},
	"mpicc.mpich":   {"mpi.h", "libmpich-dev"},
	"mpicc.openmpi": {"mpi.h", "libopenmpi-dev"},
}

// Compiler is the path of a compiler that finds its headers.
func Compiler(t testing.TB, name string) string {
	t.Helper()
	path := Program(t, name)
	header, ok := headers[name]
	if !ok {
		return path
	}
	language := "c"
	if name == "c++" {
		language = name
	}
	c := exec.Command(path, "-E", "-x", language, "-")
	c.Stdin = strings.NewReader("#include <" + header[0] + ">\n")
	if c.Run() != nil {
		Missing(t, programs[name].variable, header[0]+" of "+name, header[1])
	}
	return path
}

// Missing skips a test, or fails it if the variable is 1.
func Missing(t testing.TB, variable, what string, packages ...string) {
	t.Helper()
	message := "no " + what + ": apt-get install " + strings.Join(packages, " ")
	if os.Getenv(variable) == "1" {
		t.Fatalf("%s=1, and %s", variable, message)
	}
	t.Skip(message)
}
