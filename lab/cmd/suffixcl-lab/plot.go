package main

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"maps"
	"math"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"
	"github.com/suffixcl/suffixcl/internal/cli"
	"github.com/suffixcl/suffixcl/seqio"
	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/plotutil"
	"gonum.org/v1/plot/text"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
	"gonum.org/v1/plot/vg/vgsvg"
)

// plotCommand has the verbs that draw, and some more.
func plotCommand(more ...*cobra.Command) *cobra.Command {
	c := &cobra.Command{Use: "plot", Short: "Draw results"}
	c.AddCommand(plotRepeatsCommand(), plotDuplicatesCommand(), plotMappabilityCommand(), plotSpeedCommand(),
		plotSortCommand())
	c.AddCommand(more...)
	return c
}

// pictureUsage describes the flag -o of the verbs that draw.
const pictureUsage = "picture to write: .png, .svg or .pdf (required)"

// pictureFormat is the format of a picture by its name.
func pictureFormat(name string) (string, error) {
	format := strings.TrimPrefix(strings.ToLower(filepath.Ext(name)), ".")
	if !slices.Contains([]string{"png", "svg", "pdf"}, format) {
		return "", cli.Usage("-o %s: want a name that ends in .png, .svg or .pdf", name)
	}
	return format, nil
}

// drawReport draws what read makes of a report in JSON, and of the file's name.
func drawReport(ctx context.Context, picture, from string,
	read func(data []byte, name string) (draw func(w io.Writer, format string) error, err error)) error {
	format, err := pictureFormat(picture)
	if err != nil {
		return err
	}
	out, err := cli.NewOutput(picture, from)
	if err != nil {
		return err
	}
	defer out.Discard()
	in, err := cli.OpenText(ctx, from, cli.InputOptions{Sequences: seqio.Options{Format: seqio.Plain}})
	if err != nil {
		return err
	}
	defer in.Close()
	data, err := io.ReadAll(in.Reader(ctx))
	if err != nil {
		return in.Explain(err)
	}
	draw, err := read(data, in.Name)
	if err != nil {
		return fmt.Errorf("%s: %w", in.Name, err)
	}
	if err := out.Write(ctx, func(w io.Writer) error { return draw(w, format) }); err != nil {
		return err
	}
	return cli.Commit(out)
}

// bars are values by name, for each of some categories.
type bars struct {
	categories, names []string
	values            map[[2]string]float64 // by category and name; the others are 0
	stacked           bool
	width             vg.Length // of the figure, at least; 0: 18 cm
}

