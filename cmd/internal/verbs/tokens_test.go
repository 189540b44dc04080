package verbs

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"github.com/suffixcl/suffixcl/cmd/internal/report"
	"github.com/suffixcl/suffixcl/internal/cli"
	"github.com/suffixcl/suffixcl/internal/cli/clitest"
)

// tokenFile are tokens of a width.
func tokenFile(tokens []uint32, width int) (data []byte) {
	for _, token := range tokens {
		data = binary.LittleEndian.AppendUint32(data, token)[:len(data)+width]
	}
	return data
}

// sortedSuffixes are the positions of tokens, in the order of their bytes in memory or as numbers.
func sortedSuffixes(tokens []uint32, width int, memory bool) []uint64 {
	data := tokenFile(tokens, width)
	sa := make([]uint64, len(tokens))
	for i := range sa {
		sa[i] = uint64(i)
	}
	slices.SortFunc(sa, func(a, b uint64) int {
		if memory {
			return bytes.Compare(data[int(a)*width:], data[int(b)*width:])
		}
		return slices.Compare(tokens[a:], tokens[b:])
	})
	return sa
}

// shardTokens are documents of random tokens, each after a separator, and their offsets.
func shardTokens(seed uint64, n, width int) (tokens []uint32, offsets []uint64) {
	rng := rand.New(rand.NewPCG(seed, 1))
	separator := uint32(1<<(8*width) - 1)
	for range n {
		if len(tokens) == 0 || rng.IntN(20) == 0 {
			offsets = append(offsets, uint64(len(tokens)*width))
			tokens = append(tokens, separator)
		}
		tokens = append(tokens, []uint32{1, 2, 256, 513, 65534, 70000}[rng.IntN(6)]&(separator>>1))
	}
	return tokens, offsets
}

// Tables of all widths and of a directory of shards are those of the definition; what is there stays.
func TestTokenTables(t *testing.T) {
	clitest.NeedDevice(t)
	dir := t.TempDir()
	for _, width := range []int{1, 2, 4} {
		token := fmt.Sprintf("--token=u%d", 8*width)
		shards := fmt.Sprintf("index%d", width)
		require.NoError(t, os.Mkdir(filepath.Join(dir, shards), 0o777))
		want := map[string][]byte{}
		for k, n := range map[int]int{0: 500, 1: 0, 10: 90000 / (width * width)} {
			tokens, offsets := shardTokens(uint64(k), n, width)
			file := func(kind string) string { return fmt.Sprintf("%s/%s.%d", shards, kind, k) }
			clitest.Put(t, dir, file("tokenized"), tokenFile(tokens, width))
			clitest.Put(t, dir, file("offset"), encode(offsets, 8))
			sa := sortedSuffixes(tokens, width, true)
			for i := range sa {
				sa[i] *= uint64(width)
			}
			entry := 1
			for len(tokens)*width > 1<<(8*entry) {
				entry++
			}
			want[file("table")] = encode(sa, entry)
		}
		r := clitest.Good(t, dir, "tokens", shards, token, "--json")
		assert.Contains(t, r.Out, `"output": "`+shards)
		for name, table := range want {
			require.Equal(t, table, clitest.Get(t, dir, name), name)
		}
		name := shards + "/table.10"
		require.NoError(t, os.Remove(filepath.Join(dir, name)))
		clitest.Put(t, dir, shards+"/table.0", bytes.Repeat([]byte{1}, len(want[shards+"/table.0"])))
		r = clitest.Good(t, dir, "tokens", shards, token)
		assert.Contains(t, r.Errors, "table.0 is there and stays")
		assert.Equal(t, byte(1), clitest.Get(t, dir, shards+"/table.0")[0])
		assert.Equal(t, want[name], clitest.Get(t, dir, name))

		clitest.Put(t, dir, shards+"/table.0", []byte{1})
		r = clitest.Run(t, dir, "tokens", shards, token)
		assert.Equal(t, cli.ExitFailed, r.Code)
		assert.Contains(t, r.Errors, "it has 1 byte")
		clitest.Good(t, dir, "tokens", shards+"/tokenized.0", "-o", shards+"/table.0", token)
		assert.Equal(t, want[shards+"/table.0"], clitest.Get(t, dir, shards+"/table.0"), "what is named is replaced")
		clitest.Good(t, dir, "tokens", shards, "-o", "elsewhere"+shards, token)
		assert.Equal(t, want[name], clitest.Get(t, dir, "elsewhere"+name))
		assert.Contains(t, clitest.Good(t, dir, "plan", "tokens", shards, token).Out, "fits")
		if width == 1 {
			continue
		}
		tokens, _ := shardTokens(7, 3000, width)
		clitest.Put(t, dir, "document.bin", tokenFile(tokens, width))
		clitest.Good(t, dir, "tokens", "document.bin", "-o", "pile.idx", "--format", "tokengrams", token)
		assert.Equal(t, encode(sortedSuffixes(tokens, width, false), 8), clitest.Get(t, dir, "pile.idx"))
	}
}

