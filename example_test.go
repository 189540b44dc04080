package suffixcl_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"log"
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/suffixcl/suffixcl"
	"github.com/suffixcl/suffixcl/internal/testkit/devicetest"
	"github.com/suffixcl/suffixcl/patterns"
	"github.com/suffixcl/suffixcl/seqio"
)

func TestMain(m *testing.M) { devicetest.Main(m) }

func Example() {
	engine, err := suffixcl.Open(suffixcl.Options{})
	if err != nil {
		log.Fatal(err) // says what to install if there is no device
	}
	defer engine.Close()
	sa, err := engine.SuffixArray(context.Background(), []byte("banana"))
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(sa) // where these suffixes begin: a, ana, anana, banana, na, nana
	// Output: [5 3 1 0 4 2]
}

func ExampleEngine_VerifyArrays() {
	engine, err := suffixcl.Open(suffixcl.Options{})
	if err != nil {
		log.Fatal(err) // says what to install if there is no device
	}
	defer engine.Close()

	ctx := context.Background()
	text := []byte("banana")
	sa, err := engine.SuffixArray(ctx, text)
	if err != nil {
		log.Fatal(err)
	}
	for _, i := range sa {
		fmt.Printf("%d %s\n", i, text[i:])
	}

	transform, primary, err := engine.BWT(ctx, text)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("%s, primary index %d\n", transform, primary)

	made := &suffixcl.Result{SA: sa, BWT: suffixcl.Bytes(transform), Primary: primary}
	if _, err := engine.VerifyArrays(suffixcl.Bytes(text), suffixcl.GivenArrays{Result: made}).All(ctx); err != nil {
		log.Fatal(err)
	}
	// Output:
	// 5 a
	// 3 ana
	// 1 anana
	// 0 banana
	// 4 na
	// 2 nana
	// annbaa, primary index 4
}

// Blocks of a file, as a compressor transforms them.
func ExampleEngine_Stream() {
	engine, err := suffixcl.Open(suffixcl.Options{})
	if err != nil {
		log.Fatal(err)
	}
	defer engine.Close()

	file := strings.NewReader("bananabandana")
	block := func(text []byte) (int, error) {
		n, err := io.ReadFull(file, text)
		if errors.Is(err, io.ErrUnexpectedEOF) { // the last block
			err = nil
		}
		return n, err
	}
	for made, err := range engine.Stream(6, block, suffixcl.Want{BWT: true}).Each(context.Background()) {
		if err != nil {
			log.Fatal(err)
		}
		fmt.Printf("%s, primary index %d\n", made.BWT.Bytes(), made.Primary)
	}
	// Output:
	// annbaa, primary index 4
	// ndbnaa, primary index 3
	// a, primary index 1
}

func ExampleEngine_Repeats() {
	engine, err := suffixcl.Open(suffixcl.Options{})
	if err != nil {
		log.Fatal(err)
	}
	defer engine.Close()

	text := []byte("mississippi")
	repeats, err := engine.Repeats(suffixcl.Bytes(text), suffixcl.RepeatOptions{MinLength: 2}).All(context.Background())
	if err != nil {
		log.Fatal(err)
	}
	for k, r := range repeats.All() {
		fmt.Printf("position %d: %s from %d on\n", k, text[r.Start:r.Start+r.Length], r.Start)
	}
	// Output:
	// position 1: issi from 1 on
	// position 2: issi from 1 on
	// position 3: issi from 1 on
	// position 4: issi from 1 on
	// position 5: issi from 4 on
	// position 6: issi from 4 on
	// position 7: issi from 4 on
}

func ExampleEngine_Ranges() {
	engine, err := suffixcl.Open(suffixcl.Options{})
	if err != nil {
		log.Fatal(err)
	}
	defer engine.Close()

	text := []byte("she sells sea shells by the sea shore")
	file := bytes.NewReader(text) // or an *os.File
	sorted := engine.Ranges(suffixcl.Reader(file, len(text)), suffixcl.RangeOptions{LCP: true})
	last, longest := 0, uint64(0)
	for block, err := range sorted.Each(context.Background()) {
		if err != nil {
			log.Fatal(err)
		}
		for i, lcp := range block.LCP {
			if lcp > longest {
				last, longest = int(block.Positions[i]), lcp
			}
		}
	}
	fmt.Printf("%q occurs twice\n", text[last:last+int(longest)])
	// Output: " sea sh" occurs twice
}

