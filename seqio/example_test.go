package seqio_test

import (
	"fmt"
	"io"
	"log"
	"strings"

	"github.com/suffixcl/suffixcl/seqio"
)

// Records come in batches, one text each, whose table tells what a position belongs to.
func Example() {
	file := strings.NewReader(">chr1 first\nACGTTN\nacgu\n>chr2\nGATTACA\n")
	r, err := seqio.NewReader(file, seqio.Options{
		Name:      "genome.fa",
		DNA:       true,
		Upper:     true,
		Separator: []byte("\n"),
	})
	if err != nil {
		log.Fatal(err)
	}
	var batch seqio.Batch
	for {
		err := r.Next(&batch, 1<<26)
		if err == io.EOF {
			break
		}
		if err != nil {
			log.Fatal(err) // file, line and column of what is no DNA
		}
		fmt.Printf("%s: %q\n", r.Format(), batch.Text)
		at := strings.Index(string(batch.Text), "TTACA")
		record, place, _ := batch.Records.Find(at, len("TTACA"))
		fmt.Printf("TTACA at %d is %s:%d\n", at, batch.Records[record].Name, place)
	}
	// Output:
	// fasta: "ACGTTNACGT\nGATTACA\n"
	// TTACA at 13 is chr2:2
}
