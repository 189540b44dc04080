package bench

import (
	"bytes"
	"embed"
	"encoding/json"
	"fmt"
)

// data are measurements: a file for each paper and each library, and one for the chart of the README. Each has its
// source.
//
//go:embed data/*.json
var data embed.FS

// Source says where numbers come from: who measured what, on which machine and when.
type Source struct {
	Title      string `json:"title"`
	Reference  string `json:"reference"`
	MeasuredBy string `json:"measured_by"`
	Machine    string `json:"machine"`
	Software   string `json:"software"`
	Method     string `json:"method"`
	Date       string `json:"date"`
}

// readData decodes a file of data. Fields that the type does not have are errors.
func readData(name string, into any) error {
	text, err := data.ReadFile("data/" + name)
	if err != nil {
		return err
	}
	d := json.NewDecoder(bytes.NewReader(text))
	d.DisallowUnknownFields()
	if err := d.Decode(into); err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	return nil
}
