package gate

import (
	"bytes"
	"context"
	"encoding/binary"
	"fmt"
	"slices"

	"github.com/suffixcl/suffixcl/internal/sdsl"
)

// infiniGramFiles are those of a document in the file "text", by definition.
func infiniGramFiles(document []byte) (map[string][]byte, error) {
	text := append(append([]byte{0xff}, document...), 0xfa)
	n := len(text)
	var sa []int
	for i := range text {
		sa = append(sa, i)
	}
	slices.SortFunc(sa, func(a, b int) int { return bytes.Compare(text[a:], text[b:]) })
	array, rows := sdsl.ArrayHeader(n), make([]int, n)
	var transform []byte
	for row, i := range sa {
		array = append(array, binary.LittleEndian.AppendUint64(nil, uint64(i))[:sdsl.EntryBytes(n)]...)
		transform = append(transform, text[(i+n-1)%n])
		rows[i] = row
	}
	array = append(array, make([]byte, sdsl.ArraySize(n)-int64(len(array)))...)
	var letters, bwt, index bytes.Buffer
	if err := sdsl.WriteText(&letters, text); err != nil {
		return nil, err
	}
	if err := sdsl.WriteText(&bwt, transform); err != nil {
		return nil, err
	}
	x, err := sdsl.Encode(context.Background(), sdsl.Parts{Transform: transform,
		Rows:   func(k int) uint64 { return uint64(sa[k*sdsl.RowsBetween]) },
		Places: func(k int) uint64 { return uint64(rows[k*sdsl.PlacesBetween]) }})
	if err != nil {
		return nil, err
	}
	if err := x.Write(&index); err != nil {
		return nil, err
	}
	data := bytes.Clone(letters.Bytes())
	letters.Reset()
	meta := fmt.Sprintf("{\"path\": %q, \"linenum\": 0, \"metadata\": {}}\n\xfa", "text")
	if err := sdsl.WriteText(&letters, []byte(meta)); err != nil {
		return nil, err
	}
	return map[string][]byte{
		"text_data.sdsl": data, "sa_data.sdsl": array, "bwt_data.sdsl": bwt.Bytes(), "data.fm9": index.Bytes(),
		"data_offset": make([]byte, 8), "text_meta.sdsl": letters.Bytes(),
	}, nil
}
