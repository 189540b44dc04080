package bench

import (
	"bytes"
	"context"
	"encoding/binary"
	"index/suffixarray"
	"time"

	"github.com/suffixcl/suffixcl/device"
	"github.com/suffixcl/suffixcl/distributed"
	"github.com/suffixcl/suffixcl/internal/testkit/synthetic"
	"github.com/suffixcl/suffixcl/internal/tuned"
)

// RankText is an input like one of pSFFX's tables.
type RankText struct {
	Name string // in the tables
	synthetic.Text
}

// RankTexts are the inputs of pSFFX: four texts of a benchmark suite, and random letters.
func RankTexts() ([]RankText, error) {
	rows, err := rankRows()
	var list []RankText
	for _, r := range rows {
		if r.Algorithm != string(SAIS) {
			continue
		}
		kind, ok := map[string]string{"trigrams": "trigrams", "wikisamp": "markup", "chr22.dna": "genome",
			"etext": "trigrams"}[r.Text]
		if !ok {
			kind = "letters"
		}
		list = append(list, RankText{r.Text, synthetic.Text{Name: r.Text, Kind: kind, Len: r.Characters}})
	}
	return list, err
}

// SAIS is the algorithm on one core: Go's index/suffixarray here, Yuta Mori's in the report.
const SAIS distributed.Algorithm = "sa-is"

const psffxFile = "psffx.json"

// rankRows are the published times; X is the number of nodes.
func rankRows() ([]PaperRow, error) {
	var f paperFile
	if err := readData(psffxFile, &f); err != nil {
		return nil, err
	}
	var rows []PaperRow
	for _, t := range f.Tables {
		for _, r := range t.Rows {
			r.Paper = f.Name + ", " + t.Place + ": " + f.Source.Machine
			rows = append(rows, r.rated())
		}
	}
	return rows, nil
}

// PublishedRanks is the published time of an algorithm on so many nodes, in seconds; 0: there is none.
func PublishedRanks(text string, algorithm distributed.Algorithm, nodes int) float64 {
	rows, err := rankRows()
	if err != nil {
		return 0
	}
	for _, r := range rows {
		if r.Text == text && r.Algorithm == string(algorithm) && (r.X == nodes || algorithm == SAIS) {
			return r.Seconds
		}
	}
	return 0
}

// RankRun is a suffix array over ranks: the best of several runs, text and result in the memory of the ranks. Seconds
// are those of the slowest rank. Shares are means over the ranks.
type RankRun struct {
	Text          string                `json:"text"`
	Characters    int                   `json:"characters"`
	Algorithm     distributed.Algorithm `json:"algorithm"`
	Distributed   bool                  `json:"distributed"` // no rank sorts for the others
	Ranks         int                   `json:"ranks"`
	OneRank       float64               `json:"one_rank_seconds,omitempty"` // if that was measured before
	Seconds       float64               `json:"seconds,omitempty"`
	SAIS          float64               `json:"sa_is_seconds,omitempty"`     // on one core
	Communication float64               `json:"communication_share"`         // and waiting for others
	Sort          float64               `json:"sort_share"`                  // on the device
	Phases        []RankPhase           `json:"phases,omitempty"`            // of rank 0
	BytesSent     int64                 `json:"bytes_sent"`                  // by all
	DeviceBytes   int64                 `json:"device_bytes"`                // of the rank that took most
	Published     float64               `json:"published_seconds,omitempty"` // on as many nodes
	PublishedSAIS float64               `json:"published_sa_is,omitempty"`
	Problem       string                `json:"problem,omitempty"` // why there is no time
}

// RankPhase is the share of a phase in the time.
type RankPhase struct {
	Phase string  `json:"phase"`
	Share float64 `json:"share"`
}

// rankTimes is what a rank tells the others of a run.
type rankTimes struct {
	Total, Communication, Sort, Sent, Device int64
}

// Ranks sorts a text over the ranks of a communicator so many times, after one that is not timed and whose result is
// verified. All ranks call it, each with the whole text, and all get the run. Errors: those of distributed.Builder.
func Ranks(
	ctx context.Context, c distributed.Communicator, s *device.Session, text []byte, o distributed.Options, runs int,
) (RankRun, error) {
	best := RankRun{Characters: len(text), Algorithm: o.Algorithm, Ranks: c.Size()}
	from, to := distributed.Bounds(uint64(len(text)), c.Size(), c.Rank())
	block := text[from:to]
	b := distributed.New(c, s, o)
	sa, err := b.SuffixArray(ctx, block)
	if err != nil {
		return best, err
	}
	if err := b.Verify(ctx, block, sa); err != nil {
		return best, err
	}
	for range runs {
		if err := b.Agree(ctx, nil); err != nil { // all begin together
			return best, err
		}
		tuned.ResetPeak(s)
		if err := b.SuffixArrayInto(ctx, block, sa); err != nil {
			return best, err
		}
		st := b.Stats()
		all, err := gathered(ctx, c, rankTimes{
			int64(st.Total), int64(st.Communication), int64(st.Sort), st.BytesSent, tuned.PeakBytes(s),
		})
		if err != nil {
			return best, err
		}
		var sum, most rankTimes
		for _, t := range all {
			sum.Total, sum.Communication, sum.Sort = sum.Total+t.Total, sum.Communication+t.Communication, sum.Sort+t.Sort
			sum.Sent, most.Device, most.Total = sum.Sent+t.Sent, max(most.Device, t.Device), max(most.Total, t.Total)
		}
		seconds := time.Duration(most.Total).Seconds()
		if best.Seconds > 0 && seconds >= best.Seconds {
			continue
		}
		best.Seconds, best.BytesSent, best.DeviceBytes = seconds, sum.Sent, most.Device
		best.Communication = float64(sum.Communication) / float64(sum.Total)
		best.Sort = float64(sum.Sort) / float64(sum.Total)
		best.Phases = nil
		for _, p := range st.Phases {
			best.Phases = append(best.Phases, RankPhase{p.Phase, p.Time.Seconds() / st.Total.Seconds()})
		}
	}
	return best, nil
}

// gathered has what each rank gave.
func gathered(ctx context.Context, c distributed.Communicator, mine rankTimes) ([]rankTimes, error) {
	var out bytes.Buffer
	if err := binary.Write(&out, binary.LittleEndian, mine); err != nil {
		return nil, err
	}
	counts := make([]int, c.Size())
	for i := range counts {
		counts[i] = out.Len()
	}
	in := make([]byte, out.Len()*c.Size())
	if err := c.Allgatherv(ctx, out.Bytes(), in, counts); err != nil {
		return nil, err
	}
	all := make([]rankTimes, c.Size())
	return all, binary.Read(bytes.NewReader(in), binary.LittleEndian, all)
}

// OneCore is the best time of index/suffixarray for a text, of so many runs.
func OneCore(text []byte, runs int) float64 {
	times, _ := timedRuns(runs, func(*digester) error {
		suffixarray.New(text)
		return nil
	}, nil)
	return times[0]
}
