package main

import (
	"image/color"
	"io"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
)

// The colours of lines, in order; they differ for eyes that mix up red and green, too.
var lineColors = []color.Color{
	color.RGBA{R: 0x00, G: 0x72, B: 0xb2, A: 0xff}, color.RGBA{R: 0xd5, G: 0x5e, B: 0x00, A: 0xff},
	color.RGBA{R: 0x00, G: 0x9e, B: 0x73, A: 0xff}, color.RGBA{R: 0xcc, G: 0x79, B: 0xa7, A: 0xff},
	color.RGBA{R: 0x56, G: 0xb4, B: 0xe9, A: 0xff}, color.RGBA{R: 0xe6, G: 0x9f, B: 0x00, A: 0xff},
	color.RGBA{R: 0x00, G: 0x00, B: 0x00, A: 0xff}, color.RGBA{R: 0x80, G: 0x80, B: 0x80, A: 0xff},
}

// line is a named curve of a chart.
type line struct {
	name   string
	points plotter.XYs
}

// chart is a drawing of lines.
type chart struct {
	title, x, y string
	logX, logY  bool
	markers     bool
	lines       []line
}

// write draws the chart as png or svg.
func (c *chart) write(w io.Writer, format string) error {
	p := plot.New()
	p.Title.Text, p.X.Label.Text, p.Y.Label.Text = c.title, c.x, c.y
	p.Legend.Top, p.Legend.Left = true, true
	if c.logX {
		p.X.Scale, p.X.Tick.Marker = plot.LogScale{}, plot.LogTicks{Prec: -1}
	}
	if c.logY {
		p.Y.Scale, p.Y.Tick.Marker = plot.LogScale{}, plot.LogTicks{Prec: -1}
	}
	p.Add(plotter.NewGrid())
	for i, l := range c.lines {
		if len(l.points) == 0 {
			continue
		}
		curve, points, err := plotter.NewLinePoints(l.points)
		if err != nil {
			return err
		}
		curve.Color, points.Color = lineColors[i%len(lineColors)], lineColors[i%len(lineColors)]
		curve.Width, points.Radius = vg.Points(1), vg.Points(2)
		p.Add(curve)
		if c.markers {
			p.Add(points)
		}
		p.Legend.Add(l.name, curve)
	}
	if c.logY { // an axis of no length cannot be drawn
		p.Y.Max = max(p.Y.Max, 10*p.Y.Min)
	}
	if c.logX {
		p.X.Max = max(p.X.Max, 2*p.X.Min)
	}
	drawing, err := p.WriterTo(25*vg.Centimeter, 12*vg.Centimeter, format)
	if err != nil {
		return err
	}
	_, err = drawing.WriteTo(w)
	return err
}

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
		return errNoText
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
