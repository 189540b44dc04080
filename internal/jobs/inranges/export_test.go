package inranges

import (
	"time"
)

// TimeOf is the time of a text that is so many times as long as the longer of two, by whose times it is estimated.
func TimeOf(short, long time.Duration, longer, by float64) time.Duration {
	least := rangesTime{ranges: long}
	return least.scale(by, fixedOf(rangesTime{ranges: short}, least, longer)).total()
}
