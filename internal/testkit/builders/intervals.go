package builders

import (
	"github.com/suffixcl/suffixcl"
	"github.com/suffixcl/suffixcl/internal/testkit/jobsuites"
)

// Intervals are those of a result as the suite has them; none of nil.
func Intervals(r *suffixcl.Intervals) []jobsuites.Interval {
	list := []jobsuites.Interval{}
	if r == nil {
		return list
	}
	for _, i := range r.All() {
		list = append(list, jobsuites.Interval(i))
	}
	return list
}

// scoreNames are those of the suite.
var scoreNames = []string{suffixcl.ByCount: "count", suffixcl.ByDepth: "depth", suffixcl.ByArea: "area"}

// IntervalQuery is what options ask for, for the suite.
func IntervalQuery(o suffixcl.IntervalOptions) jobsuites.IntervalQuery {
	return jobsuites.IntervalQuery{MinDepth: uint32(o.MinDepth), MaxDepth: uint32(o.MaxDepth),
		MinCount: uint32(o.MinCount), MaxCount: uint32(o.MaxCount), MinDocuments: uint32(o.MinDocuments),
		MaxDocuments: uint32(o.MaxDocuments), LeastEach: uint32(o.LeastEach), MostEach: uint32(o.MostEach),
		LeftMaximal: o.LeftMaximal, Supermaximal: o.Supermaximal, Best: o.Best, By: scoreNames[o.By]}
}

// IntervalOptions ask for what the suite asks for.
func IntervalOptions(q jobsuites.IntervalQuery) suffixcl.IntervalOptions {
	o := suffixcl.IntervalOptions{MinDepth: int(q.MinDepth), MaxDepth: int(q.MaxDepth), MinCount: int(q.MinCount),
		MaxCount: int(q.MaxCount), MinDocuments: int(q.MinDocuments), MaxDocuments: int(q.MaxDocuments),
		LeastEach: int(q.LeastEach), MostEach: int(q.MostEach), LeftMaximal: q.LeftMaximal, Supermaximal: q.Supermaximal,
		Best: q.Best}
	for by, name := range scoreNames {
		if name == q.By {
			o.By = suffixcl.IntervalScore(by)
		}
	}
	return o
}
