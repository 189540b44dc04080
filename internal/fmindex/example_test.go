package fmindex_test

import (
	"context"
	"fmt"
	"log"

	"github.com/suffixcl/suffixcl/device"
	"github.com/suffixcl/suffixcl/internal/fmindex"
	"github.com/suffixcl/suffixcl/internal/patternset"
	"github.com/suffixcl/suffixcl/patterns"
	"github.com/suffixcl/suffixcl/skew"
)

// An index of DNA is made of text and suffix array, and counts what occurs in it.
func Example() {
	s, err := device.Open(device.Config{})
	check(err)
	defer s.Close()
	ctx := context.Background()

	data := []byte("GATTACANNGATTAGATTACA")
	text, sa := upload(s, data), upload(s, make([]uint32, len(data)))
	defer text.Release()
	defer sa.Release()
	sorter, err := skew.New(s, len(data))
	check(err)
	defer sorter.Release()
	check(sorter.Allocate())
	check(sorter.Run(ctx, text, sa, nil))

	builder, err := fmindex.NewBuilder(s, fmindex.Header{
		Length: len(data), Counts: *fmindex.Histogram(data),
		Alphabet: fmindex.DNA, Rate: 0, Separator: fmindex.NoSeparator,
	})
	check(err)
	defer builder.Release()
	check(builder.Allocate())
	index, err := builder.Run(ctx, text, sa)
	check(err)
	defer index.Release()

	batch, err := patterns.Of([]byte("GATTACA"), []byte("gatta"), []byte("CAN"))
	check(err)
	layout := device.NewLayout("patterns")
	slots := patternset.Reserve(layout, batch.Len(), len(batch.Text))
	rows := device.Reserve[[2]uint32](layout, "intervals", batch.Len())
	check(layout.Allocate(s))
	defer layout.Release(s)
	set, err := slots.Upload(ctx, s, batch)
	check(err)
	index.Count(set, rows.Buffer(s))
	intervals := make([][2]uint32, batch.Len())
	check(rows.Buffer(s).Read(intervals)) // waits, and has the errors of all before
	for q, rows := range intervals {
		fmt.Printf("%s occurs %d times\n", batch.Pattern(q), rows[1]-rows[0])
	}
	// Output:
	// GATTACA occurs 2 times
	// gatta occurs 3 times
	// CAN occurs 0 times
}

// upload copies data to the device.
func upload[T device.Element](s *device.Session, data []T) *device.Buffer[T] {
	b, err := device.Alloc[T](s, len(data))
	check(err)
	check(b.Write(data))
	return b
}

func check(err error) {
	if err != nil {
		log.Fatal(err)
	}
}