func ExampleEngine_Duplicates() {
	engine, err := suffixcl.Open(suffixcl.Options{})
	if err != nil {
		log.Fatal(err)
	}
	defer engine.Close()

	text := []byte("to be or not to be, that is: to be or not")
	o := suffixcl.DuplicateOptions{Length: 8, KeepFirst: true}
	for part, err := range engine.Duplicates(suffixcl.Bytes(text), nil, o).Each(context.Background()) {
		if err != nil {
			log.Fatal(err)
		}
		for _, r := range part.Ranges {
			fmt.Printf("%d to %d: %s\n", r.Start, r.End, text[r.Start:r.End])
		}
	}
	// Output: 29 to 41: to be or not
}

func ExampleEngine_Pangenome() {
	engine, err := suffixcl.Open(suffixcl.Options{})
	if err != nil {
		log.Fatal(err)
	}
	defer engine.Close()

	ctx := context.Background()
	genomes := []string{"GATTACA", "GATTTACA"}
	next := func() (*suffixcl.Collection, error) {
		if len(genomes) == 0 {
			return nil, io.EOF
		}
		set, err := suffixcl.JoinTexts('\n', []byte(genomes[0]))
		genomes = genomes[1:]
		return set, err
	}
	made, err := engine.Pangenome(suffixcl.PangenomeOptions{Next: next}).All(ctx)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(made.Runs, "runs")
	file := io.NewSectionReader(bytes.NewReader(made.File), 0, int64(len(made.File)))
	for s, err := range engine.PangenomeIndex(file).Strings(nil).Each(ctx) {
		if err != nil {
			log.Fatal(err)
		}
		fmt.Printf("%d %s\n", s.Row, s.Text)
	}
	// Output:
	// 20 runs
	// 0 GATTACA
	// 1 TGTAATC
	// 2 GATTTACA
	// 3 TGTAAATC
}

func ExampleEngine_LCP() {
	engine, err := suffixcl.Open(suffixcl.Options{})
	if err != nil {
		log.Fatal(err)
	}
	defer engine.Close()

	ctx := context.Background()
	lengths, err := engine.LCP(ctx, []byte("banana")) // of a, ana, anana, banana, na, nana
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(lengths)
	// Output: [0 1 3 0 0 2]
}

func ExampleEngine_InverseBWT() {
	engine, err := suffixcl.Open(suffixcl.Options{})
	if err != nil {
		log.Fatal(err)
	}
	defer engine.Close()

	ctx := context.Background()
	text, err := engine.InverseBWT(ctx, []byte("annbaa"), 4)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("%s\n", text)

	_, err = engine.InverseBWT(ctx, []byte("annbaa"), 1)
	fmt.Println(err)
	// Output:
	// banana
	// the Burrows-Wheeler transform with primary index 1 is that of no text: its rows end after 1 of 6 characters
}

func ExampleEngine_Index() {
	engine, err := suffixcl.Open(suffixcl.Options{})
	if err != nil {
		log.Fatal(err)
	}
	defer engine.Close()

	ctx := context.Background()
	text := suffixcl.Bytes([]byte("ACGTTGATTACANNGATTACA"))
	index, err := engine.Index(text, suffixcl.IndexOptions{SampleEvery: 4, DNA: true}).All(ctx)
	if err != nil {
		log.Fatal(err)
	}
	defer index.Close()

	batch, err := patterns.Of([]byte("gatta"), []byte("TAC"), []byte("N"))
	if err != nil {
		log.Fatal(err)
	}
	counts, err := index.Count(ctx, batch)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(counts)
	err = index.Locate(ctx, batch, func(pattern int, positions []uint32) error {
		_, err := fmt.Printf("%s %d\n", batch.Pattern(pattern), positions)
		return err
	})
	if err != nil {
		log.Fatal(err)
	}
	// Output:
	// [2 2 0]
	// gatta [5 14]
	// TAC [8 17]
}

// Sequences of a file, and the record that holds an occurrence.
func ExampleEngine_Index_records() {
	engine, err := suffixcl.Open(suffixcl.Options{})
	if err != nil {
		log.Fatal(err)
	}
	defer engine.Close()

	file := strings.NewReader(">chr1\nACGTTG\nATTACA\n>chr2\nNNGATTACA\n")
	genome, err := seqio.ReadAll(file, seqio.Options{Name: "genome.fa", DNA: true, Upper: true, Separator: []byte("\n")})
	if err != nil {
		log.Fatal(err) // file, line and column of what is no DNA
	}
	ctx := context.Background()
	o := suffixcl.IndexOptions{SampleEvery: 4, Records: genome.Records, DNA: true}
	index, err := engine.Index(suffixcl.Bytes(genome.Text), o).All(ctx)
	if err != nil {
		log.Fatal(err)
	}
	defer index.Close()

	batch, err := patterns.Of([]byte("GATTACA"))
	if err != nil {
		log.Fatal(err)
	}
	err = index.Locate(ctx, batch, func(pattern int, positions []uint32) error {
		for _, p := range positions {
			record, place, _ := genome.Records.Find(int(p), len(batch.Pattern(pattern)))
			fmt.Printf("%s:%d\n", genome.Records[record].Name, place)
		}
		return nil
	})
	if err != nil {
		log.Fatal(err)
	}
	// Output:
	// chr1:5
	// chr2:2
}

