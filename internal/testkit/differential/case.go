package differential

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// Format is how the texts of an input lie in its file.
type Format int

const (
	Bytes  Format = iota // one after the other, with nothing between them
	Lines                // a line each
	FASTA                // a record each
	FASTQ                // the same
	JSON                 // an object each, with the text in the field "text"
	Paths                // a file each, in a directory
	Number               // the texts are little-endian symbols: lines of numbers
)

// Input is a file of a case, or a directory.
type Input struct {
	Name     string
	Format   Format
	CRLF     bool // ends of lines
	Open     bool // the last line has no end
	Wrap     int  // letters in a line of sequence; 0: all
	Nameless bool // records have no names
	Symbol   int  // bytes of a symbol, for Number
	Texts    [][]byte
}

// File is what a run reads.
type File struct {
	Name string
	Data []byte
}

// Flag is one of a verb; Value is empty for those that have none. One that stays says what the inputs are: without it
// the case is another one.
type Flag struct {
	Name, Value string
	Stays       bool
}

// Case is a run of a verb.
type Case struct {
	Verb   string
	Inputs []Input
	Flags  []Flag
	Words  []string // arguments besides files
}

// Has tells whether a flag is given.
func (c *Case) Has(name string) bool {
	return slices.ContainsFunc(c.Flags, func(f Flag) bool { return f.Name == name })
}

// Value is that of a flag, or what stands for it where it is not given.
func (c *Case) Value(name, absent string) string {
	for _, f := range c.Flags {
		if f.Name == name {
			return f.Value
		}
	}
	return absent
}

// Int is the value of a flag that is a number.
func (c *Case) Int(name string, absent int) int {
	v, err := strconv.Atoi(c.Value(name, strconv.Itoa(absent)))
	if err != nil {
		panic(err) // the case is ours
	}
	return v
}

// Add adds a flag.
func (c *Case) Add(name string, value ...string) {
	c.Flags = append(c.Flags, Flag{Name: name, Value: strings.Join(value, ",")})
}

// Keep adds a flag that stays.
func (c *Case) Keep(name, value string) { c.Flags = append(c.Flags, Flag{name, value, true}) }

// with are words and then the flags, but those left out.
func (c *Case) with(words []string, but ...string) []string {
	args := slices.Clone(words)
	for _, f := range c.Flags {
		if slices.Contains(but, f.Name) {
			continue
		}
		if args = append(args, "--"+f.Name); f.Value != "" {
			args = append(args, f.Value)
		}
	}
	return args
}

// only are words and then some of the flags.
func (c *Case) only(words []string, names ...string) []string {
	some := &Case{}
	for _, f := range c.Flags {
		if slices.Contains(names, f.Name) {
			some.Flags = append(some.Flags, f)
		}
	}
	return some.with(words)
}

func (c *Case) clone() *Case {
	copied := *c
	copied.Flags, copied.Inputs, copied.Words = slices.Clone(c.Flags), slices.Clone(c.Inputs), slices.Clone(c.Words)
	for i := range copied.Inputs {
		copied.Inputs[i].Texts = slices.Clone(c.Inputs[i].Texts)
	}
	return &copied
}

// Joined are the texts, one after the other.
func (in *Input) Joined() []byte { return bytes.Join(in.Texts, nil) }

// RecordName is what results call text k.
func (in *Input) RecordName(k int) string {
	if in.Nameless {
		return "#" + strconv.Itoa(k+1)
	}
	return "r" + strconv.Itoa(k)
}

// Files are those of the input.
func (in *Input) Files() []File {
	if in.Format == Paths {
		var files []File
		for k, text := range in.Texts {
			files = append(files, File{fmt.Sprintf("%s/%03d", in.Name, k), text})
		}
		return files
	}
	return []File{{in.Name, in.data()}}
}

