package amdcode

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

// Compiler is where the compiler, the linker, the disassembler and the device libraries are.
type Compiler struct {
	clang, lld, objdump, extract, bitcode string

	opencl string // instead of OpenCL's library, if it is not empty
}

// ErrNoCompiler says what to install.
var ErrNoCompiler = errors.New("install the Debian packages clang-19, lld-19, llvm-19 and rocm-device-libs")

// FindCompiler looks for the tools. Its error wraps [ErrNoCompiler].
func FindCompiler() (Compiler, error) {
	var c Compiler
	for _, tool := range []struct {
		name string
		path *string
	}{{"clang-19", &c.clang}, {"ld.lld-19", &c.lld}, {"llvm-objdump-19", &c.objdump}, {"llvm-extract-19", &c.extract}} {
		path, err := exec.LookPath(tool.name)
		if err != nil {
			return Compiler{}, fmt.Errorf("%w (no %s)", ErrNoCompiler, tool.name)
		}
		*tool.path = path
	}
	for _, pattern := range []string{"/usr/lib/*/amdgcn/bitcode", "/usr/lib/amdgcn/bitcode", "/opt/rocm/amdgcn/bitcode"} {
		dirs, _ := filepath.Glob(pattern)
		for _, dir := range dirs {
			if exists(filepath.Join(dir, "opencl.bc")) {
				c.bitcode = dir
				return c, nil
			}
		}
	}
	return Compiler{}, fmt.Errorf("%w (no amdgcn/bitcode/opencl.bc)", ErrNoCompiler)
}

func exists(file string) bool {
	_, err := os.Stat(file)
	return err == nil
}

func (c Compiler) library(name string) string {
	if name == "opencl" && c.opencl != "" {
		return c.opencl
	}
	return filepath.Join(c.bitcode, name+".bc")
}

// libraries are the device libraries for a target, in link order.
func (c Compiler) libraries(t Target) ([]string, error) {
	wavefront64 := "oclc_wavefrontsize64_off"
	if t.Wavefront == 64 {
		wavefront64 = "oclc_wavefrontsize64_on"
	}
	names := []string{
		"opencl", "ocml", "ockl", wavefront64,
		"oclc_correctly_rounded_sqrt_on", "oclc_daz_opt_off", "oclc_finite_only_off", "oclc_unsafe_math_off",
		"oclc_abi_version_500", // what clang 19 emits
	}
	for _, isa := range t.isa {
		if name := "oclc_isa_version_" + isa; exists(c.library(name)) {
			names = append(names, name)
			break
		}
	}
	for i, name := range names {
		names[i] = c.library(name)
		if !exists(names[i]) {
			return nil, fmt.Errorf("no device library %s", names[i])
		}
	}
	return names, nil
}

// arguments of clang for a text on standard input. -O3 and the standard are what the drivers and package device use.
func (c Compiler) arguments(t Target) ([]string, error) {
	libraries, err := c.libraries(t)
	if err != nil {
		return nil, err
	}
	args := []string{
		"-x", "cl", "-cl-std=CL1.2", "-target", "amdgcn-amd-amdhsa", "-mcpu=" + t.Name, "-O3",
		"-Xclang", "-finclude-default-header", "-nogpulib", "-Werror", "-Wparentheses",
	}
	for _, l := range libraries {
		args = append(args, "-Xclang", "-mlink-builtin-bitcode", "-Xclang", l)
	}
	return args, nil
}

// Compile returns the code object of a text. The options follow those that are always given; a driver's caller passes
// them. The error has the messages of the compiler.
func (c Compiler) Compile(ctx context.Context, text string, t Target, options ...string) ([]byte, error) {
	args, err := c.arguments(t)
	if err != nil {
		return nil, err
	}
	dir, err := os.MkdirTemp("", "amdcode")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	object, code := filepath.Join(dir, "program.o"), filepath.Join(dir, "program.co")
	args = append(append(args, options...), "-c", "-o", object, "-")
	if _, err := run(ctx, "compiling", text, c.clang, args...); err != nil {
		return nil, err
	}
	if _, err := run(ctx, "linking", "", c.lld, "-shared", "--no-undefined", "-o", code, object); err != nil {
		return nil, err
	}
	return os.ReadFile(code)
}

// run returns the standard output of a program; what names it in the error, which has all that it wrote.
func run(ctx context.Context, what, input, name string, args ...string) ([]byte, error) {
	cmd := exec.CommandContext(ctx, name, args...)
	var messages strings.Builder
	cmd.Stdin, cmd.Stderr = strings.NewReader(input), &messages
	out, err := cmd.Output()
	if err != nil {
		return nil, fmt.Errorf("%s: %w\n%s%s", what, err, messages.String(), out)
	}
	return out, nil
}
