package verbs

import (
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"sort"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/suffixcl/suffixcl/internal/cli"
	"github.com/suffixcl/suffixcl/internal/cli/clitest"
	"github.com/suffixcl/suffixcl/internal/testkit/needed"
)

// writeGenomes writes two FASTA files: several contigs, some shorter than a match, runs of N, lower case, IUPAC codes,
// repeats, a contig of one letter, CR LF.
func writeGenomes(t *testing.T, dir string) (a, b string) {
	r := rand.New(rand.NewPCG(3, 5))
	random := func(n int) []byte {
		text := make([]byte, n)
		for i := range text {
			text[i] = "ACGT"[r.IntN(4)]
		}
		return text
	}
	mutated := func(text []byte, every int) []byte {
		text = append([]byte{}, text...)
		for i := range text {
			if r.IntN(every) == 0 {
				text[i] = "ACGTacgtRYN"[r.IntN(11)]
			}
		}
		return text
	}
	other := func(text []byte) []byte {
		out := make([]byte, len(text))
		for i, c := range text {
			out[len(text)-1-i] = complementBase[c|0x20]
		}
		return out
	}
	base, repeat := random(3000), random(60)
	contig := append(append(append([]byte{}, base[:1500]...), strings.Repeat("N", 70)...), base[1500:]...)
	tandem := []byte(strings.Repeat(string(repeat), 5))
	files := []string{filepath.Join(dir, "a.fa"), filepath.Join(dir, "b.fa")}
	for i, contigs := range [][][]byte{
		{contig, tandem, []byte("ACG"), []byte(strings.Repeat("A", 120)), nil, []byte("NNACGTNN"), base[:200]},
		{mutated(contig, 90), []byte("acgtu"), other(base[500:1700]), mutated(tandem, 150), []byte(strings.Repeat("a", 90)),
			append(mutated(base[2000:], 60), base[:300]...), nil},
	} {
		var text strings.Builder
		end := []string{"\n", "\r\n"}[i]
		for k, c := range contigs {
			fmt.Fprintf(&text, ">c%d some words%s", k*k*k, end)
			for at := 0; at < len(c); at += 70 {
				text.WriteString(string(c[at:min(at+70, len(c))]) + end)
			}
		}
		require.NoError(t, os.WriteFile(files[i], []byte(text.String()), 0o666))
	}
	return files[0], files[1]
}

var complementBase = map[byte]byte{'a': 'T', 'c': 'G', 'g': 'C', 't': 'A', 'n': 'N'}

func sortedLines(text string) []string {
	lines := strings.Split(text, "\n")
	sort.Strings(lines)
	return lines
}

// The lines are mummer's, in all modes.
func TestMummer(t *testing.T) {
	mummer, dir := needed.Program(t, "mummer"), t.TempDir()
	a, b := writeGenomes(t, dir)
	for _, options := range []string{
		"-maxmatch -l 12 -b", "-mum -l 12 -b -c -L", "-mumreference -l 12 -r -F", "-n -l 10 -b -s -maxmatch", "-l 20",
		"-mum -n",
	} {
		args := append(strings.Fields(options), a, b, a)
		want, err := exec.Command(mummer, args...).Output()
		require.NoError(t, err, options)
		got := clitest.Good(t, dir, Arguments(append([]string{"/bin/mummer"}, args...))...)
		require.Equal(t, sortedLines(string(want)), sortedLines(got.Out), options)
	}
}

// Nameless sequences are called by their numbers in their files, of which there are several.
func TestNamelessSequences(t *testing.T) {
	clitest.NeedDevice(t)
	dir := t.TempDir()
	clitest.Put(t, dir, "ref.fa", []byte(">\nACGTTACA\n"))
	clitest.Put(t, dir, "a.fa", []byte(">\nACGTT\n>\nTTACA\n"))
	clitest.Put(t, dir, "b.fa", []byte(">\nCGTTA\n>x\nGGGGG\n>\nGTTAC\n"))
	r := clitest.Good(t, dir, "mems", "ref.fa", "a.fa", "b.fa", "-l", "5", "--format", "tsv")
	require.Equal(t, "#1\t0\t#1\t0\t5\t+\n#1\t3\t#2\t0\t5\t+\n#1\t1\t#1\t0\t5\t+\n#1\t2\t#3\t0\t5\t+\n", r.Out)
}

