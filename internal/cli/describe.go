package cli

import (
	"encoding/json"

	"github.com/spf13/cobra"
)

// Accepted is what a verb reads: an argument of its usage line, or the value of a flag.
type Accepted struct {
	Name  string   `json:"name"` // of the argument, or that of the flag after "--"
	Kinds []string `json:"kinds"`
	// Word says that it is no file.
	Word bool `json:"word"`
}

// Reads is an input of a file of one of some kinds.
func Reads(name string, kinds ...string) Accepted { return Accepted{Name: name, Kinds: kinds} }

// Takes is an input that is a word, and no file.
func Takes(name, kind string) Accepted {
	return Accepted{Name: name, Kinds: []string{kind}, Word: true}
}

// Produced is what a verb writes.
type Produced struct {
	Name    string   `json:"name"` // as of inputs, or "standard output"
	Formats []string `json:"formats"`
}

// Stdout is an output that has no flag.
const Stdout = "standard output"

// Writes is an output in one of some formats.
func Writes(name string, formats ...string) Produced { return Produced{Name: name, Formats: formats} }

// Description is what a verb tells of itself that its flags and its usage line do not.
type Description struct {
	Inputs  []Accepted `json:"inputs"`
	Outputs []Produced `json:"outputs"`
	// Device says that the verb computes on one, Planned that plan knows the verb, Prepared that prepare does.
	Device   bool `json:"device"`
	Planned  bool `json:"planned"`
	Prepared bool `json:"prepared"`
	// Ranges says that the verb sorts in ranges what does not fit in one piece, Ranks that it runs under MPI.
	Ranges bool `json:"ranges"`
	Ranks  bool `json:"ranks"`
}

// descriptions is the annotation that has a description.
const descriptions = "suffixcl_description"

// Describe lets a verb describe itself.
func Describe(c *cobra.Command, d Description) {
	data, err := json.Marshal(d)
	if err != nil {
		return // strings and lists have no errors
	}
	annotations := map[string]string{descriptions: string(data)}
	for name, value := range c.Annotations { // which may be those of other verbs, too
		if name != descriptions {
			annotations[name] = value
		}
	}
	c.Annotations = annotations
}

// DescriptionOf is what a verb tells of itself; ok is false where it does not.
func DescriptionOf(c *cobra.Command) (d Description, ok bool) {
	data, ok := c.Annotations[descriptions]
	return d, ok && json.Unmarshal([]byte(data), &d) == nil
}
