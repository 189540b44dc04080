package serve

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"net/http"
	"slices"
	"strconv"
	"unicode/utf16"
	"unicode/utf8"

	"github.com/suffixcl/suffixcl/internal/tokenindex"
)

// refusal is what is wrong with a request: its status, and why.
type refusal struct {
	status int
	why    string
}

func (r *refusal) Error() string { return r.why }

// refuse refuses a request that is wrong.
func refuse(format string, args ...any) error {
	return &refusal{http.StatusBadRequest, fmt.Sprintf(format, args...)}
}

// Types of queries.
const (
	typeCount       = "count"
	typeProb        = "prob"
	typeNext        = "ntd"
	typeInfgramProb = "infgram_prob"
	typeInfgramNext = "infgram_ntd"
	typeFind        = "find"
	typeByRank      = "get_doc_by_rank"
	typeByPlace     = "get_doc_by_ptr"
	typeFindCNF     = "find_cnf"
)

// request is a question. The limits of numbers are those of the public services.
type request struct {
	index, kind string
	gram        []uint32
	cnf         [][][]uint32 // clauses of n-grams, where the numbers came so; gram is that of a single one
	ids         bool         // the gram came as numbers
	text        string
	asked       bool // there is a gram
	shard       int64
	rank, place int64
	shown       int64 // symbols of a document; -1: as many as usual
	context     int64 // bytes before and after the query; -1: not told
	maxDiff     int64 // tokens between clauses
	maxFreq     int64 // places of the rarest clause that are looked at
}

// Usual limits of conjunctions, and what is taken of them.
const (
	usualDiff = 100
	usualFreq = 50000
	maxGrams  = 64 // of a clause
)

// Fields of numbers, their least and most values.
var numbers = map[string][2]int64{
	"s": {0, 1 << 31}, "rank": {0, 1 << 62}, "ptr": {0, 1 << 62}, "max_disp_len": {1, 10000}, "max_ctx_len": {1, 10000},
	"max_support": {1, 1 << 31}, "max_diff_tokens": {1, 1000}, "max_clause_freq": {1, 500000},
}

// Fields of which nothing depends: clients tell by them who they are.
var ignored = map[string]bool{"source": true, "timestamp": true, "engine": true}

// parse reads a request. With an error it returns what is known of it, or nil. Errors: a *refusal.
func parse(body []byte) (*request, error) {
	if at := invalidUTF8(body); at >= 0 {
		return nil, refuse("byte %d of the request is not UTF-8", at)
	}
	var fields map[string]json.RawMessage
	if err := json.Unmarshal(body, &fields); err != nil {
		return nil, refuse("the request is no object of JSON: %v", wordsOf(err))
	}
	if fields == nil {
		return nil, refuse("the request is no object of JSON: it is null")
	}
	r := &request{shard: -1, rank: -1, place: -1, shown: -1, context: -1, maxDiff: usualDiff, maxFreq: usualFreq}
	if _, ok := fields["index"]; !ok && fields["corpus"] != nil {
		fields["index"] = fields["corpus"] // its older name
	}
	delete(fields, "corpus")
	for _, name := range append([]string{"index", "query_type"}, slices.Sorted(maps.Keys(fields))...) {
		if value, ok := fields[name]; ok {
			if err := r.field(name, value); err != nil {
				return r, err
			}
		}
	}
	switch {
	case r.index == "":
		return r, refuse("index is missing: the name of one")
	case r.kind == "":
		return r, refuse("query_type is missing")
	case fields["query"] != nil && fields["query_ids"] != nil:
		return r, refuse("query and query_ids do not go together")
	}
	return r, nil
}

func (r *request) field(name string, value json.RawMessage) (err error) {
	switch name {
	case "index":
		r.index, err = stringOf(name, value)
	case "query_type":
		r.kind, err = stringOf(name, value)
	case "query":
		r.asked = true
		r.text, err = stringOf(name, value)
	case "query_ids":
		r.asked, r.ids = true, true
		err = r.numbers(value)
	default:
		limits, ok := numbers[name]
		switch {
		case ignored[name]:
		case !ok:
			return refuse("there is no field %q", name)
		default:
			var n int64
			if n, err = numberOf(name, value, limits); err == nil {
				r.number(name, n)
			}
		}
	}
	return err
}

func (r *request) number(name string, n int64) {
	switch name {
	case "s":
		r.shard = n
	case "rank":
		r.rank = n
	case "ptr":
		r.place = n
	case "max_disp_len":
		r.shown = n
	case "max_ctx_len":
		r.context = n
	case "max_diff_tokens":
		r.maxDiff = n
	case "max_clause_freq":
		r.maxFreq = n
	}
}

