package bench

import "strings"

// Jobs of sorting.
const (
	JobSA  = "sa"
	JobBWT = "bwt"
)

// anchorOf is what a job is put beside: 1.0.0 was the last libcubwt to return a suffix array.
var anchorOf = map[string]string{JobSA: "libcubwt 1.0.0", JobBWT: "libcubwt 1.6.3"}

// anchor are rates of libcubwt on an H200 (driver 580, CUDA 13.0, host of 16 cores), best of
// 5, in 10^6 bytes of text a second: text and result in device memory, and copied from and to
// pinned host memory. 0: it did not finish within 40 s, or was not run.
type anchor struct {
	bytes                        int
	sa, saPinned, bwt, bwtPinned float64
}

var anchors = map[string]anchor{
	"E.coli":                  {4_638_690, 1803.9, 1463.3, 2030.1, 1896.5},
	"abac":                    {200_000, 40.0, 39.9, 49.3, 49.5},
	"bible.txt":               {4_047_392, 2474.4, 1891.3, 2763.9, 2545.2},
	"celegans.50MB.dna":       {50_000_000, 2143.2, 1575.5, 2479.8, 2285.3},
	"coreutils.13rel":         {75_869_872, 795.7, 702.0, 1127.8, 1085.1},
	"coreutils.texi.100rev":   {54_264_890, 664.0, 597.5, 917.0, 888.4},
	"english.20MB":            {20_971_520, 2422.8, 1815.7, 3003.4, 2721.8},
	"fib_s14930352":           {14_930_352, 219.4, 211.6, 319.8, 316.6},
	"fss9":                    {2_851_443, 333.6, 319.3, 415.6, 409.1},
	"guide.ldp.xml":           {16_991_573, 1556.8, 1251.2, 1918.0, 1800.0},
	"linux.16MB":              {16_777_216, 1571.4, 1302.0, 2027.7, 1891.8},
	"nci":                     {33_553_445, 527.2, 484.4, 758.5, 738.3},
	"paper5x80":               {956_322, 639.6, 590.3, 667.9, 653.6},
	"proteins":                {12_736_350, 1830.5, 1456.7, 2321.1, 2145.4},
	"sarscov2.fa":             {12_475_184, 303.5, 288.5, 399.1, 393.7},
	"scerevisiae.7strain.dna": {83_409_131, 1141.7, 955.9, 1568.4, 1486.0},
	"syn.fibonacci.64M":       {67_108_864, 209.4, 202.3, 311.7, 308.3},
	"syn.genome.256M":         {268_435_456, 2888.6, 1944.3, 3131.8, 2824.6},
	"syn.period2.64M":         {67_108_864, 0, 0, 32.4, 32.3},
	"syn.random.byte.256M":    {268_435_456, 9057.6, 3572.3, 8240.3, 6395.3},
	"syn.random.dna.256M":     {268_435_456, 4076.3, 2416.0, 3820.9, 3369.4},
	"syn.thue_morse.64M":      {67_108_864, 270.8, 259.0, 377.5, 372.7},
	"test1":                   {2_097_152, 751.7, 679.3, 782.6, 764.2},
	"test2":                   {2_097_152, 761.0, 686.2, 784.2, 766.3},
	"test3":                   {2_097_088, 824.8, 741.5, 919.2, 908.1},
	"world192.txt":            {2_473_400, 1737.2, 1425.2, 1866.6, 1777.1},
}

// anchored is libcubwt's rate in 10^9 bytes a second for a text by its name and length, 0 if
// there is none for the device.
func anchored(device, text string, bytes int, job string, endToEnd bool) float64 {
	a := anchors[text]
	if a.bytes != bytes || !strings.Contains(device, "H200") {
		return 0
	}
	rate := map[string][2]float64{JobSA: {a.sa, a.saPinned}, JobBWT: {a.bwt, a.bwtPinned}}[job]
	if endToEnd {
		return rate[1] / 1e3
	}
	return rate[0] / 1e3
}
