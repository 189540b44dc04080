package kernellint

import (
	"fmt"
	"io/fs"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/suffixcl/suffixcl/kernels"
)

func common(t *testing.T) *source {
	text, err := fs.ReadFile(kernels.FS, "common.cl")
	require.NoError(t, err)
	return lex("common.cl", string(text))
}

// TestRules: what the rules find in small sources, and what they accept.
func TestRules(t *testing.T) {
	common := common(t)
	for _, c := range []struct{ rule, name, text, want string }{ // want "" accepts
		{"return before barrier", "plain",
			"KERNEL_WG(WG) k(uint n) {\n if (n == 0)\n return;\n barrier(CLK_LOCAL_MEM_FENCE); }",
			"x.cl:3: k returns before the barrier of line 4"},
		{"return before barrier", "helper",
			"DEFINE_WG_SCAN(add, uint, OP_ADD, 0u)\nKERNEL_WG(WG) k(uint n) { if (n) return;\n" +
				" add(n, 0, 0); }",
			"barrier of line 3"},
		{"return before barrier", "helper of helper",
			"void f(void) { barrier(0); }\nvoid g(void) { f(); }\nKERNEL_WG(WG) k(uint n) { if (n) return;\n" +
				" g(); }",
			"barrier of line 4"},
		{"return before barrier", "in a macro",
			"#define M(x) \\\n void x(uint n) { if (n) return; \\\n barrier(0); }",
			"x.cl:2"},
		{"return before barrier", "by a macro",
			"#define LEAVE(n) if (n) return\nKERNEL_WG(WG) k(uint n) { LEAVE(n);\n barrier(0); }",
			"x.cl:2"},
		{"return before barrier", "after",
			"uint f(uint n) { barrier(0); return n; } void g(uint n) { if (n) return; f(1); }",
			"g returns before"},
		{"return before barrier", "last", "uint f(uint n) { barrier(0); return n; }", ""},
		{"return before barrier", "other arm",
			"void f(uint n) {\n#if IS_CPU\n if (n) return;\n#else\n barrier(0);\n#endif\n}",
			""},
		{"return before barrier", "comment", "void f(uint n) { /* return */ // return\n barrier(0); }", ""},
		{"return before barrier", "other function",
			"void f(uint n) { return; }\nvoid g(uint n) { barrier(0); }",
			""},

		{"barrier in control flow", "if",
			"void f(uint n) { if (n) {\n barrier(0); } }",
			"x.cl:2: barrier (barrier) inside if"},
		{"barrier in control flow", "else", "void f(uint n) { if (n) n = 1; else\n barrier(0); }", "inside else"},
		{"barrier in control flow", "else if",
			"void f(uint n) { if (n) { n = 1; } else if (n > 1) {\n barrier(0); } }",
			"x.cl:2: barrier (barrier) inside"},
		{"barrier in control flow", "switch",
			"void f(uint n) { switch (n) { case 1:\n barrier(0); break; default: n = 2; } }",
			"inside switch"},
		{"barrier in control flow", "else after #if",
			"void f(uint n) { if (n) n = 1;\n#ifdef A\n else { barrier(0); }\n#endif\n}",
			"inside else"},
		{"barrier in control flow", "helper",
			"DEFINE_WG_SCAN(add, uint, OP_ADD, 0u)\nvoid f(uint n) { if (n)\n add(n, 0, 0); }",
			"barrier (add) inside if"},
		{"barrier in control flow", "conditional",
			"uint g(uint n) { barrier(0); return n; }\nuint f(uint n) { return n > 1 && g(n); }",
			"after &&"},
		{"barrier in control flow", "ternary",
			"uint g(uint n) { barrier(0); return n; }\nuint f(uint n) { return n ? g(n) : 0; }",
			"after &&"},
		{"barrier in control flow", "argument is a choice",
			"uint g(uint a, uint b) { barrier(0); return a; }\n" +
				"uint f(uint n) { return g(n ? 1 : 2, n && n); }",
			""},
		{"barrier in control flow", "for id",
			"void f(uint n) { for (uint i = get_local_id(0); i < n; i += WG)\n barrier(0); }",
			"header depends"},
		{"barrier in control flow", "while variable",
			"void f(uint n) { uint a = get_global_id(0), b = a * 2; while (b < n) { b++;\n barrier(0); } }",
			"header depends"},
		{"barrier in control flow", "variable from itself later",
			"void f(uint n) { uint a = 0; while (a < n) { barrier(0);\n a += get_local_id(0); } }",
			"header depends"},
		{"barrier in control flow", "variable set by some",
			"void f(uint n) { uint a = 0; if (get_local_id(0) == 0) a = 5; while (a < n) {\n barrier(0); } }",
			"header depends"},
		{"barrier in control flow", "id by a function",
			"uint me(void) { return get_local_id(0); }\nvoid f(uint n) { while (me() < n) barrier(0); }",
			"header depends"},
		{"barrier in control flow", "do",
			"void f(uint n) { uint a = get_local_id(0); do { barrier(0); } while (a++ < n); }",
			"header depends"},
		{"barrier in control flow", "tile",
			"KERNEL_WG(WG) k(uint n) { FOR_TILE(i, 4, n) {\n barrier(0); } }",
			"header depends"},
		{"barrier in control flow", "break",
			"void f(uint n) { uint lid = get_local_id(0); for (;;) { if (lid < n)\n break; barrier(0); } }",
			"x.cl:2: leaves a loop"},
		{"barrier in control flow", "uniform break",
			"void f(uint n) { for (;;) { if (n) break; barrier(0); } }",
			""},
		{"barrier in control flow", "continue",
			"void f(uint n) { for (uint i = 0; i < n; i++) { if (i == 2)\n continue; barrier(0); } }",
			"x.cl:2: continues a loop with a barrier"},
		{"barrier in control flow", "continue without barrier",
			"void f(uint n) { for (uint i = 0; i < n; i++) { if (i == 2) continue; n--; } barrier(0); }",
			""},
		{"barrier in control flow", "break without barrier",
			"void f(uint n) { for (uint i = get_local_id(0); ; i++) { if (i > n) break; } barrier(0); }",
			""},
		{"barrier in control flow", "top level",
			"void f(uint n) { if (n) { n = 1; } barrier(0); for (uint i = 0; i < n; i++) n += i; barrier(0); " +
				"}",
			""},
		{"barrier in control flow", "uniform loops",
			"void f(uint n) { for (uint i = 0; i < n; i++) { barrier(0); } do barrier(0); while (n--); while " +
				"(n) { n--; barrier(0); } }",
			""},
		{"barrier in control flow", "uniform from local memory",
			"void f(uint n) { __local uint t[WG]; t[get_local_id(0)] = n; barrier(0); uint m = t[0]; while " +
				"(m--) barrier(0); }",
			""},
		{"barrier in control flow", "parameter that names a function",
			"DEFINE_WG_SCAN(add, uint, OP_ADD, 0u)\n" +
				"void f(uint n) { if (n) { uint name = n; n = name; } add(n, 0, 0); }",
			""},
		{"barrier in control flow", "after tile loop",
			"KERNEL_WG(WG) k(uint n) { FOR_TILE(i, 4, n)\n n++;\n barrier(0); }",
			""},

		{"KERNEL_WG", "bare", "\n__kernel void k(void) {}", "x.cl:2: __kernel"},
		{"KERNEL_WG", "attribute",
			"__attribute__((reqd_work_group_size(1, 1, 1))) KERNEL_WG(1) k(void) {}",
			"reqd_work_group_size"},
		{"KERNEL_WG", "in a macro", "#define K(name) kernel void name(void) {}", "kernel: declare"},
		{"KERNEL_WG", "good", "// a __kernel\nKERNEL_WG(WG) k(void) {}", ""},

		{"macros are demanded", "code",
			"uint f(void) { return\n ITEMS; }",
			"x.cl:2: ITEMS is used and not demanded"},
		{"macros are demanded", "in a macro", "#define TILE (WG * ITEMS)", "ITEMS is used"},
		{"macros are demanded", "in #if", "#if FAST\n#endif", "FAST is used"},
		{"macros are demanded", "no message",
			"#ifndef ITEMS\n#error \"missing\"\n#endif\nuint a = ITEMS;",
			"ITEMS is used"},
		{"macros are demanded", "other condition",
			"#ifndef OTHER\n#error \"ITEMS: elements\"\n#endif\nuint a = ITEMS;",
			"ITEMS is used"},
		{"macros are demanded", "demanded elsewhere",
			"#ifdef STEP\n#ifndef ITEMS\n#error \"ITEMS: elements\"\n#endif\n#endif\nuint a = ITEMS;",
			"ITEMS is used"},
		{"macros are demanded", "only a string", "#define A \"ITEMS\"\nuint f(void) { return 0; } // ITEMS", ""},
		{"macros are demanded", "demanded",
			"#ifndef ITEMS\n#error \"ITEMS: elements\"\n#endif\nuint a = ITEMS;",
			""},
		{"macros are demanded", "operator",
			"#ifndef OP\n#error \"OP(a, b): operator\"\n#endif\nuint a = OP(1, 2);",
			""},
		{"macros are demanded", "depending",
			"#ifndef HAS_VALUES\n#error \"HAS_VALUES: 1 or 0\"\n#endif\n#if HAS_VALUES && !defined(V)\n" +
				"#error \"V: type\"\n#endif\n#if HAS_VALUES\nV a;\n#endif",
			""},
		{"macros are demanded", "default", "#ifndef KEEP\n#define KEEP(i) 1\n#endif\nuint a = KEEP(1);", ""},
		{"macros are demanded", "optional", "#ifdef DROP\nuint a = DROP(1);\n#endif", ""},
		{"macros are demanded", "optional outside",
			"#ifdef DROP\n#else\nuint a = DROP(1);\n#endif",
			"DROP is used"},
		{"macros are demanded", "parameters", "#define M(T, OP) T f(T a) { return OP(a, WG); }", ""},
		{"macros are demanded", "built in",
			"uint a = CLK_LOCAL_MEM_FENCE | UINT_MAX; uint b = IS_CPU + OP_ADD(1, 2);",
			""},

		{"header", "nameless", "// something\n", "starts with something else"},
		{"header", "no shape", "// x.cl: adds.\n\nKERNEL_WG(WG) k(void) {}", "x.cl:3: neither"},
		{"header", "one of two",
			"// x.cl: adds.\n\n// One work-group.\nKERNEL_WG(WG) k(void) {}\n\nKERNEL_WG(WG) l(void) {}",
			"x.cl:6: neither"},
		{"header", "in the header",
			"// x.cl: adds.\n//\n// Launch: one work-group.\n\nKERNEL_WG(WG) k(void) {}",
			""},
		{"header", "at the kernel", "// x.cl: adds.\n\n// One work-group.\nKERNEL_WG(WG) k(void) {}", ""},

		{"vendor conditions", "PTX", "\n#if HAS_PTX\n#endif", "x.cl:2: #if HAS_PTX"},
		{"vendor conditions", "AMD", "#ifdef __AMDGCN__\n#endif", "__AMDGCN__"},
		{"vendor conditions", "defined", "#if 1\n#elif defined(cl_khr_subgroups)\n#endif", "cl_khr_subgroups"},
		{"vendor conditions", "width", "#if IS_CPU || SUBGROUP == 32\n#endif", "SUBGROUP"},
		{"vendor conditions", "assembly", "void f(void) { asm(\"nop\"); }", "asm: only"},
		{"vendor conditions", "builtin",
			"#define F(x) __builtin_amdgcn_readfirstlane(x)",
			"__builtin_amdgcn_readfirstlane"},
		{"vendor conditions", "capability", "#if IS_CPU || HAS_INT64_ATOMICS || FORWARD_PROGRESS\n#endif", ""},
	} {
		t.Run(c.rule+"/"+c.name, func(t *testing.T) {
			s := lex("x.cl", c.text)
			i := slices.IndexFunc(rules, func(r rule) bool { return r.name == c.rule })
			require.GreaterOrEqual(t, i, 0)
			got := rules[i].find(s, newWorld(prologueMacros(t), common, s))
			if c.want == "" {
				assert.Empty(t, got)
			} else {
				require.NotEmpty(t, got)
				assert.Contains(t, strings.Join(got, "\n"), c.want)
			}
		})
	}
}

