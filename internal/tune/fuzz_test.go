package tune

import (
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/require"
)

// FuzzFile: whatever a tuning file holds, it is refused or kept as it is by writing and
// reading it again; and what it says of a device gives a set that passes the checks.
func FuzzFile(f *testing.F) {
	f.Add([]byte(`{"version":1,"devices":[{"device":"d","driver":"1","kind":"gpu","parameters":{"Scan.WG":128}}]}`))
	f.Add([]byte(`{"version":1,"devices":[{"device":"d","driver":"1","kind":"cpu","from":"x",` +
		`"parameters":{"Scan.WG":0,"No.Such":-1}}]}`))
	f.Add([]byte(`{"version":2}`))
	f.Add([]byte(`{"version":1,"devices":null}`))
	f.Add([]byte(`[]`))
	f.Add([]byte(``))
	f.Fuzz(func(t *testing.T, data []byte) {
		var first, second File
		if first.decode(data) != nil {
			return
		}
		again, err := json.Marshal(&first)
		require.NoError(t, err)
		require.NoError(t, second.decode(again))
		for _, e := range first.Devices {
			d := Device{CPU: e.Kind == "cpu"}
			set := For(Key{Device: e.Device, Kind: e.Kind})
			if e.Apply(&set, d) == nil {
				require.NoError(t, set.Check(d))
			}
		}
	})
}
