package amdcode

import (
	"bufio"
	"bytes"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
)

// Line is an instruction of a disassembly.
type Line struct {
	Address uint64
	Text    string // "v_add_u32_e32 v0, s1, v2"
}

// Disassemble returns the listing of a code object, which [ReadListing] reads.
func (c Compiler) Disassemble(ctx context.Context, code []byte, t Target) ([]byte, error) {
	dir, err := os.MkdirTemp("", "amdcode")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	name := filepath.Join(dir, "program.co") // objdump reads no pipe
	if err := os.WriteFile(name, code, 0o600); err != nil {
		return nil, err
	}
	return run(ctx, "disassembling", "", c.objdump, "-d", "--no-show-raw-insn", "--mcpu="+t.Name, name)
}

// ReadListing returns the instructions of each function, in the order of their addresses. It reads what objdump writes:
// "0000000000001900 <name>:" before each function, and lines that begin with a tab and have the address,
// "// 000000001900: ...", after the instruction.
func ReadListing(listing []byte) (map[string][]Line, error) {
	functions := make(map[string][]Line)
	function := ""
	lines := bufio.NewScanner(bytes.NewReader(listing))
	for lines.Scan() {
		line := lines.Text()
		if rest, ok := strings.CutSuffix(line, ">:"); ok {
			_, function, _ = strings.Cut(rest, "<")
			continue
		}
		if function == "" || !strings.HasPrefix(line, "\t") {
			continue
		}
		text, comment, ok := strings.Cut(line, "//")
		address, _, colon := strings.Cut(comment, ":")
		at, err := strconv.ParseUint(strings.TrimSpace(address), 16, 64)
		if !ok || !colon || err != nil {
			return nil, fmt.Errorf("disassembly of %s: no address in %q", function, line)
		}
		functions[function] = append(functions[function], Line{at, strings.TrimSpace(text)})
	}
	return functions, lines.Err()
}