func (in *Input) data() []byte {
	end := "\n"
	if in.CRLF {
		end = "\r\n"
	}
	var b bytes.Buffer
	header := func(mark string, k int) {
		if b.WriteString(mark); !in.Nameless {
			b.WriteString(in.RecordName(k) + " of a case")
		}
		b.WriteString(end)
	}
	sequence := func(text []byte) {
		for len(text) > 0 {
			n := len(text)
			if in.Wrap > 0 {
				n = min(n, in.Wrap)
			}
			b.Write(text[:n])
			b.WriteString(end)
			text = text[n:]
		}
	}
	for k, text := range in.Texts {
		switch in.Format {
		case Bytes:
			b.Write(text)
		case Lines:
			b.Write(text)
			b.WriteString(end)
		case Number:
			b.WriteString(numbers(text, in.Symbol, " ") + end)
		case FASTA:
			header(">", k)
			sequence(text)
		case FASTQ:
			header("@", k)
			fmt.Fprintf(&b, "%s%s+%s%s%s", text, end, end, bytes.Repeat([]byte("I"), len(text)), end)
		case JSON:
			object, err := json.Marshal(map[string]any{"id": k, "text": string(text)})
			if err != nil {
				panic(err) // texts of JSON are valid
			}
			b.Write(object)
			b.WriteString(end)
		}
	}
	if n := len(in.Texts); in.Open && n > 0 && len(in.Texts[n-1]) > 0 && in.Format != Bytes {
		return bytes.TrimSuffix(b.Bytes(), []byte(end))
	}
	return b.Bytes()
}

// symbolsOf are the numbers of little-endian symbols.
func symbolsOf(text []byte, size int) []uint64 {
	symbols := make([]uint64, len(text)/size)
	for i := range symbols {
		for k := range size {
			symbols[i] |= uint64(text[i*size+k]) << (8 * k)
		}
	}
	return symbols
}

func numbers(text []byte, size int, between string) string {
	var words []string
	for _, symbol := range symbolsOf(text, size) {
		words = append(words, strconv.FormatUint(symbol, 10))
	}
	return strings.Join(words, between)
}

// array is a file of numbers of so many bytes.
func array[T uint64 | int](values []T, width int) []byte {
	b := make([]byte, 0, len(values)*width)
	for _, v := range values {
		b = binary.LittleEndian.AppendUint64(b, uint64(v))[:len(b)+width]
	}
	return b
}

// shell is a case as a command of a shell, which makes its files first.
func shell(files []File, commands [][]string) string {
	var parts []string
	made := map[string]bool{}
	for _, f := range files {
		if dir, _, ok := strings.Cut(f.Name, "/"); ok && !made[dir] {
			made[dir] = true
			parts = append(parts, "mkdir -p "+dir)
		}
		if n := len(f.Data); n > 4096 && bytes.Equal(f.Data, counted(n)) {
			parts = append(parts, fmt.Sprintf("seq %d | head -c %d >%s", n, n, f.Name))
			continue
		}
		parts = append(parts, "printf "+quote(f.Data)+" >"+f.Name)
	}
	for _, args := range commands {
		words := []string{"suffixcl"}
		for _, arg := range args {
			words = append(words, word(arg))
		}
		parts = append(parts, strings.Join(words, " "))
	}
	return strings.Join(parts, " && ")
}

// counted is a long text that a short command makes: lines of numbers from 1 on.
func counted(n int) []byte {
	text := make([]byte, 0, n+20)
	for i := 1; len(text) < n; i++ {
		text = append(strconv.AppendInt(text, int64(i), 10), '\n')
	}
	return text[:n]
}

// quote is text as the format of printf.
func quote(text []byte) string {
	var b strings.Builder
	for _, c := range text {
		switch {
		case c == '\n':
			b.WriteString(`\n`)
		case c == '%':
			b.WriteString("%%")
		case c < ' ' || c > '~' || c == '\\' || c == '\'' || c == '-' && b.Len() == 0:
			fmt.Fprintf(&b, `\%03o`, c)
		default:
			b.WriteByte(c)
		}
	}
	return "'" + b.String() + "'"
}

// word is an argument as a word of a shell.
func word(arg string) string {
	plain := func(r rune) bool {
		return r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || strings.ContainsRune("-_./=,+", r)
	}
	if arg != "" && strings.IndexFunc(arg, func(r rune) bool { return !plain(r) }) < 0 {
		return arg
	}
	if strings.IndexFunc(arg, func(r rune) bool { return r < ' ' }) < 0 {
		return "'" + strings.ReplaceAll(arg, "'", `'\''`) + "'"
	}
	return `"$(printf ` + quote([]byte(arg)) + `)"`
}
