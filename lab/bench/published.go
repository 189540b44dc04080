package bench

import "sync"

// paperFile has what a paper says in numbers. Its plots are not read off: where a figure has
// none in the text, the comparison says what the text says about it.
type paperFile struct {
	Source Source       `json:"source"`
	Name   string       `json:"name"` // in tables
	Tables []paperTable `json:"tables"`
}

// paperTable are numbers of a table or a paragraph, for a figure of Papers. Algorithms have the
// names that they have there.
type paperTable struct {
	Figure string     `json:"figure"`
	Place  string     `json:"place"` // in the paper
	Note   string     `json:"note"`
	Rows   []PaperRow `json:"rows"`   // text, characters, algorithm, and seconds or mb_per_s
	Ratios []ratio    `json:"ratios"` // of times
}

// ratio is how many times as long one algorithm takes as another.
type ratio struct {
	Slow    string `json:"slow"`
	Fast    string `json:"fast"`
	Printed string `json:"printed"` // in the paper
}

var paperFiles = []string{"gpu-ls.json", "wang-baxter-owens-2016.json"}

var published = sync.OnceValues(func() ([]paperFile, error) {
	var list []paperFile
	for _, name := range paperFiles {
		var f paperFile
		if err := readData(name, &f); err != nil {
			return nil, err
		}
		list = append(list, f)
	}
	return list, nil
})

// publishedIn returns what the papers say for a figure; sized is as in figure.
func publishedIn(figure string, sized bool) (rows []PaperRow, ratios []ratio, err error) {
	files, err := published()
	if err != nil {
		return nil, nil, err
	}
	for _, f := range files {
		for _, t := range f.Tables {
			if t.Figure != figure {
				continue
			}
			ratios = append(ratios, t.Ratios...)
			for _, r := range t.Rows {
				r.Paper = f.Name + ", " + t.Place + ": " + f.Source.Machine
				if r.Seconds > 0 {
					r = r.rated()
				}
				if sized {
					r.X = r.Characters
				}
				rows = append(rows, r)
			}
		}
	}
	return rows, ratios, nil
}
