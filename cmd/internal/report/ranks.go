package report

// Ranks is what JSON has of the ranks.
type Ranks struct {
	Count         int         `json:"count"`
	Library       string      `json:"library"`
	BytesSent     []int64     `json:"bytes_sent"`
	BytesReceived []int64     `json:"bytes_received"`
	Device        []int64     `json:"device_bytes"`
	Resident      []int64     `json:"resident_bytes"`
	Planned       []int64     `json:"planned_bytes"`
	Sort          []float64   `json:"sort_seconds"`
	Communication []float64   `json:"communication_seconds"`
	LargestShare  int64       `json:"largest_share"`
	SmallestShare int64       `json:"smallest_share"`
	Phases        []RankPhase `json:"phases"`
}

// RankPhase is a phase of rank 0.
type RankPhase struct {
	Phase   string  `json:"phase"`
	Seconds float64 `json:"seconds"`
}
