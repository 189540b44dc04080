package cli

import (
	"bytes"
	"encoding/json"
	"testing"
	"unicode"
	"unicode/utf8"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestHarmless(t *testing.T) {
	for text, want := range map[string]string{
		"":                                      "",
		"plain, ASCII~\n\t":                     "plain, ASCII~\n\t",
		"übergrößé 基因組 🧬":                       "übergrößé 基因組 🧬",
		"\x1b[31mred\x7f\r\a\x00":               `\x1b[31mred\x7f\x0d\x07\x00`,
		"C1 \u009b31m \u0085":                   `C1 \u009b31m \u0085`,
		"bare \x9b31m \xff\xc2":                 `bare \x9b31m \xff\xc2`,
		"\u202egpj.exe\u2066\u200f\u061c\u2028": `\u202egpj.exe\u2066\u200f\u061c\u2028`,
		"\uFFFD":                                "\uFFFD",
	} {
		assert.Equal(t, want, Harmless(text))
		for cut := range len(text) + 1 { // in two writes
			var out bytes.Buffer
			w := &harmlessWriter{w: &out}
			for _, part := range []string{text[:cut], text[cut:]} {
				n, err := w.Write([]byte(part))
				require.NoError(t, err)
				require.Equal(t, len(part), n)
			}
			require.NoError(t, w.flush())
			require.Equal(t, want, out.String(), "%q at %d", text, cut)
		}
	}
	for r := rune(0); r <= unicode.MaxRune; r++ {
		shown := Harmless(string(r))
		if unicode.IsControl(r) && r != '\n' && r != '\t' || unicode.Is(unicode.Bidi_Control, r) {
			require.NotContains(t, shown, string(r), "%U", r)
			require.True(t, len(shown) > 3 && shown[0] == '\\', "%U: %s", r, shown)
		} else if utf8.ValidRune(r) && !unicode.In(r, unicode.Zl, unicode.Zp) {
			require.Equal(t, string(r), shown, "%U", r)
		}
	}
}

// JSON means the same, and has no such characters.
func TestHarmlessJSON(t *testing.T) {
	names := []string{"a\u009bb", "\x1b[0m", "\u202e", "\x7f", "é \u2028"}
	var out bytes.Buffer
	require.NoError(t, PrintJSON(&out, names))
	assert.Equal(t, Harmless(out.String()), out.String())
	var got []string
	require.NoError(t, json.Unmarshal(out.Bytes(), &got))
	assert.Equal(t, names, got)
}
