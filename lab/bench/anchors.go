package bench

import (
	"strings"
	"sync"
)

// Jobs of sorting.
const (
	JobSA  = "sa"
	JobBWT = "bwt"
)

// anchorFile has the rates that `bench sort` compares with its own.
type anchorFile struct {
	Source   Source            `json:"source"`
	Device   string            `json:"device"`   // part of its name: elsewhere the rates say nothing
	Programs map[string]string `json:"programs"` // by job
	Unit     string            `json:"unit"`
	Rates    []anchor          `json:"rates"`
}

// anchor are the rates for a text in 10^6 bytes a second: text and result in device memory, and
// copied from and to pinned host memory. 0 is not measured.
type anchor struct {
	Text      string  `json:"text"`
	Bytes     int     `json:"bytes"`
	SA        float64 `json:"sa"`
	SAPinned  float64 `json:"sa_pinned"`
	BWT       float64 `json:"bwt"`
	BWTPinned float64 `json:"bwt_pinned"`
}

const anchorsFile = "libcubwt-h200.json"

// anchors are the rates of libcubwt.
var anchors = sync.OnceValues(func() (*anchorFile, error) {
	f := new(anchorFile)
	return f, readData(anchorsFile, f)
})

// rate is that for a text by its name and length, in 10^9 bytes a second, and the program; 0 if
// there is none for the device.
func (f *anchorFile) rate(device, text string, bytes int, job string, endToEnd bool) (gbps float64, program string) {
	if !strings.Contains(device, f.Device) {
		return 0, ""
	}
	for _, a := range f.Rates {
		if a.Text != text || a.Bytes != bytes {
			continue
		}
		rates := map[string][2]float64{JobSA: {a.SA, a.SAPinned}, JobBWT: {a.BWT, a.BWTPinned}}[job]
		gbps = rates[0] / 1e3
		if endToEnd {
			gbps = rates[1] / 1e3
		}
		if gbps > 0 {
			return gbps, f.Programs[job]
		}
	}
	return 0, ""
}