// Questions, by arguments and from a file.
func TestTokenQuestions(t *testing.T) {
	clitest.NeedDevice(t)
	dir := t.TempDir()
	require.NoError(t, os.Mkdir(filepath.Join(dir, "index"), 0o777))
	end := uint32(65535)
	clitest.Put(t, dir, "index/tokenized.0", tokenFile([]uint32{end, 7, 8, end, 7, 9, 7, 8}, 2))
	clitest.Put(t, dir, "index/offset.0", encode([]uint64{0, 6}, 8))
	clitest.Put(t, dir, "index/tokenized.1", tokenFile([]uint32{end, 8, 7, 8, 256}, 2))
	clitest.Put(t, dir, "grams", []byte("7 8\n\n7, 9\r\n5"))
	clitest.Good(t, dir, "tokens", "index", "--vocabulary", "300")
	ask := func(args ...string) string { return clitest.Good(t, dir, append([]string{"tokens"}, args...)...).Out }
	assert.Equal(t, "7,8\t3\n\t13\n65535\t3\n", ask("count", "index", "7,8", "", "65535"))
	assert.Equal(t, "7,8\t3\n\t13\n7,9\t1\n5\t0\n", ask("count", "index", "--ngrams", "grams"))
	assert.Equal(t, "7,8\t0\t1\t2\t6\n7,8\t0\t0\t0\t1\n7,8\t1\t-\t2\t2\n", ask("find", "index", "7,8"))
	assert.Equal(t, "7,8\t0\t1\t2\t6\n", ask("find", "index", "7,8", "--max-hits", "1"))
	assert.Equal(t, "65535\t0\t0\t-1\t0\n65535\t0\t1\t-1\t3\n65535\t1\t-\t0\t0\n", ask("find", "index", "65535"))
	assert.Equal(t, "7\t1\t4\t8\t3\t0.75\n7\t1\t4\t9\t1\t0.25\n", ask("next", "index", "7"))
	assert.Empty(t, ask("next", "index", "5,8"))
	// The 8 at the end of shard 0 has no next token.
	assert.Equal(t, "5,8\t1\t4\t7\t1\t0.25\n5,8\t1\t4\t256\t1\t0.25\n5,8\t1\t4\t2\t1\t0.25\n",
		ask("next", "index", "5,8", "--back-off", "--eos", "2"))
	assert.Equal(t, "5\t0\t13\t7\t4\t"+fmt.Sprint(4.0/13)+"\n", ask("next", "index", "5", "--back-off", "--top", "1"))

	assert.Equal(t, "7 AND 9\t1\n7 AND 8\t3\n7,8 OR 256 AND 8,7 OR 9\t2\n8 OR 9\t5\n", ask("count", "index",
		"7 AND 9", "7 AND 8", "7, 8 OR 256 AND 8 7 OR 9", "8 OR 9", "--max-diff-tokens", "1"))
	assert.Equal(t, "9 AND 8\t0\t1\t1\t5\n", ask("find", "index", "9 AND 8"))
	assert.Equal(t, "7 AND 8\t0\t0\t1\t2\n", ask("find", "index", "7 AND 8", "--max-hits", "1"))

	// Version 6 has a directory a shard: the same tables, and the same answers.
	for k, shard := range []string{"0", "1"} {
		below := fmt.Sprintf("v6/%02d/", k)
		require.NoError(t, os.MkdirAll(filepath.Join(dir, below), 0o777))
		clitest.Put(t, dir, below+"tokenized", clitest.Get(t, dir, "index/tokenized."+shard))
		if k == 0 {
			clitest.Put(t, dir, below+"offset", clitest.Get(t, dir, "index/offset.0"))
			clitest.Put(t, dir, below+"metadata", []byte("{\"a\": 1}\n{\"b\": \"x\\\\y\"}\n"))
			clitest.Put(t, dir, below+"metaoff", encode([]uint64{0, 9}, 8))
		}
	}
	clitest.Good(t, dir, "tokens", "v6", "--vocabulary", "300")
	for k, shard := range []string{"0", "1"} {
		assert.Equal(t, clitest.Get(t, dir, "index/table."+shard), clitest.Get(t, dir, fmt.Sprintf("v6/%02d/table", k)))
	}
	for _, question := range []string{"count -- 7,8 7 65535", "find -- 7,8", "next --back-off -- 5,8"} {
		words := strings.Fields(question)
		of := func(index string) []string { return slices.Concat(words[:1], []string{index}, words[1:]) }
		assert.Equal(t, ask(of("index")...), ask(of("v6")...), question)
	}
	assert.Equal(t, "7,8\t0\t1\t2\t6\t{\"b\": \"x\\\\\\\\y\"}\n7,8\t0\t0\t0\t1\t{\"a\": 1}\n7,8\t1\t-\t2\t2\t\n",
		ask("find", "v6", "7,8", "--metadata"))
	assert.Equal(t, "7,8\t2\n", ask("count", "v6/00", "7,8", "--layout", "v6"))
	clitest.Good(t, dir, "tokens", "v6/00/tokenized", "-o", "v6/00/again")
	assert.Equal(t, clitest.Get(t, dir, "v6/00/table"), clitest.Get(t, dir, "v6/00/again"))
	clitest.Good(t, dir, "tokens", "v6/00", "-o", "tables")
	assert.Equal(t, clitest.Get(t, dir, "v6/00/table"), clitest.Get(t, dir, "tables/table"))
	clitest.Put(t, dir, "v6/00/tokenized.0", nil)
	for line, want := range map[string]string{
		"tokens count v6/00 7":                                            "files of both layouts, tokenized and tokenized.0",
		"tokens count v6/00 7 --layout v4":                                "table.0: no such file",
		"tokens count v6/01 7 --layout v4":                                "no file is called tokenized.0",
		"tokens v6 -o tables --layout v6":                                 "next to their tokens",
		"tokens count index 7 --format tokengrams --tokens x --layout v6": "--layout is for --format infini-gram",
	} {
		assert.Contains(t, clitest.Run(t, dir, strings.Fields(line)...).Errors, want, line)
	}
	assert.Equal(t, "7,8\t2\n", ask("count", "v6/00", "7,8", "--layout", "v6"))
	clitest.Put(t, dir, "v6/00/metaoff", encode([]uint64{0, 99}, 8))
	assert.Contains(t, clitest.Run(t, dir, "tokens", "find", "v6", "7", "--layout", "v6", "--metadata").Errors,
		"v6/00/metaoff: at byte 8: offset 99 is followed by 23")
	clitest.Put(t, dir, "v6/00/metaoff", encode([]uint64{0}, 8))
	assert.Contains(t, clitest.Run(t, dir, "tokens", "find", "v6", "7", "--layout", "v6").Errors,
		"metaoff: 8 bytes: 2 documents have 16")

	clitest.Put(t, dir, "bin", tokenFile([]uint32{3, 1, 3, 256}, 4))
	clitest.Good(t, dir, "tokens", "bin", "-o", "idx", "--format", "tokengrams", "--token", "u32")
	of := []string{"idx", "--format", "tokengrams", "--token", "u32", "--tokens", "bin", "3"}
	assert.Equal(t, "3\t2\n", ask(append([]string{"count"}, of...)...))
	assert.Equal(t, "3\t1\t2\t1\t1\t0.5\n3\t1\t2\t256\t1\t0.5\n", ask(append([]string{"next"}, of...)...))
}

