package bench

import (
	"cmp"
	"math"
	"slices"
)

// speedFile has the rates of docs/benchmarks.md that the chart of the README shows.
type speedFile struct {
	Source Source       `json:"source"`
	Rates  []speedRates `json:"rates"`
}

type speedRates struct {
	Text string  `json:"text"`
	GPU  float64 `json:"gpu_gbps"` // suffixcl on the H200, 10^9 bytes a second
	CPU  float64 `json:"cpu_mbps"` // suffixcl with PoCL, 10^6 bytes a second
	Go   float64 `json:"go_mbps"`  // index/suffixarray on one core, 10^6 bytes a second
}

const speedsFile = "speed.json"

// SpeedPrograms are the programs whose rates Speeds returns.
var SpeedPrograms = [...]string{
	"suffixcl, H200",
	"libcubwt 1.0.0, H200",
	"suffixcl, PoCL on 2 CPU cores",
	"Go index/suffixarray, 1 CPU core",
}

// SpeedMean is the name of the geometric means among Speeds.
const SpeedMean = "geometric mean"

// Speed are the rates of suffix arrays for a text, of each of SpeedPrograms, in 10^9 bytes a second.
type Speed struct {
	Text string
	GBps [len(SpeedPrograms)]float64
}

// Speeds are the geometric means, then the texts by falling rate of the first program.
func Speeds() ([]Speed, error) {
	var f speedFile
	if err := readData(speedsFile, &f); err != nil {
		return nil, err
	}
	libcubwt, err := anchors()
	if err != nil {
		return nil, err
	}
	var speeds []Speed
	for _, r := range f.Rates {
		s := Speed{r.Text, [...]float64{r.GPU, 0, r.CPU / 1e3, r.Go / 1e3}}
		for _, a := range libcubwt.Rates {
			if a.Text == r.Text {
				s.GBps[1] = a.SA / 1e3
			}
		}
		speeds = append(speeds, s)
	}
	slices.SortStableFunc(speeds, func(a, b Speed) int { return cmp.Compare(b.GBps[0], a.GBps[0]) })
	return slices.Insert(speeds, 0, meanSpeed(speeds)), nil
}

func meanSpeed(speeds []Speed) Speed {
	mean := Speed{Text: SpeedMean}
	for p := range mean.GBps {
		sum := 0.0
		for _, s := range speeds {
			sum += math.Log(s.GBps[p])
		}
		mean.GBps[p] = math.Exp(sum / float64(len(speeds)))
	}
	return mean
}
