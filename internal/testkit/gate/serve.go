package gate

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"strings"
)

// question is a request of a service, and what its answer has by the definition.
type question struct {
	request string
	want    map[string]any
}

// runServe asks a service about pairs of symbols: of a table, and of an FM-index on the device.
func runServe(t *trial, flags []string) error {
	if err := os.Mkdir(filepath.Join(t.dir, "tables"), 0o777); err != nil {
		return err
	}
	err := errors.Join(t.put("tables/tokenized.0", t.in.file), t.put("tables/table.0", t.in.table()), t.makeIndex())
	if err != nil {
		return err
	}
	var lines strings.Builder
	questions := t.in.questions()
	for _, q := range questions {
		lines.WriteString(q.request + "\n")
	}
	if err := t.put("requests", []byte(lines.String())); err != nil {
		return err
	}
	out, err := t.command(with("serve", "tables", "index", "--ask", "requests", "-q", flags)...)
	if err != nil {
		return err
	}
	answers := strings.SplitAfter(strings.TrimSuffix(out, "\n"), "\n")
	if len(answers) != len(questions) {
		return fmt.Errorf("%d answers to %d questions", len(answers), len(questions))
	}
	for i, q := range questions {
		var got, want map[string]any
		definition, err := json.Marshal(q.want)
		err = errors.Join(err, json.Unmarshal(definition, &want), json.Unmarshal([]byte(answers[i]), &got))
		if err != nil {
			return err
		}
		for field := range want {
			if !reflect.DeepEqual(got[field], want[field]) {
				return fmt.Errorf("%s: %s is %.200v instead of %.200v", q.request, field, got[field], want[field])
			}
		}
	}
	return nil
}

// questions about pairs of symbols, and a pair that hardly occurs.
func (in *input) questions() (list []question) {
	text := in.text()
	for _, at := range []int{0, len(text) / 2, len(text) - 3} {
		for _, gram := range [][2]uint64{{text[at], text[at+1]}, {text[at+1], text[at]}} {
			list = append(list, in.about(gram)...)
		}
	}
	return list
}

func (in *input) about(gram [2]uint64) (list []question) {
	text := in.text()
	var places []int
	before := 0
	next := map[string]any{}
	for i, c := range text {
		if c == gram[0] {
			before++
		}
		if c != gram[0] || i+1 == len(text) || text[i+1] != gram[1] {
			continue
		}
		places = append(places, i)
		if i+2 < len(text) {
			id := fmt.Sprint(text[i+2])
			follows, _ := next[id].(map[string]any)
			if follows == nil {
				follows = map[string]any{"cont_cnt": 0.0}
				next[id] = follows
			}
			follows["cont_cnt"] = follows["cont_cnt"].(float64) + 1
		}
	}
	for _, follows := range next {
		follows.(map[string]any)["prob"] = follows.(map[string]any)["cont_cnt"].(float64) / float64(len(places))
	}
	ask := func(index, kind, more string, want map[string]any) {
		list = append(list, question{fmt.Sprintf(`{"index":%q,"query_type":%q,"query_ids":[%d,%d]%s}`, index, kind, gram[0],
			gram[1], more), want})
	}
	counts := map[string]any{"prompt_cnt": before, "cont_cnt": len(places), "prob": float64(len(places)) / float64(before)}
	for _, index := range []string{"tables", "index"} {
		ask(index, "count", "", map[string]any{"count": len(places)})
		ask(index, "prob", "", counts)
		ask(index, "find", "", map[string]any{"cnt": len(places)})
	}
	ask("tables", "ntd", "", map[string]any{"prompt_cnt": len(places), "result_by_token_id": next})
	for rank, place := range places[:min(len(places), 3)] {
		ask("index", "get_doc_by_rank", fmt.Sprintf(`,"s":0,"rank":%d`, rank), map[string]any{"ptr": place})
	}
	return list
}