// A file without records is wrong for mummer, empty records are queries without matches.
func TestMummerOfNothing(t *testing.T) {
	mummer, dir := needed.Program(t, "mummer"), t.TempDir()
	for name, text := range map[string]string{"r.fa": ">r\nACGTTGCAAC\n", "empty.fa": ">a\n>b\n\n", "nothing": "",
		"blank": "\n\n", "letters": "ACGTTGCAAC\n"} {
		clitest.Put(t, dir, name, []byte(text))
	}
	for _, files := range []string{"r.fa empty.fa", "empty.fa r.fa", "r.fa nothing", "nothing r.fa", "r.fa blank",
		"blank r.fa", "r.fa letters", "letters r.fa"} {
		args := append(strings.Fields("-maxmatch -b -L -l 4"), strings.Fields(files)...)
		command := exec.Command(mummer, args...)
		command.Dir = dir
		want, _ := command.Output()
		got := clitest.Run(t, dir, Arguments(append([]string{"/bin/mummer"}, args...))...)
		require.Equal(t, command.ProcessState.ExitCode(), got.Code, files)
		require.Equal(t, string(want), got.Out, files)
	}
}

// nucmer's alignments are the same with our mummer: in a copy of the script that looks for mummer elsewhere, and, where
// the system lets us mount, in the script itself.
func TestNucmer(t *testing.T) {
	nucmer, mummer, dir := needed.Program(t, "nucmer"), needed.Program(t, "mummer"), t.TempDir()
	script, err := os.ReadFile(nucmer)
	require.NoError(t, err)
	a, b := writeGenomes(t, dir)
	bin := filepath.Join(dir, "bin")
	require.NoError(t, os.Mkdir(bin, 0o777))
	for _, name := range []string{"mgaps", "show-coords"} {
		require.NoError(t, os.Symlink(needed.Program(t, name), filepath.Join(bin, name)))
	}
	c := clitest.Command(dir)
	require.NoError(t, os.Symlink(c.Path, filepath.Join(bin, "mummer")))
	const place = `my $BIN_DIR = "/usr/bin";`
	if !strings.Contains(string(script), place) {
		require.NotEqual(t, "1", os.Getenv("REQUIRE_GENOMICS"), "another nucmer than Debian's")
		t.Skip("another nucmer than Debian's")
	}
	changed := filepath.Join(dir, "nucmer")
	text := strings.Replace(string(script), place, `my $BIN_DIR = "`+bin+`";`, 1)
	require.NoError(t, os.WriteFile(changed, []byte(text), 0o777))
	programs := [][]string{{nucmer}, {changed}}
	mount := []string{"unshare", "--map-root-user", "--mount", "sh", "-c", `mount --bind "$0" "$1" && shift && exec "$@"`,
		c.Path, mummer}
	if exec.Command(mount[0], append(mount[1:], "true")...).Run() == nil {
		programs = append(programs, append(mount, nucmer))
	} else {
		t.Log("the script itself was not run: nothing can be mounted here")
	}
	for _, options := range [][]string{nil, {"--maxmatch"}, {"--mum", "-l", "15"}} {
		var deltas []string
		for _, program := range programs {
			run := exec.Command(program[0], slices.Concat(program[1:], options, []string{"-p", "out", a, b})...)
			run.Dir, run.Env = dir, append(os.Environ(), c.Env...)
			out, err := run.CombinedOutput()
			require.NoError(t, err, "%s", out)
			delta, err := os.ReadFile(filepath.Join(dir, "out.delta"))
			require.NoError(t, err)
			deltas = append(deltas, string(delta))
			require.NoError(t, os.Remove(filepath.Join(dir, "out.delta")))
		}
		require.Contains(t, deltas[0], ">")
		for i, delta := range deltas {
			require.Equal(t, deltas[0], delta, "%v %v", programs[i], options)
		}
	}
}

