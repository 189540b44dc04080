package cli

import "time"

// Stages are the seconds of the parts of a verb. Total is the wall clock time from the start of the verb.
type Stages struct {
	Open     float64 `json:"open"` // device and kernels
	Read     float64 `json:"read"`
	Compile  float64 `json:"compile"` // or waiting for it; a part of others
	Upload   float64 `json:"upload"`
	Compute  float64 `json:"compute"`
	Download float64 `json:"download"`
	Write    float64 `json:"write"`
	Total    float64 `json:"total"`
}

// Stage is a part of the wall clock.
type Stage struct {
	Name    string
	Seconds float64
}

// RestStage is what no other stage tells of: the start of the process, plans, what the host computes.
const RestStage = "rest"

// Parts divide the total, in the order of the stages, with the rest at the end; those that took no time are left out.
// Some stages overlap: programs are compiled while others go on, and some verbs compute while they write. So none takes
// more than the ones before it have left.
func (s Stages) Parts() (list []Stage) {
	rest := s.Total
	for _, part := range []Stage{
		{"open", s.Open}, {"read", s.Read}, {"compile", s.Compile}, {"upload", s.Upload},
		{"compute", s.Compute - s.Compile}, {"download", s.Download}, {"write", s.Write}, {RestStage, rest},
	} {
		if part.Seconds = min(part.Seconds, rest); part.Seconds > 0 {
			list = append(list, part)
			rest -= part.Seconds
		}
	}
	return list
}

// Bound is the longest part: what to look at first.
func (s Stages) Bound() (longest Stage) {
	for _, part := range s.Parts() {
		if part.Seconds > longest.Seconds {
			longest = part
		}
	}
	return longest
}

// OnDevice is the time of the device and of the transfers to and from it.
func (s Stages) OnDevice() (all float64) {
	for _, part := range s.Parts() {
		switch part.Name {
		case "upload", "compute", "download":
			all += part.Seconds
		}
	}
	return all
}

// Timed adds the time of f to that of a stage.
func Timed(seconds *float64, f func() error) error {
	start := time.Now()
	err := f()
	*seconds += time.Since(start).Seconds()
	return err
}
