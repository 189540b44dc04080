package cli

import "io"

// wholeText gives the text of a file that is closed.
type wholeText struct {
	text []byte
	at   int
}

func (w *wholeText) Read(p []byte) (int, error) {
	if w.at == len(w.text) {
		return 0, io.EOF
	}
	n := copy(p, w.text[w.at:])
	w.at += n
	return n, nil
}

// take gives the text where it is; nil where some was given.
func (w *wholeText) take() []byte {
	if w.at > 0 {
		return nil
	}
	w.at = len(w.text)
	return w.text
}
