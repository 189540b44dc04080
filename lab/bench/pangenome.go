package bench

import (
	"context"
	"fmt"
	"hash/crc32"
	"time"

	"github.com/suffixcl/suffixcl/device"
	"github.com/suffixcl/suffixcl/internal/jobs/pangenome"
	"github.com/suffixcl/suffixcl/internal/parallel"
	"github.com/suffixcl/suffixcl/internal/phases"
	"github.com/suffixcl/suffixcl/internal/rlbwt"
	"github.com/suffixcl/suffixcl/internal/testkit/haplotypes"
)

// Pangenome measures a run-length transform that grows by haplotypes, both strands of each, which are made on the spot.
type Pangenome struct {
	Bases       int // of a genome
	Chromosomes int
	Haplotypes  int
	Batch       int  // most symbols of a batch
	Check       bool // all strings are read from the index, and compared
	Profile     bool
	Config      device.Config
	Progress    func(format string, args ...any)
	Done        func(PangenomeRow) error
}

// PangenomeRow is a haplotype that was added.
type PangenomeRow struct {
	Haplotype int     `json:"haplotype"`
	Letters   int     `json:"letters"` // both strands, with ends
	Rows      uint64  `json:"rows"`
	Runs      uint64  `json:"runs"`
	Bytes     int64   `json:"index_bytes"`
	Make      float64 `json:"make_s"` // of the haplotype, while the one before is added
	Seconds   float64 `json:"seconds"`
	Batches   int     `json:"batches"`
	Peak      int64   `json:"peak_device_bytes"`
	// Of a profile, which slows the rest.
	Phases  []phases.Total      `json:"phases,omitempty"`
	Kernels []device.KernelTime `json:"kernels,omitempty"`
	// Of the last haplotype.
	Download float64 `json:"download_s,omitempty"` // reading all runs
	Encode   float64 `json:"encode_s,omitempty"`   // making an .fmd
	FMD      uint64  `json:"fmd_bytes,omitempty"`
}

// strand writes the reverse complement of letters.
func strand(to, of []byte) {
	parallel.Do(len(of), 1<<20, func(lo, hi int) {
		for i := lo; i < hi; i++ {
			to[len(of)-1-i] = 5 - of[i]
		}
	})
}

// made is a haplotype: its letters, and both strands of its chromosomes with an end after each, in batches.
type made struct {
	letters, codes []byte
	batches        [][]byte
	seconds        float64
}

// make makes haplotype k in the memory of another.
func (b *Pangenome) make(genome *haplotypes.Genome, k int, m *made) {
	start := time.Now()
	m.letters = genome.Haplotype(k, m.letters)
	if need := 2*len(m.letters) + 2*b.Chromosomes; cap(m.codes) < need {
		m.codes = make([]byte, need+need/64)
	}
	m.batches = b.codes(m.letters, m.codes[:0])
	m.seconds = time.Since(start).Seconds()
}

// codes are both strands of the chromosomes of a haplotype, with an end after each, in batches.
func (b *Pangenome) codes(letters, codes []byte) (batches [][]byte) {
	for size := len(letters)/b.Chromosomes + 1; len(letters) > 0; {
		chromosome := letters[:min(size, len(letters))]
		letters = letters[len(chromosome):]
		both := codes[len(codes):][:2*len(chromosome)+2]
		parallel.Copy(both, chromosome)
		strand(both[len(chromosome)+1:], chromosome)
		both[len(chromosome)], both[len(both)-1] = 0, 0
		codes = codes[:len(codes)+len(both)]
	}
	return pangenome.Batches(codes, b.Batch)
}

// Run adds all haplotypes.
func (b *Pangenome) Run(ctx context.Context) error {
	b.Progress("a genome of %d bases", b.Bases)
	genome, err := haplotypes.New(b.Bases)
	if err != nil {
		return err
	}
	b.Config.Profile = b.Profile
	s, err := device.Open(b.Config)
	if err != nil {
		return err
	}
	defer s.Close()
	x, err := rlbwt.New(s)
	if err != nil {
		return err
	}
	defer func() { x.Release() }()
	if err := x.Append(ctx, []byte{1, 2, 3, 4, 0}); err != nil { // builds the programs
		return err
	}
	x.Release()
	if x, err = rlbwt.New(s); err != nil {
		return err
	}
	var sums []uint32
	next, free := make(chan *made, 1), make(chan *made, 2)
	free <- &made{}
	free <- &made{}
	ended := make(chan struct{})
	defer close(ended)
	go func() { // the next haplotype is made while one is added
		for k := range b.Haplotypes {
			select {
			case m := <-free:
				b.make(genome, k, m)
				next <- m
			case <-ended:
				return
			}
		}
	}()
	var following *made // if it is there before its turn
	look := func() []byte {
		select {
		case following = <-next:
			return following.batches[0]
		default:
			return nil
		}
	}
	for k := range b.Haplotypes {
		m := following
		if following = nil; m == nil {
			m = <-next
		}
		row := PangenomeRow{Haplotype: k, Make: m.seconds, Batches: len(m.batches)}
		for _, codes := range m.batches {
			row.Letters += len(codes)
		}
		if b.Check {
			sums = append(sums, digests(m.batches)...)
		}
		s.ResetProfile()
		start := time.Now()
		if err := x.AppendAll(ctx, m.batches, look); err != nil {
			return err
		}
		row.Seconds = time.Since(start).Seconds()
		free <- m
		row.Rows, row.Bytes = x.Len(), x.Bytes()
		row.Kernels = s.Profile()
		row.Phases = phases.Sum(row.Kernels)
		if k == b.Haplotypes-1 {
			if err := b.encode(ctx, x, &row); err != nil {
				return err
			}
		}
		if err := b.Done(row); err != nil {
			return err
		}
	}
	if b.Check {
		return b.compare(ctx, x, sums)
	}
	return nil
}

// encode makes the file, and throws it away.
func (b *Pangenome) encode(ctx context.Context, x *rlbwt.Index, row *PangenomeRow) error {
	start := time.Now()
	f, err := x.File(ctx)
	if err != nil {
		return err
	}
	defer f.Release()
	n, err := f.WriteTo(ctx, nothing{})
	row.Runs = f.Runs
	row.Encode, row.FMD = time.Since(start).Seconds(), uint64(n)
	return err
}

type nothing struct{}

func (nothing) Write(p []byte) (int, error) { return len(p), nil }

// digests are those of the strings of batches.
func digests(batches [][]byte) (sums []uint32) {
	for _, codes := range batches {
		from := 0
		for i, c := range codes {
			if c == 0 {
				sums = append(sums, crc32.ChecksumIEEE(codes[from:i]))
				from = i + 1
			}
		}
	}
	return sums
}

func (b *Pangenome) compare(ctx context.Context, x *rlbwt.Index, sums []uint32) error {
	numbers := make([]uint64, len(sums))
	for i := range numbers {
		numbers[i] = uint64(i)
	}
	b.Progress("reading %d strings from the index", len(sums))
	start := time.Now()
	err := x.Extract(ctx, numbers, func(i int, letters []byte, _ uint64) error {
		if crc32.ChecksumIEEE(letters) != sums[i] {
			return fmt.Errorf("string %d of the index is another", i)
		}
		return nil
	})
	b.Progress("read in %.2f s: %v", time.Since(start).Seconds(), err)
	return err
}
