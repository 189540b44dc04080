package bench

import "github.com/suffixcl/suffixcl"

// What the papers say in numbers. Their plots are not read off: where a figure has none
// in the text, the comparison says what the text says about it.

const (
	onM2090 = "GPU-LS, Table 3: Tesla M2090, Xeon E5-2650"
	onK20c  = "Wang, Baxter & Owens, section 5: Tesla K20c, Xeon E5-2637 v2"
	withBWT = "Wang, Baxter & Owens, Table III: Tesla K20c"
)

const (
	libdivsufsort = "libdivsufsort"
	hybridBWT     = "hybrid, and the BWT"
)

// published makes rows of times; libdivsufsort is the CPU's.
func published(on, text string, characters int, seconds map[string]float64) []PaperRow {
	var rows []PaperRow
	for _, name := range []string{suffixcl.GPULS, suffixcl.DeoKeely, suffixcl.Skew, suffixcl.Hybrid, libdivsufsort} {
		if t, ok := seconds[name]; ok {
			rows = append(rows, PaperRow{Text: text, Characters: characters, Algorithm: name, Seconds: t, Paper: on}.rated())
		}
	}
	return rows
}

// table3 are the times of GPU-LS's Table 3; the lengths are those of its Table 2.
func table3() []PaperRow {
	var rows []PaperRow
	for _, t := range []struct {
		text             string
		characters       int
		ls, skew, divsuf float64
	}{
		{"chr22.dna", 34_553_758, 0.665, 1.580, 3.433},
		{"howto", 39_422_105, 0.750, 1.786, 3.650},
		{"etext99", 105_277_340, 2.033, 5.052, 13.430},
		{"rfc", 116_421_901, 2.607, 5.561, 11.520},
		{"sprot34.dat", 109_617_186, 2.562, 5.257, 12.040},
	} {
		rows = append(rows, published(onM2090, t.text, t.characters, map[string]float64{suffixcl.GPULS: t.ls, suffixcl.DeoKeely: t.skew, libdivsufsort: t.divsuf})...)
	}
	return rows
}

// transforms are the rates of Wang, Baxter & Owens' Table III, which the sorter alone
// cannot be below.
func transforms() []PaperRow {
	return []PaperRow{
		{Text: "enwik8", Characters: 100_000_000, Algorithm: hybridBWT, MBps: 132.5, Paper: withBWT},
		{Text: "chr22.dna", Characters: 34_553_758, Algorithm: hybridBWT, MBps: 116.4, Paper: withBWT},
	}
}

// allEqual are the times that Wang, Baxter & Owens give for 10 MB of 'A'.
func allEqual() []PaperRow {
	rows := published(onK20c, sameText, 10_000_000, map[string]float64{suffixcl.Skew: 0.224, suffixcl.Hybrid: 0.196, libdivsufsort: 0.040})
	for i := range rows {
		rows[i].X = rows[i].Characters
	}
	return rows
}
