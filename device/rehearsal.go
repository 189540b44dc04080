package device

import (
	"iter"
	"regexp"
	"strings"

	"github.com/suffixcl/suffixcl/internal/driver"
)

// rehearses tells whether helpers launch kernels: where a work-group is a work-item. Barriers after a return, which
// PoCL does not like, are nothing then.
func (c *Caps) rehearses() bool { return c.Vendor == driver.PoCL && c.CPUShape }

// rehearsable is where a text begins a kernel, after the name of its attribute.
var rehearsable = regexp.MustCompile(`^\(\w+\) (\w+)\((?:[^(){}]|\([^(){}]*\))*\)\s*\{`)

const kernelAttribute = "KERNEL_WG"

// kernelsOf goes through the kernels of a text: their names, and where their bodies begin. Most lines begin no kernel,
// and need no regular expression.
func kernelsOf(text string) iter.Seq2[string, int] {
	return func(yield func(string, int) bool) {
		for i := 0; ; {
			next := strings.Index(text[i:], kernelAttribute)
			if next < 0 {
				return
			}
			start := i + next
			i = start + len(kernelAttribute)
			if start > 0 && text[start-1] != '\n' {
				continue
			}
			at := rehearsable.FindStringSubmatchIndex(text[i:])
			if at == nil {
				continue
			}
			name := text[i+at[2] : i+at[3]]
			if i += at[1]; !yield(name, i) {
				return
			}
		}
	}
}

// withRehearsal returns a text whose kernels end at once if they are launched in three dimensions. PoCL compiles a
// kernel when it is launched, and not otherwise: so a helper can have it done. It has nothing to do with the result of
// other launches, which have one dimension.
func withRehearsal(text string) string {
	var b strings.Builder
	from := 0
	for _, body := range kernelsOf(text) {
		b.WriteString(text[from:body])
		b.WriteString(" " + rehearsal)
		from = body
	}
	b.WriteString(text[from:])
	return b.String()
}

const rehearsal = "if (get_work_dim() == 3) return;"

// rehearsed tells which of the kernels of a text end at once.
func rehearsed(text string) (names []string) {
	for name, body := range kernelsOf(text) {
		if strings.HasPrefix(text[body:], " "+rehearsal) {
			names = append(names, name)
		}
	}
	return names
}