// Frequencies on both strands are jellyfish's of canonical k-mers.
func TestMappabilityIsJellyfish(t *testing.T) {
	jellyfish, dir := needed.Program(t, "jellyfish"), t.TempDir()
	a, _ := writeGenomes(t, dir)
	clitest.Good(t, dir, "mappability", a, "-k", "15,16", "--both", "--frequency", "--format", "txt", "-o", "m")
	text, err := os.ReadFile(a)
	require.NoError(t, err)
	var contigs []string
	for line := range strings.Lines(string(text)) {
		if strings.HasPrefix(line, ">") {
			contigs = append(contigs, "")
		} else {
			contigs[len(contigs)-1] += strings.TrimSpace(strings.ToUpper(line))
		}
	}
	for _, k := range []int{15, 16} {
		counts, dump := filepath.Join(dir, "counts"), map[string]string{}
		out, err := exec.Command(jellyfish, "count", "-C", "-m", strconv.Itoa(k), "-s", "1M", "-o", counts,
			a).CombinedOutput()
		require.NoError(t, err, "%s", out)
		out, err = exec.Command(jellyfish, "dump", "-c", counts).Output()
		require.NoError(t, err)
		for line := range strings.Lines(string(out)) {
			f := strings.Fields(line)
			dump[f[0]] = f[1]
		}
		var want strings.Builder
		for i, c := range contigs {
			fmt.Fprintf(&want, ">c%d\n", i*i*i)
			for at := range c {
				value := "0"
				if at+k <= len(c) && !strings.Contains(c[at:at+k], "N") {
					w, rc := c[at:at+k], make([]byte, k)
					for j := range w {
						rc[k-1-j] = complementBase[w[j]|0x20]
					}
					value = dump[min(w, string(rc))]
				}
				if at > 0 {
					want.WriteByte(' ')
				}
				want.WriteString(value)
			}
			want.WriteByte('\n')
		}
		got, err := os.ReadFile(filepath.Join(dir, "m.k"+strconv.Itoa(k)+".txt"))
		require.NoError(t, err)
		require.Equal(t, want.String(), string(got))
	}
}

// How often sequences are sorted is told, where they do not fit at once.
func TestMappabilityInGroups(t *testing.T) {
	clitest.NeedDevice(t)
	dir := t.TempDir()
	rng := rand.New(rand.NewPCG(3, 3))
	var fasta strings.Builder
	for k := range 8 {
		fmt.Fprintf(&fasta, ">%d\n%s\n", k, randomDNA(rng, 2000))
	}
	clitest.Put(t, dir, "g.fa", []byte(fasta.String()))
	small := strings.Fields("-k 300 --max-mem 100K")
	r := clitest.Good(t, dir, append(small, "mappability", "g.fa", "-o", "m")...)
	require.Regexp(t, `note: the sequences do not fit at once: [3-8] groups of them are sorted in pairs, \d+ sorts in all`,
		r.Errors)
	require.NotContains(t, clitest.Good(t, dir, append(small, "mappability", "g.fa", "-o", "m", "-q")...).Errors, "note")
	require.Regexp(t, `groups of them are sorted in pairs, \d+ sorts in all\n`,
		clitest.Good(t, dir, append(small, "plan", "mappability", "g.fa")...).Out)
	for _, args := range []string{"mappability g.fa -o m -k 300", "plan mappability g.fa -k 300"} {
		r := clitest.Good(t, dir, strings.Fields(args)...)
		require.NotContains(t, r.Errors+r.Out, "sorts")
	}
}

// The formats of mappability are laid out as GenMap's.
func TestMappabilityFormats(t *testing.T) {
	dir := t.TempDir()
	require.NoError(t, os.WriteFile(filepath.Join(dir, "g.fa"),
		[]byte(">seq0 x\nTGGTAAAAGGACAAAAAGCTGGT\n>short\nAC\n"), 0o666))
	for file, want := range map[string]string{
		"--frequency --format bedgraph": "seq0\t0\t2\t2\nseq0\t2\t4\t1\nseq0\t4\t6\t5\nseq0\t6\t7\t2\nseq0\t7\t12\t1\n" +
			"seq0\t12\t15\t5\nseq0\t15\t16\t2\nseq0\t16\t19\t1\nseq0\t19\t21\t2\n",
		"--format bedgraph": "seq0\t0\t2\t0.5\nseq0\t2\t4\t1\nseq0\t4\t6\t0.2\nseq0\t6\t7\t0.5\nseq0\t7\t12\t1\n" +
			"seq0\t12\t15\t0.2\nseq0\t15\t16\t0.5\nseq0\t16\t19\t1\nseq0\t19\t21\t0.5\n",
		"--frequency --format wig": "variableStep chrom=seq0 span=2\n1 2\n3 1\n5 5\nvariableStep chrom=seq0 span=1\n7 2\n" +
			"variableStep chrom=seq0 span=5\n8 1\nvariableStep chrom=seq0 span=3\n13 5\nvariableStep chrom=seq0 span=1\n" +
			"16 2\nvariableStep chrom=seq0 span=3\n17 1\nvariableStep chrom=seq0 span=2\n20 2\n",
		"--format raw8": "\x02\x02\x01\x01\x05\x05\x02\x01\x01\x01\x01\x01\x05\x05\x05" +
			"\x02\x01\x01\x01\x02\x02\x00\x00\x00\x00",
	} {
		args := append([]string{"mappability", "g.fa", "-k", "3", "-o", "m"}, strings.Fields(file)...)
		clitest.Good(t, dir, args...)
		got, err := os.ReadFile(filepath.Join(dir, "m.k3."+args[len(args)-1]))
		require.NoError(t, err)
		require.Equal(t, want, string(got), file)
	}
	sizes, err := os.ReadFile(filepath.Join(dir, "m.chrom.sizes"))
	require.NoError(t, err)
	require.Equal(t, "seq0\t23\nshort\t2\n", string(sizes))
}

