package genometools

import (
	"context"
	"encoding/binary"
	"fmt"
	"io"
	"sync"

	"github.com/suffixcl/suffixcl"
	"github.com/suffixcl/suffixcl/device"
	"github.com/suffixcl/suffixcl/formats/internal/indexfiles"
	"github.com/suffixcl/suffixcl/internal/parallel"
	"github.com/suffixcl/suffixcl/internal/table"
)

// Suffixes of the names of the files.
func Suffixes() []string { return []string{".bwt", ".lcp", ".llv", ".prj", ".suf"} }

var want = suffixcl.Want{SA: true, LCP: true, BWT: true, Order: suffixcl.SpecialsLargest("\x00\x01\x02\x03")}

// Plan returns the memory of Write. Errors: those of the plan of suffixcl.Engine.Arrays.
func (r *Reference) Plan(ctx context.Context, e *suffixcl.Engine) (device.MemoryPlan, error) {
	return e.Arrays(suffixcl.Bytes(r.text), want).Plan(ctx)
}

// Write writes the index. Host memory: 10 bytes a character with the reference. Errors: those of the engine and of
// files.
func (r *Reference) Write(ctx context.Context, e *suffixcl.Engine, files *indexfiles.Set) error {
	made, err := e.Arrays(suffixcl.Bytes(r.text), want).All(ctx)
	if err != nil {
		return err
	}
	lengths := r.summarise(made)
	if err := r.writeProject(ctx, files, made, lengths); err != nil {
		return err
	}
	return write(ctx, files, made.SA, made.LCP, made.BWT.Bytes(), made.Primary, lengths.large)
}

// write writes all but the project file. The last row of each is the end of the text.
func write(ctx context.Context, files *indexfiles.Set, sa, lcp []uint32, transform []byte, primary, large int) error {
	n := len(sa)
	return indexfiles.Together(ctx,
		func(ctx context.Context) error {
			return files.Write(ctx, ".suf", 8*int64(n+1), func(w io.Writer) error {
				return table.Write(w, n+1, 8, func(b []byte, lo, hi int) {
					for k := lo; k < hi; k, b = k+1, b[8:] {
						place := n
						if k < n {
							place = int(sa[k])
						}
						binary.LittleEndian.PutUint64(b, uint64(place))
					}
				})
			})
		},
		func(ctx context.Context) error {
			return files.Write(ctx, ".lcp", int64(n+1), func(w io.Writer) error {
				return table.Write(w, n+1, 1, func(b []byte, lo, hi int) {
					for i := range b {
						b[i] = 0
						if lo+i < n {
							b[i] = byte(min(lcp[lo+i], leastLarge))
						}
					}
				})
			})
		},
		func(ctx context.Context) error { return writeLarge(ctx, files, lcp, large) },
		func(ctx context.Context) error {
			return files.Write(ctx, ".bwt", int64(n+1), func(w io.Writer) error {
				for _, part := range [][]byte{transform[:primary], {Wildcard}, transform[primary:]} {
					if _, err := w.Write(part); err != nil {
						return err
					}
				}
				return nil
			})
		},
	)
}

// leastLarge is the least length that is not in .lcp.
const leastLarge = 255

// largeBlock is the number of values in which large ones are looked for at a time.
const largeBlock = 1 << 22

// writeLarge writes the file .llv.
func writeLarge(ctx context.Context, files *indexfiles.Set, lengths []uint32, count int) error {
	return files.Write(ctx, ".llv", 16*int64(count), func(w io.Writer) error {
		for at := 0; at < len(lengths) && count > 0; at += largeBlock {
			block := lengths[at:min(at+largeBlock, len(lengths))]
			parts := parallel.Collect(len(block), 1<<16, func(lo, hi int) (b []byte) {
				for k, length := range block[lo:hi] {
					if length >= leastLarge {
						b = binary.LittleEndian.AppendUint64(b, uint64(at+lo+k))
						b = binary.LittleEndian.AppendUint64(b, uint64(length))
					}
				}
				return b
			})
			for _, b := range parts {
				if _, err := w.Write(b); err != nil {
					return err
				}
			}
		}
		return nil
	})
}

// summary has the figures of the LCP array that the project file tells.
type summary struct {
	large   int    // values
	longest uint32 // value
	sum     uint64 // without suffixes that have fewer bases than a prefix before a special or the end
}

// summarise goes through the LCP array.
func (r *Reference) summarise(made *suffixcl.Result) (all summary) {
	prefix := uint32(prefixLength(len(r.text)))
	var mutex sync.Mutex
	parallel.Do(len(made.LCP), 1<<16, func(lo, hi int) {
		var s summary
		for k, length := range made.LCP[lo:hi] {
			s.longest = max(s.longest, length)
			switch {
			case length >= leastLarge:
				s.large++
			case length > 0 && length < prefix && r.near[made.SA[lo+k]/stretch] && r.short(int(made.SA[lo+k]), int(prefix)):
				length = 0
			}
			s.sum += uint64(length)
		}
		mutex.Lock()
		defer mutex.Unlock()
		all.large += s.large
		all.sum += s.sum
		all.longest = max(all.longest, s.longest)
	})
	return all
}

// short tells whether fewer bases than so many follow a place.
func (r *Reference) short(place, prefix int) bool {
	if place+prefix > len(r.text) {
		return true
	}
	for _, c := range r.text[place : place+prefix] {
		if c > 3 {
			return true
		}
	}
	return false
}

// prefixLength is the number of bases by which suffixes are put into buckets: the most for which all buckets of as many
// and fewer bases are a 16th of the text, at least 1.
func prefixLength(n int) int {
	length, buckets := 1, 1+4+16
	for ; 16*buckets <= n; length++ {
		buckets = 4*buckets + 1
	}
	return length
}

func (r *Reference) writeProject(ctx context.Context, files *indexfiles.Set, made *suffixcl.Result, s summary) error {
	return files.Write(ctx, ".prj", -1, func(w io.Writer) error {
		n := len(r.text)
		special, wildcard := r.specials.special, r.specials.wildcard
		line := func(key string, value any) { fmt.Fprintf(w, "%s=%v\n", key, value) }
		line("totallength", n)
		line("specialcharacters", special.characters)
		line("specialranges", r.ranges.special)
		line("realspecialranges", special.ranges)
		line("lengthofspecialprefix", special.prefix)
		line("lengthofspecialsuffix", special.suffix)
		line("wildcards", wildcard.characters)
		line("wildcardranges", r.ranges.wildcard)
		line("realwildcardranges", wildcard.ranges)
		line("lengthofwildcardprefix", wildcard.prefix)
		line("lengthofwildcardsuffix", wildcard.suffix)
		line("numofsequences", r.sequences)
		line("numofdbsequences", r.sequences)
		line("numofquerysequences", 0)
		line("numberofallsortedsuffixes", n+1)
		line("longest", made.Primary)
		line("prefixlength", prefixLength(n))
		line("largelcpvalues", s.large)
		line("averagelcp", fmt.Sprintf("%.2f", float64(s.sum)/float64(n+1)))
		line("maxbranchdepth", s.longest)
		line("integersize", 64)
		line("littleendian", 1)
		line("readmode", 0)
		_, err := fmt.Fprintln(w, "mirrored=0")
		return err
	})
}
