package match_test

import (
	"context"
	"fmt"
	"log"

	"github.com/suffixcl/suffixcl/device"
	"github.com/suffixcl/suffixcl/internal/fmindex"
	"github.com/suffixcl/suffixcl/internal/match"
	"github.com/suffixcl/suffixcl/internal/patternset"
	"github.com/suffixcl/suffixcl/patterns"
)

// The slots of a suffix array in which suffixes begin with a pattern.
func Example() {
	s, err := device.Open(device.Config{})
	check(err)
	defer s.Close()

	data, slots := []byte("banana"), []uint32{5, 3, 1, 0, 4, 2}
	text, sa := upload(s, data), upload(s, slots)
	defer text.Release()
	defer sa.Release()
	array, err := match.NewArray(s, len(data), fmindex.Histogram(data))
	check(err)
	defer array.Release()
	check(array.Build(text, sa))

	batch, err := patterns.Of([]byte("ana"), []byte("n"), []byte("band"))
	check(err)
	layout := device.NewLayout("patterns")
	room := patternset.Reserve(layout, batch.Len(), len(batch.Text))
	found := device.Reserve[[2]uint32](layout, "intervals", batch.Len())
	check(layout.Allocate(s))
	defer layout.Release(s)
	set, err := room.Upload(context.Background(), s, batch)
	check(err)
	array.Search(text, sa, set, nil, found.Buffer(s))
	intervals := make([][2]uint32, batch.Len())
	check(found.Buffer(s).Read(intervals)) // waits, and has the errors of all before
	for q, i := range intervals {
		fmt.Printf("%s: slots %d to %d, positions %d\n", batch.Pattern(q), i[0], i[1], slots[i[0]:i[1]])
	}
	// Output:
	// ana: slots 1 to 3, positions [3 1]
	// n: slots 4 to 6, positions [4 2]
	// band: slots 0 to 0, positions []
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