// Lines of several genomes, worked out by hand, and formats of matches.
func TestMumsAndTables(t *testing.T) {
	dir := t.TempDir()
	for name, text := range map[string]string{
		"1.fa": ">1\nACGTTGCAAGTCCGATAGGCTANNACGGGTTTAC\n>2\nCCGATAGTT\n",
		"2.fa": ">1\nTTTAACGTTGCAAGTCCGATCGGCTAACGGGTTTACC\n",
		"3.fa": ">1\nGGTAAACCCGTTAGCCTATCGGACTTGCAACGA\n",
	} {
		require.NoError(t, os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666))
	}
	got := clitest.Good(t, dir, "mums", "1.fa", "2.fa", "3.fa", "-l", "10")
	require.Equal(t, "10\t24,26,1\t+,+,-\n15\t1,5,17\t+,+,-\n", got.Out)
	got = clitest.Good(t, dir, "mums", "1.fa", "2.fa", "3.fa", "-l", "16", "-k", "-1")
	require.Equal(t, "16\t0,4,\t+,+,\n21\t1,,11\t+,,-\n16\t,21,0\t,+,-\n", got.Out)
	got = clitest.Good(t, dir, "mems", "1.fa", "3.fa", "--mum", "-b", "-n", "-l", "15", "--format", "tsv")
	require.Equal(t, "1\t1\t1\t11\t21\t-\n", got.Out)
	got = clitest.Good(t, dir, "mems", "1.fa", "3.fa", "--mum", "-b", "-n", "-l", "15", "--format", "paf")
	require.Equal(t, "1\t33\t11\t32\t-\t1\t34\t1\t22\t21\t21\t255\n", got.Out)
	for args, want := range map[string]string{
		"mems 1.fa 2.fa -l 0":                                           "--min-length: 0 letters",
		"mems 1.fa":                                                     "mems: QUERY is missing",
		"mums 1.fa -k 2":                                                "-k: 2 of 1 genomes",
		"mappability 1.fa -o x":                                         "mappability: -k or --unique is missing",
		"mappability 1.fa -k 3":                                         "mappability: -o OUT is missing",
		"mappability 1.fa -k 0 -o x":                                    "-k: want 1 to 4294967294",
		"mappability 1.fa -k 4294967295 -o x":                           "-k: want 1 to 4294967294",
		"mappability 1.fa -k 3 -o -":                                    "the results are files",
		"mappability 1.fa --unique -o x --frequency":                    "--format and --frequency are for -k",
		"mappability 1.fa --unique -o x --format raw8":                  "--format and --frequency are for -k",
		"mappability 1.fa --unique -k 3 -o x --frequency --format raw8": "--frequency: raw files have nothing else",
	} {
		r := clitest.Run(t, dir, strings.Fields(args)...)
		require.Equal(t, cli.ExitUsage, r.Code, args)
		require.Contains(t, r.Errors, want, args)
	}
	clitest.Good(t, dir, "plan", "mems", "1.fa")
	clitest.Good(t, dir, "plan", "mums", "1.fa", "2.fa")
	clitest.Good(t, dir, "plan", "mappability", "1.fa", "-k", "3", "--both")
	long := clitest.Put(t, dir, "long.fa", []byte(">1\n"+strings.Repeat("acgat", 20)+"\n"))
	require.Contains(t, clitest.Good(t, dir, "plan", "mappability", long, "-k", "33").Out, "if hashes fail")
}

func randomDNA(rng *rand.Rand, n int) string {
	b := make([]byte, n)
	for i := range b {
		b[i] = "ACGT"[rng.IntN(4)]
	}
	return string(b)
}