// The object of a question has what was asked and found. It goes where the lines do not.
func TestTokenQuestionsJSON(t *testing.T) {
	clitest.NeedDevice(t)
	dir := t.TempDir()
	require.NoError(t, os.Mkdir(filepath.Join(dir, "index"), 0o777))
	clitest.Put(t, dir, "index/tokenized.0", tokenFile([]uint32{65535, 7, 8, 65535, 7, 9, 7, 8}, 2))
	clitest.Put(t, dir, "grams", []byte("7\n8\n"))
	clitest.Good(t, dir, "tokens", "index", "-q")
	grams := &report.QueryFile{File: "grams"}
	for line, want := range map[string]gramsReport{
		"count index 7,8 5":                           {Queries: 2, Occurrences: 2},
		"count index --ngrams grams":                  {Queries: 2, Occurrences: 5, QueryFile: grams},
		"find index 7 9":                              {Queries: 2, Occurrences: 4},
		"find index --ngrams grams --max-hits 2":      {Queries: 2, Occurrences: 5, QueriesOverLimit: 1, QueryFile: grams},
		"next index 7":                                {Queries: 1, Occurrences: 3},
		"next index 5,8 --back-off --top 1 --eos 300": {Queries: 1, Occurrences: 2},
	} {
		args := append([]string{"tokens"}, strings.Fields(line)...)
		lines := clitest.Good(t, dir, append(args, "-q")...)
		assert.Empty(t, lines.Errors, line)
		want.Verb, want.File, want.Tokens = "tokens "+args[1], "index", 8
		for _, out := range []string{"-", "out"} {
			want.Output = out
			r := clitest.Good(t, dir, append(args, "--json", "-o", out)...)
			object, result := r.Errors, r.Out
			if out != "-" {
				object, result = r.Out, string(clitest.Get(t, dir, out))
			}
			assert.Equal(t, lines.Out, result, line)
			var got gramsReport
			require.NoError(t, json.Unmarshal([]byte(object), &got), line)
			assert.Positive(t, got.Seconds.Total)
			got.Seconds.Total = 0
			assert.Equal(t, want, got, line)
		}
	}
}

