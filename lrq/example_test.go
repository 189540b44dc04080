package lrq_test

import (
	"fmt"
	"log"

	"github.com/suffixcl/suffixcl/device"
	"github.com/suffixcl/suffixcl/lrq"
)

// The leftmost longest repeat that covers each position, of suffix and LCP array.
func Example() {
	s, err := device.Open(device.Config{})
	check(err)
	defer s.Close()

	text := "mississippi"
	n := len(text)
	sa := upload(s, []uint32{10, 7, 4, 1, 0, 9, 8, 6, 3, 5, 2})
	lcp := upload(s, []uint32{0, 1, 1, 4, 0, 0, 1, 0, 2, 1, 3})
	raw, useful, upto := upload(s, make([]uint32, n)), upload(s, make([]uint32, n)), upload(s, make([]uint32, n))
	for _, b := range []*device.Buffer[uint32]{sa, lcp, raw, useful, upto} {
		defer b.Release()
	}
	plan, err := lrq.New(s, n, lrq.Options{MinLength: 2})
	check(err)
	ws, err := device.NewWorkspace(s, plan.Workspace())
	check(err)
	defer ws.Release()

	plan.Raw(sa, lcp, nil, raw)
	index := plan.Index(ws, raw, n, useful, upto)
	starts, lengths := upto, useful // which are not needed any more, then
	index.Leftmost(0, n, starts)
	index.Lengths(starts, n, lengths)
	start, length := make([]uint32, n), make([]uint32, n)
	check(starts.Read(start)) // waits, and has the errors of all before
	check(lengths.Read(length))
	for k := range text {
		if length[k] > 0 {
			fmt.Printf("position %d: %s from %d on\n", k, text[start[k]:start[k]+length[k]], start[k])
		}
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