func ExampleEngine_Matcher() {
	engine, err := suffixcl.Open(suffixcl.Options{})
	if err != nil {
		log.Fatal(err)
	}
	defer engine.Close()

	ctx := context.Background()
	matcher, err := engine.Matcher(suffixcl.Bytes([]byte("banana")), suffixcl.MatcherOptions{}).All(ctx)
	if err != nil {
		log.Fatal(err)
	}
	defer matcher.Close()

	batch, err := patterns.Of([]byte("ana"), []byte("band"))
	if err != nil {
		log.Fatal(err)
	}
	counts, err := matcher.Count(ctx, batch)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(counts)
	// Output: [2 0]
}

func ExampleEngine_Intervals() {
	e, err := suffixcl.Open(suffixcl.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	defer e.Close()
	text := "mississippi"
	repeats, err := e.Intervals(suffixcl.Bytes([]byte(text)), suffixcl.IntervalOptions{MinDepth: 1,
		LeftMaximal: true}).All(context.Background())
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, r := range repeats.All() {
		fmt.Println(text[r.Position:r.Position+r.Depth], "occurs", r.Count(), "times")
	}
	// Output:
	// i occurs 4 times
	// issi occurs 2 times
	// p occurs 2 times
	// s occurs 4 times
}

func ExampleEngine_Matches() {
	engine, err := suffixcl.Open(suffixcl.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	defer engine.Close()
	reference, _ := suffixcl.JoinTexts('\n', []byte("ccgattacatt"), []byte("ggggg"))
	query := suffixcl.Bytes([]byte("aagattacagg"))
	o := suffixcl.MatchOptions{Kind: suffixcl.MaximalUnique, MinLength: 5, Letters: "acgt"}
	for part, err := range engine.Matches(suffixcl.Set(reference), query, o).Each(context.Background()) {
		if err != nil {
			fmt.Println(err)
			return
		}
		for _, m := range part.Matches {
			text, offset, _ := reference.Find(int(m.Reference))
			fmt.Println("query", part.Text, "at", m.Query, "text", text, "at", offset, "length", m.Length)
		}
	}
	// Output:
	// query 0 at 2 text 0 at 2 length 7
}

func ExampleEngine_Mappability() {
	engine, err := suffixcl.Open(suffixcl.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	defer engine.Close()
	genome := suffixcl.Bytes([]byte("gattacagattn"))
	o := suffixcl.MappabilityOptions{K: []int{4}, Unique: true, Letters: "acgt"}
	all, err := engine.Mappability(genome, o).All(context.Background())
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println("frequencies of 4-mers:", all[0].Values)
	fmt.Println("shortest unique:", all[1].Values)
	// Output:
	// frequencies of 4-mers: [2 1 1 1 1 1 1 2 0 0 0 0]
	// shortest unique: [5 4 3 2 2 1 2 0 0 0 0 0]
}

func ExampleEngine_MultiMatches() {
	engine, err := suffixcl.Open(suffixcl.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	defer engine.Close()
	var genomes []suffixcl.Text
	for _, text := range []string{"ccgattacatt", "aagattacagg", "tgtgattacaga"} {
		genomes = append(genomes, suffixcl.Bytes([]byte(text)))
	}
	o := suffixcl.MultiMatchOptions{MinLength: 5, MostEach: 1}
	for m, err := range engine.MultiMatches(genomes, o).Each(context.Background()) {
		if err != nil {
			fmt.Println(err)
			return
		}
		fmt.Println(m.Length, len(m.Occurrences))
	}
	// Output:
	// 7 3
}

// The README shows the example as it is here.
func TestReadmeShowsTheExample(t *testing.T) {
	source, err := os.ReadFile("example_test.go")
	require.NoError(t, err)
	_, body, ok := strings.Cut(string(source), "\nfunc Example() {\n")
	require.True(t, ok)
	body, _, ok = strings.Cut(body, "\n}\n")
	require.True(t, ok)
	body = strings.ReplaceAll("\n"+body, "\n\t", "\n")
	readme, err := os.ReadFile("README.md")
	require.NoError(t, err)
	require.Contains(t, string(readme), "```go"+body+"\n```\n")
}