// Errors say where, and leave what is there.
func TestTokenErrors(t *testing.T) {
	clitest.NeedDevice(t)
	dir := t.TempDir()
	tokens, offsets := shardTokens(1, 50, 2)
	clitest.Put(t, dir, "tokenized.0", tokenFile(tokens, 2))
	clitest.Put(t, dir, "odd", make([]byte, 7))
	clitest.Put(t, dir, "out", []byte("old"))
	require.NoError(t, os.Mkdir(filepath.Join(dir, "empty"), 0o777))
	for args, want := range map[string]string{
		"tokens odd -o out":                                   "odd: at byte 6: the file ends within a token",
		"tokens missing -o out":                               "cannot read missing: no such file or directory",
		"tokens empty":                                        "cannot read empty: no file is called tokenized.0",
		"tokens tokenized.0 -o out --vocabulary 513":          "is not in the vocabulary of 513",
		"tokens tokenized.0 -o tokenized.0":                   "it is the same file as tokenized.0",
		"tokens count empty 1":                                "cannot read empty: no file is called tokenized.0",
		"tokens count . 1":                                    "table.0: no such file or directory",
		"tokens count out --format tokengrams --tokens odd 1": "the file ends within a token",
	} {
		r := clitest.Run(t, dir, strings.Fields(args)...)
		assert.Equal(t, cli.ExitFailed, r.Code, args)
		assert.Contains(t, r.Errors, want, args)
	}
	offsets[1]++
	clitest.Put(t, dir, "offset.0", encode(offsets, 8))
	r := clitest.Run(t, dir, "tokens", "tokenized.0", "-o", "out")
	assert.Equal(t, cli.ExitFailed, r.Code)
	assert.Contains(t, r.Errors, "offset.0: at byte 8: offset")
	r = clitest.Run(t, dir, "tokens", "tokenized.0", "-o", "out", "--max-mem", "100")
	assert.Equal(t, cli.ExitMemory, r.Code, r.Errors)
	assert.Equal(t, []byte("old"), clitest.Get(t, dir, "out"))
	assert.ElementsMatch(t, []string{"empty", "odd", "offset.0", "out", "tokenized.0"}, clitest.Files(t, dir))

	clitest.Put(t, dir, "grams", []byte("1 2\n3 x\n"))
	require.NoError(t, os.Remove(filepath.Join(dir, "offset.0")))
	clitest.Good(t, dir, "tokens", ".")
	r = clitest.Run(t, dir, "tokens", "count", ".", "--ngrams", "grams")
	assert.Equal(t, cli.ExitFailed, r.Code)
	assert.Contains(t, r.Errors, `grams: line 2: "x" is no token id`)
	r = clitest.Run(t, dir, "tokens", "count", ".", "70000")
	assert.Contains(t, r.Errors, "token 0 of the n-gram is 70000")
	for args, want := range map[string]string{
		"tokens":     "TOKENS is missing",
		"tokens odd": "-o OUT is missing",
		"tokens odd -o x --format tokengrams --token u8":      "has no --token u8",
		"tokens . --format tokengrams":                        "those are of --format infini-gram",
		"tokens count .":                                      "an n-gram is missing",
		"tokens count . 1,x":                                  `"x" is no token id`,
		"tokens count . 1,,2":                                 `"1,,2": a token id is missing`,
		"tokens count . 1 --ngrams grams":                     "not both",
		"tokens next . 1 --format tokengrams":                 "needs --tokens",
		"tokens find . 1 --max-hits -1":                       "0 or more",
		"tokens find . 1 --max-diff-tokens 0":                 "1 or more",
		"tokens count . 1_AND":                                "none of which is empty",
		"tokens count . OR_1":                                 "none of which is empty",
		"tokens count . 1_OR_x":                               `"x" is no token id`,
		"tokens next . 1_AND_2":                               "AND and OR are for count and find",
		"tokens count . " + strings.Repeat("1_AND_", 8) + "1": "there are 9 clauses: the most are 8",
	} {
		words := strings.Fields(args)
		for i := range words {
			words[i] = strings.ReplaceAll(words[i], "_", " ")
		}
		r := clitest.Run(t, dir, words...)
		assert.Equal(t, cli.ExitUsage, r.Code, args)
		assert.Contains(t, r.Errors, want, args)
	}
}