func (b *bars) set(category, name string, value float64) {
	if !slices.Contains(b.categories, category) {
		b.categories = append(b.categories, category)
	}
	if !slices.Contains(b.names, name) {
		b.names = append(b.names, name)
	}
	if b.values == nil {
		b.values = map[[2]string]float64{}
	}
	b.values[[2]string{category, name}] = value
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

// write draws the chart as png, svg or pdf.
func (c *chart) write(w io.Writer, format string) error {
	p, err := c.plot()
	if err != nil {
		return err
	}
	return drawPlot(w, p, 25*vg.Centimeter, format)
}

// drawPlot draws a figure with its legend above, where it hides nothing, as png, svg or pdf. The font is in the file:
// readers need none of their own.
func drawPlot(w io.Writer, p *plot.Plot, width vg.Length, format string) error {
	const gap = 8
	legend, title := p.Legend, p.Title
	legend.Top, legend.Left = true, true
	heading := title.TextStyle.Height(title.Text) + title.Padding
	room := legend.Rectangle(draw.Canvas{}).Size().Y + gap
	height := 12*vg.Centimeter + room
	var canvas vg.CanvasWriterTo = vgsvg.NewWith(vgsvg.UseWH(width, height), vgsvg.EmbedFonts(true))
	if format != "svg" {
		var err error
		if canvas, err = draw.NewFormattedCanvas(width, height, format); err != nil {
			return err
		}
	}
	all := draw.New(canvas)
	all.SetColor(p.BackgroundColor)
	all.Fill(all.Path())
	all.FillText(title.TextStyle, vg.Point{X: all.Center().X, Y: all.Max.Y}, title.Text)
	legend.Draw(draw.Crop(all, gap, 0, 0, -heading))
	p.Legend, p.Title.Text = plot.NewLegend(), "" // which draw nothing
	p.Draw(draw.Crop(all, 0, 0, 0, -heading-room))
	p.Legend, p.Title = legend, title
	_, err := canvas.WriteTo(w)
	return err
}

func (c *chart) plot() (*plot.Plot, error) {
	p := newPlot(c.title, c.x, c.y)
	for i, l := range c.lines {
		if len(l.points) == 0 {
			continue
		}
		curve, points, err := plotter.NewLinePoints(l.points)
		if err != nil {
			return nil, err
		}
		curve.Color, points.Color, points.Shape = plotutil.Color(i), plotutil.Color(i), plotutil.Shape(i)
		p.Add(curve)
		if c.markers {
			p.Add(points)
			p.Legend.Add(l.name, curve, points)
		} else {
			p.Legend.Add(l.name, curve)
		}
	}
	for axis, log := range map[*plot.Axis]bool{&p.X: c.logX, &p.Y: c.logY} {
		if !log {
			continue
		}
		axis.Scale, axis.Tick.Marker = plot.LogScale{}, logTicks{}
		// A decade at least, so that what is level looks level.
		if middle := math.Sqrt(axis.Min * axis.Max); axis.Max < 10*axis.Min {
			axis.Min, axis.Max = middle/math.Sqrt(10), middle*math.Sqrt(10)
		}
	}
	return p, nil
}

// drawLines makes a figure with logarithmic axes; without points there is none.
func drawLines(name, title, x, y string, lines map[string]plotter.XYs) error {
	if len(lines) == 0 {
		return nil
	}
	c := chart{title: title, x: x, y: y, logX: true, logY: true, markers: true}
	for _, name := range slices.Sorted(maps.Keys(lines)) {
		c.lines = append(c.lines, line{name, lines[name]})
	}
	p, err := c.plot()
	if err != nil {
		return err
	}
	return savePlot(p, name, 18*vg.Centimeter)
}

// logTicks labels 1, 2 and 5 of each decade, of many decades 1.
type logTicks struct{}

func (logTicks) Ticks(low, high float64) []plot.Tick {
	var ticks []plot.Tick
	for e := math.Floor(math.Log10(low)); e <= math.Log10(high); e++ {
		for m := 1.0; m < 10; m++ {
			v := m * math.Pow(10, e)
			if v < low*(1-1e-9) || v > high*(1+1e-9) {
				continue
			}
			label := ""
			if m == 1 || (m == 2 || m == 5) && high < 2000*low {
				label = strconv.FormatFloat(v, 'g', 6, 64) // digits up to 500000
			}
			ticks = append(ticks, plot.Tick{Value: v, Label: label})
		}
	}
	return ticks
}

// drawBars makes a figure of bars, next to or on each other; without any there is none.
func drawBars(name, title, y string, b bars) error {
	if len(b.categories) == 0 {
		return nil
	}
	p, width, err := b.plot(title, y)
	if err != nil {
		return err
	}
	return savePlot(p, name, width)
}

// plot makes the figure, and says how wide it should be.
func (b *bars) plot(title, y string) (p *plot.Plot, width vg.Length, err error) {
	p = newPlot(title, "", y)
	plain := cmp.Or(b.width, 18*vg.Centimeter)
	columns := len(b.names)
	if b.stacked {
		columns = 1
	}
	each := max((plain-2*vg.Centimeter)/vg.Length(len(b.categories)), vg.Length(columns+1)*4) // of a category
	thick := min(each/vg.Length(columns+1), 1*vg.Centimeter)
	var below *plotter.BarChart
	floor := b.floor()
	ground, err := plotter.NewBarChart(slices.Repeat(plotter.Values{floor}, len(b.categories)), thick)
	if err != nil {
		return nil, 0, err
	}
	for i, bar := range b.names {
		values := make(plotter.Values, len(b.categories))
		for at, category := range b.categories {
			values[at] = max(b.values[[2]string{category, bar}]-floor, 0)
		}
		chart, err := plotter.NewBarChart(values, thick)
		if err != nil {
			return nil, 0, err
		}
		chart.LineStyle.Width = 0
		if chart.Color = plotutil.Color(i); i >= len(plotutil.SoftColors) {
			chart.Color = plotutil.DarkColors[i%len(plotutil.DarkColors)]
		}
		if !b.stacked {
			chart.StackOn(ground)
			chart.Offset = thick * (vg.Length(i) - vg.Length(columns-1)/2)
		} else if below != nil {
			chart.StackOn(below)
		}
		below = chart
		p.Add(chart)
		p.Legend.Add(bar, chart)
	}
	p.NominalX(b.categories...)
	p.X.Tick.Label.Rotation, p.X.Tick.Label.XAlign, p.X.Tick.Label.YAlign = 0.4, text.XRight, text.YCenter
	p.X.Min, p.X.Max, p.Y.Min = -0.5, float64(len(b.categories))-0.5, floor
	if floor > 0 {
		p.Y.Scale, p.Y.Tick.Marker = plot.LogScale{}, logTicks{}
	}
	return p, max(plain, each*vg.Length(len(b.categories))+2*vg.Centimeter), nil
}

// vanishes is how many times as high as another a bar is beside which that is not seen.
const vanishes = 50

// floor is where bars begin: at 0, or on a logarithmic axis, where one would vanish beside another, at a number with
// a label below the least.
func (b *bars) floor() float64 {
	least, most := math.Inf(1), 0.0
	for _, v := range b.values {
		if v > 0 {
			least, most = min(least, v), max(most, v)
		}
	}
	if b.stacked || most <= vanishes*least {
		return 0
	}
	decade := math.Pow(10, math.Floor(math.Log10(least/1.25)))
	for _, times := range []float64{5, 2} {
		if times*decade <= least/1.25 {
			return times * decade
		}
	}
	return decade
}

func newPlot(title, x, y string) *plot.Plot {
	p := plot.New()
	p.Title.Text, p.X.Label.Text, p.Y.Label.Text = title, x, y
	p.Title.Padding = 8
	p.Add(plotter.NewGrid())
	return p
}

// savePlot writes a PNG, as every result.
func savePlot(p *plot.Plot, name string, width vg.Length) error {
	return cli.SaveFile(name, func(w io.Writer) error { return drawPlot(w, p, width, "png") })
}
