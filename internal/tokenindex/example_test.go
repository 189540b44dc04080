package tokenindex_test

import (
	"bytes"
	"context"
	"fmt"
	"log"
	"os"
	"path/filepath"
	"testing"

	"github.com/suffixcl/suffixcl"
	"github.com/suffixcl/suffixcl/internal/testkit/devicetest"
	"github.com/suffixcl/suffixcl/internal/tokenindex"
)

func TestMain(m *testing.M) { devicetest.Main(m) }

// A shard of infini-gram gets its table, and is asked what follows a token.
func Example() {
	engine, err := suffixcl.Open(suffixcl.Options{})
	if err != nil {
		log.Fatal(err)
	}
	defer engine.Close()
	dir, err := os.MkdirTemp("", "index")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(dir)
	tokens := []byte{255, 255, 7, 0, 8, 0, 255, 255, 7, 0, 9, 0, 7, 0, 8, 0} // two documents: 7 8, and 7 9 7 8
	if err := os.WriteFile(filepath.Join(dir, "tokenized.0"), tokens, 0o600); err != nil {
		log.Fatal(err)
	}

	ctx := context.Background()
	text, err := tokenindex.ReadTokens[uint16](ctx, &tokenindex.TokenFile{Name: "tokenized.0",
		File: bytes.NewReader(tokens), Size: int64(len(tokens)), Format: tokenindex.InfiniGram})
	if err != nil {
		log.Fatal(err)
	}
	var table bytes.Buffer
	w := tokenindex.NewTableWriter(&table, tokenindex.InfiniGram, int64(len(tokens)), 2)
	for block, err := range engine.Arrays(suffixcl.Tokens16(text), suffixcl.Want{SA: true}).Each(ctx) {
		if err != nil {
			log.Fatal(err)
		}
		if err := w.Write(block.SA); err != nil {
			log.Fatal(err)
		}
	}
	if err := os.WriteFile(filepath.Join(dir, "table.0"), table.Bytes(), 0o600); err != nil {
		log.Fatal(err)
	}

	index, err := tokenindex.Open(dir, 2)
	if err != nil {
		log.Fatal(err)
	}
	defer index.Close()
	next, err := index.Next([]uint32{7}, false)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(next.Prompt, next.Next)
	// Output: 3 [{8 2} {9 1}]
}