// stringOf is a string without lone surrogates, which are no characters.
func stringOf(name string, value json.RawMessage) (text string, err error) {
	if len(value) == 0 || value[0] != '"' {
		return "", refuse("%s is no string", name)
	}
	if err := json.Unmarshal(value, &text); err != nil {
		return "", refuse("%s: %v", name, wordsOf(err))
	}
	if unit, ok := loneSurrogate(value); ok {
		return "", refuse("%s: a lone surrogate, \\u%04x, is no character", name, unit)
	}
	return text, nil
}

// loneSurrogate looks for one among the escape sequences of a valid string of JSON.
func loneSurrogate(quoted []byte) (unit uint64, found bool) {
	high := uint64(0)
	for i := 0; i < len(quoted); i++ {
		if quoted[i] != '\\' {
			if high != 0 {
				return high, true
			}
			continue
		}
		i++
		if quoted[i] != 'u' {
			if high != 0 {
				return high, true
			}
			continue
		}
		u, _ := strconv.ParseUint(string(quoted[i+1:i+5]), 16, 16)
		i += 4
		switch {
		case high != 0 && utf16.DecodeRune(rune(high), rune(u)) != utf8.RuneError:
			high = 0
		case high != 0:
			return high, true
		case utf16.IsSurrogate(rune(u)):
			high = u
			if u >= 0xdc00 { // the second half comes first
				return u, true
			}
		}
	}
	return high, high != 0
}

// numbers reads a list of integers, or a list of clauses, each a list of n-grams.
func (r *request) numbers(value json.RawMessage) (err error) {
	if rest, ok := bytes.CutPrefix(value, []byte("[")); ok && bytes.HasPrefix(bytes.TrimSpace(rest), []byte("[")) {
		return r.clauses(value)
	}
	var list []json.RawMessage
	if len(value) == 0 || value[0] != '[' || json.Unmarshal(value, &list) != nil {
		return refuse("query_ids is no list of integers")
	}
	r.gram, err = symbolsIn(list)
	return err
}

func (r *request) clauses(value json.RawMessage) error {
	var lists [][][]json.RawMessage
	if err := json.Unmarshal(value, &lists); err != nil {
		return refuse("query_ids is no list of integers, nor of clauses, which are lists of n-grams")
	}
	if len(lists) > tokenindex.MaxClauses {
		return refuse("query_ids: %d clauses; up to %d are taken", len(lists), tokenindex.MaxClauses)
	}
	for c, list := range lists {
		if len(list) > maxGrams {
			return refuse("query_ids: clause %d has %d n-grams; up to %d are taken", c, len(list), maxGrams)
		}
		clause := make([][]uint32, len(list))
		for i, numbers := range list {
			var err error
			if clause[i], err = symbolsIn(numbers); err != nil {
				return err
			}
			if len(clause[i]) == 0 {
				return refuse("query_ids: clause %d has an empty n-gram", c)
			}
		}
		if len(clause) == 0 {
			return refuse("query_ids: clause %d has no n-gram", c)
		}
		r.cnf = append(r.cnf, clause)
	}
	if len(r.cnf) == 1 && len(r.cnf[0]) == 1 {
		r.gram = r.cnf[0][0]
	}
	return nil
}

// several tells whether there are several n-grams.
func (r *request) several() bool { return r.cnf != nil && r.gram == nil }

func symbolsIn(list []json.RawMessage) ([]uint32, error) {
	gram := make([]uint32, len(list))
	for i, number := range list {
		id, err := strconv.ParseUint(string(number), 10, 32)
		if err != nil {
			return nil, refuse("query_ids: %.40s is no token", number)
		}
		gram[i] = uint32(id)
	}
	return gram, nil
}

func numberOf(name string, value json.RawMessage, limits [2]int64) (int64, error) {
	n, err := strconv.ParseInt(string(value), 10, 64)
	if err != nil || n < limits[0] || n > limits[1] {
		if limits[1] >= 1<<31 {
			return 0, refuse("%s is no integer from %d on", name, limits[0])
		}
		return 0, refuse("%s is no integer from %d to %d", name, limits[0], limits[1])
	}
	return n, nil
}

// wordsOf are an error of JSON without what concerns Go.
func wordsOf(err error) string {
	var syntax *json.SyntaxError
	var kind *json.UnmarshalTypeError
	switch {
	case errors.As(err, &syntax):
		return fmt.Sprintf("byte %d: %v", syntax.Offset, syntax)
	case errors.As(err, &kind):
		return "it is a " + kind.Value
	}
	return err.Error()
}

// invalidUTF8 is where text is not UTF-8, or -1.
func invalidUTF8(text []byte) int {
	if utf8.Valid(text) {
		return -1
	}
	for at := 0; at < len(text); {
		r, size := utf8.DecodeRune(text[at:])
		if r == utf8.RuneError && size == 1 {
			return at
		}
		at += size
	}
	return -1
}