// The first part of a family demands for all of it, and for no other.
func TestFamilyDemands(t *testing.T) {
	stem := lex("x.cl", "#ifndef ITEMS\n#error \"ITEMS: elements\"\n#endif")
	for name, want := range map[string]int{"x_part.cl": 0, "y_part.cl": 1, "xx.cl": 1} {
		s := lex(name, "uint a = ITEMS;")
		assert.Len(t, undemandedMacros(s, newWorld(nil, stem, s)), want, name)
	}
}

// One demand of a file's macro is for all that it defines and demands, and for nothing else.
func TestDemandsOfFile(t *testing.T) {
	tile := lex("tile.cl", "#ifndef ITEMS\n#error \"ITEMS: elements\"\n#endif\n#define SPAN 4\n#define WORDS 1")
	for text, want := range map[string]int{
		"#ifndef SPAN\n#error \"SPAN: of a tile, from tile.cl\"\n#endif\nuint a = SPAN + WORDS + ITEMS;": 0,
		"#ifndef SPAN\n#error \"SPAN: of a tile, from other.cl\"\n#endif\nuint a = SPAN + WORDS;":        1,
		"#ifdef SPAN\n#error \"WORDS: of a tile, from tile.cl\"\n#endif\nuint a = WORDS;":                1,
		"uint a = WORDS; // from tile.cl": 1,
	} {
		s := lex("x.cl", text)
		assert.Len(t, undemandedMacros(s, newWorld(nil, tile, s)), want, text)
	}
}

// Vendor conditions and bare kernels are what common.cl is for.
func TestCommonIsExempt(t *testing.T) {
	s := lex("common.cl", "#if HAS_PTX\n#define KERNEL_WG(n) __kernel void\n#endif")
	w := newWorld(prologueMacros(t), s)
	assert.Empty(t, vendorConditions(s, w))
	assert.Empty(t, bareKernels(s, w))
}

// What the lint reads must survive comments, strings and continued lines.
func TestLex(t *testing.T) {
	s := lex("x.cl", "a /* b\n c */ \"d // e\" 'f' // g\n#define M(x, y) \\\n    x + \\\n    y // h\ni")
	var got []string
	for _, w := range s.code {
		got = append(got, fmt.Sprint(w.line, w.text))
	}
	assert.Equal(t, []string{"1a", "2\"\"", "2''", "6i"}, got)
	require.Len(t, s.macros, 1)
	assert.Equal(t, "M", s.macros[0].name)
	assert.Equal(t, []string{"x", "y"}, s.macros[0].params)
	assert.Len(t, s.macros[0].body, 3)
}
