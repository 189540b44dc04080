package outside

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"slices"
	"testing"

	"github.com/suffixcl/suffixcl/cl"
	"github.com/suffixcl/suffixcl/device"
)

// TestMain leaves everything out where there is no device, unless REQUIRE_OPENCL is 1.
func TestMain(m *testing.M) {
	if _, err := device.List(); errors.Is(err, device.ErrNoDevice) && os.Getenv("REQUIRE_OPENCL") != "1" {
		fmt.Println("no tests:", err)
		return
	}
	os.Exit(m.Run())
}

// each runs f on every device.
func each(t *testing.T, f func(t *testing.T, s *device.Session)) {
	devices, err := device.List()
	if err != nil {
		t.Fatal(err)
	}
	for _, d := range devices {
		t.Run(d.Platform().Name()+"/"+d.Name(), func(t *testing.T) {
			s, err := device.Open(device.Config{Device: d})
			if err != nil {
				t.Fatal(err)
			}
			defer s.Close()
			f(t, s)
			if s.LiveBytes() != 0 {
				t.Errorf("%d bytes of device memory left", s.LiveBytes())
			}
		})
	}
}

// contexts is Contexts by sorting on the host.
func contexts(text []byte) []Occurrence {
	var all []Occurrence
	places := make(map[string][]uint32)
	for i := range max(len(text)-WordLength+1, 0) {
		word := string(text[i : i+WordLength])
		o := Occurrence{Position: uint32(i), Nth: uint32(len(places[word])), Before: 256}
		if i > 0 {
			o.Before = uint32(text[i-1])
		}
		places[word] = append(places[word], uint32(i))
		all = append(all, o)
	}
	word := func(o Occurrence) string { return string(text[o.Position : o.Position+WordLength]) }
	slices.SortStableFunc(all, func(a, b Occurrence) int {
		return cmp.Or(cmp.Compare(word(a), word(b)), cmp.Compare(a.Before, b.Before))
	})
	number := uint32(0)
	for i := range all {
		if i > 0 && word(all[i]) != word(all[i-1]) {
			number++
		}
		all[i].Word = number
	}
	return all
}

func TestContexts(t *testing.T) {
	opticks, err := os.ReadFile("../../internal/testkit/opticks/opticks.txt")
	if err != nil {
		t.Fatal(err)
	}
	each(t, func(t *testing.T, s *device.Session) {
		for _, text := range [][]byte{nil, []byte("abc"), []byte("abcd"), []byte("banana bandana"), opticks[:1000],
			opticks[:30000]} {
			got, err := Contexts(context.Background(), s, text)
			if err != nil {
				t.Fatal(err)
			}
			if want := contexts(text); !slices.Equal(got, want) {
				t.Errorf("%d bytes: %d occurrences, not those of the host", len(text), len(got))
			}
		}
	})
}

// What does not build says in which of the importer's files, and the session goes on.
func TestBuildError(t *testing.T) {
	each(t, func(t *testing.T, s *device.Session) {
		step := source("CTX_BEFORE")
		step.Defines["WG"] = 1 // and no ITEMS
		s.Program(step).Kernel("contexts_before", 1).Launch(1, 0)
		var build *cl.BuildError
		if !errors.As(s.Err(), &build) {
			t.Fatalf("%v is no *cl.BuildError", s.Err())
		}
		s.Recover()
		if _, err := Contexts(context.Background(), s, []byte("banana")); err != nil {
			t.Error(err)
		}
	})
}

func Example() {
	s, err := device.Open(device.Config{})
	if err != nil {
		fmt.Println(err)
		return
	}
	defer s.Close()
	text := []byte("banana, ananas")
	all, err := Contexts(context.Background(), s, text)
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, o := range all {
		if o.Nth > 0 {
			fmt.Printf("%q at %d again, after %q\n", text[o.Position:o.Position+WordLength], o.Position, rune(o.Before))
		}
	}
	// Output:
	// "anan" at 8 again, after ' '
	// "nana" at 9 again, after 'a'
}
