package main

import (
	"errors"
	"io"

	"gonum.org/v1/plot/plotter"
)

// bins are the lengths of repeats along a text, in parts of equal width.
type bins struct {
	n       int
	longest []uint32
	sum     []uint64
}

func newBins(n, most int) *bins {
	most = min(n, most)
	return &bins{n: n, longest: make([]uint32, most), sum: make([]uint64, most)}
}

// begin is the first position of bin i.
func (b *bins) begin(i int) int {
	return int((int64(i)*int64(b.n) + int64(len(b.sum)) - 1) / int64(len(b.sum)))
}

// add counts the lengths of positions from first on.
func (b *bins) add(first int, lengths []uint32) {
	for len(lengths) > 0 {
		i := int(int64(first) * int64(len(b.sum)) / int64(b.n))
		m := min(b.begin(i+1)-first, len(lengths))
		for _, length := range lengths[:m] {
			b.longest[i] = max(b.longest[i], length)
			b.sum[i] += uint64(length)
		}
		first, lengths = first+m, lengths[m:]
	}
}

// plot draws the bins. On the logarithmic axis what is below 1 is drawn as 1.
func (b *bins) plot(w io.Writer, name, format string) error {
	if b.n == 0 {
		return errors.New("there is nothing to draw: the text is empty")
	}
	longest, mean := make(plotter.XYs, len(b.sum)), make(plotter.XYs, len(b.sum))
	for i := range b.sum {
		from, to := b.begin(i), b.begin(i+1)
		x := float64(from+to) / 2
		longest[i] = plotter.XY{X: x, Y: max(1, float64(b.longest[i]))}
		mean[i] = plotter.XY{X: x, Y: max(1, float64(b.sum[i])/float64(to-from))}
	}
	c := chart{title: "Longest repeats of " + name, x: "position", y: "length (1 and less as 1)", logY: true,
		lines: []line{{"longest of the bin", longest}, {"mean of the bin", mean}}}
	return c.write(w, format)
}
