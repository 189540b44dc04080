package runner

import (
	"fmt"
	"math"
)

// chart is rows of marks on an axis, grouped by subject.
type chart struct {
	Title, Note string
	Dots        bool // marks are dots on a logarithmic axis, else bars from 0
	Steps       int  // between the ticks
	Ticks       []tick
	Groups      []group
}

// tick is a place on the axis, in percent.
type tick struct {
	At   float64
	Text string
}

type group struct {
	Name  string
	Marks []mark
}

type mark struct {
	*section
	At   float64 // in percent of the axis
	Text string
}

// charts are those of what the runs have measured: throughput for each kind of subjects, and
// the shares of each device's own bandwidth.
func charts(runs []section) []chart {
	var list []chart
	for _, kind := range kinds {
		c := chart{Title: "Throughput of " + kind + "s", Note: "logarithmic axis", Dots: true}
		slowest, fastest := math.Inf(1), 0.0
		c.Groups = groups(runs, kind, func(_ *section, s *Speed) (float64, string) {
			slowest, fastest = min(slowest, s.PerSecond), max(fastest, s.PerSecond)
			return s.PerSecond, engineering(s.PerSecond) + "/s"
		})
		if fastest == 0 {
			continue
		}
		low, high := math.Floor(math.Log10(slowest)), math.Ceil(math.Log10(fastest))
		high = max(high, low+1)
		c.Steps = int(high - low)
		for e := low; e <= high; e++ {
			c.Ticks = append(c.Ticks, tick{100 * (e - low) / (high - low), engineering(math.Pow(10, e))})
		}
		for _, g := range c.Groups {
			for i := range g.Marks {
				g.Marks[i].At = 100 * (math.Log10(g.Marks[i].At) - low) / (high - low)
			}
		}
		list = append(list, c)
	}
	for _, kind := range kinds {
		c := chart{Title: "Share of the copy's bandwidth: " + kind + "s", Steps: 4,
			Note: "bytes that the job has to move at least, a second, over those of a plain copy on the same device"}
		largest := 0.0
		c.Groups = groups(runs, kind, func(r *section, s *Speed) (float64, string) {
			bandwidth := r.Summary.CopyGBps()
			if bandwidth == 0 || s.GBps == 0 {
				return 0, ""
			}
			share := 100 * s.GBps / bandwidth
			largest = max(largest, share)
			if share < 0.01 {
				return share, "< 0.01 %"
			}
			return share, fmt.Sprintf("%.3g %%", share)
		})
		if largest == 0 {
			continue
		}
		end := largest // more than 100 % comes from caches
		for _, e := range []float64{1000, 400, 200, 100, 40, 20, 10, 4, 2, 1} {
			if largest <= e {
				end = e
			}
		}
		for i := range c.Steps + 1 {
			at := float64(i) / float64(c.Steps)
			c.Ticks = append(c.Ticks, tick{100 * at, fmt.Sprintf("%.3g %%", end*at)})
		}
		for _, g := range c.Groups {
			for i := range g.Marks {
				g.Marks[i].At *= 100 / end
			}
		}
		list = append(list, c)
	}
	return list
}

// groups collects what was measured of a kind.
func groups(runs []section, kind string, value func(*section, *Speed) (float64, string)) []group {
	var list []group
	index := map[string]int{}
	for i := range runs {
		for _, c := range runs[i].Summary.Measured() {
			if c.Kind != kind {
				continue
			}
			at, text := value(&runs[i], c.Speed)
			if text == "" {
				continue
			}
			name := c.Subject
			if kind == "application" && c.Speed.Unit != "characters" {
				name += ", " + c.Speed.Unit
			}
			g, ok := index[name]
			if !ok {
				g = len(list)
				index[name] = g
				list = append(list, group{Name: name})
			}
			list[g].Marks = append(list[g].Marks, mark{&runs[i], at, text})
		}
	}
	return list
}

// engineering is a number of three digits with the prefix of its size.
func engineering(v float64) string {
	prefixes := []string{"", "k", "M", "G", "T", "P"}
	i := 0
	for v >= 999.5 && i < len(prefixes)-1 {
		v, i = v/1000, i+1
	}
	text := fmt.Sprintf("%.3g", v)
	return text + " " + prefixes[i]
}
