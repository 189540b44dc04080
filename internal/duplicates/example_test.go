package duplicates_test

import (
	"context"
	"fmt"
	"log"

	"github.com/suffixcl/suffixcl/device"
	"github.com/suffixcl/suffixcl/internal/duplicates"
)

func Example() {
	s, err := device.Open(device.Config{})
	if err != nil {
		log.Fatal(err)
	}
	defer s.Close()

	text := []byte("to be or not to be, that is: to be or not")
	finder, err := duplicates.New(s, len(text), duplicates.Options{Length: 8, KeepFirst: true})
	if err != nil {
		log.Fatal(err)
	}
	_, err = finder.Run(context.Background(), text, nil, func(block []duplicates.Range) error {
		for _, r := range block {
			fmt.Printf("%d to %d: %s\n", r.Start, r.End, text[r.Start:r.End])
		}
		return nil
	}, nil)
	if err != nil {
		log.Fatal(err)
	}
	// Output: 29 to 41: to be or not
}
