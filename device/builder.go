package device

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"os"
	"regexp"
	"runtime"
	"strconv"
	"strings"

	"github.com/suffixcl/suffixcl/cl"
	"github.com/suffixcl/suffixcl/internal/driver"
	"github.com/suffixcl/suffixcl/internal/hooks"
)

// buildOptions are the same for every program. CL1.2 is what every vendor has;
// OpenCL C 3.0 atomics compile to worse code on NVIDIA.
// Signatures are for sessions that check launches, which have the others' programs.
const buildOptions = "-cl-std=CL1.2 -cl-kernel-arg-info"

// builder makes programs of sources for one device. Their binaries are on disk, keyed by everything that the binary
// depends on.
type builder struct {
	device   *cl.Device
	context  *cl.Context
	caps     *Caps
	disk     diskCache
	marks    diskCache // of what the driver keeps itself, where it does: that it was built
	identity string
	ahead    *ahead

	onBuild func(program string) (built func()) // may be nil
	edit    func(text string) string            // what a test has compiled instead; may be nil

	compiled, loaded int // programs built from source, and from a binary on disk
}

// newBuilder keeps binaries in a directory. A binary is offered to the very driver that made it only: some drivers
// cannot tell, and crash.
func newBuilder(caps *Caps, platformVersion, dir string) builder {
	own := userCache()
	b := builder{caps: caps, ahead: &ahead{}, identity: strings.Join([]string{
		caps.Platform, platformVersion, caps.Name, caps.DriverVersion, caps.openCLVersion, buildOptions,
	}, "\x00")}
	switch caps.Vendor {
	case driver.Oclgrind:
		dir = "off" // an interpreter: its checks need the source
	case driver.PoCL:
		b.marks = newDiskCache(dir, own)
		own = "" // it has a cache of its own, and compiles every kernel twice if it is asked for a binary
	}
	b.disk = newDiskCache(dir, own)
	return b
}

// helpers says who builds ahead.
func (b *builder) helpers(c Config) {
	most := c.Helpers
	if most == 0 {
		most = helpersFor(b.caps, runtime.GOMAXPROCS(0))
		if n, err := strconv.Atoi(os.Getenv(HelpersVariable)); err == nil {
			most = n
		}
	}
	if c.Helper == "" || most <= 0 {
		return
	}
	dir := b.disk.dir
	if dir == "" && b.caps.rehearses() && os.Getenv("POCL_KERNEL_CACHE") != "0" {
		dir = b.marks.dir
	}
	if dir == "" || !writable(dir) {
		return
	}
	a, o := b.ahead, order{Identity: b.identity, Cache: b.disk.dir}
	a.most, a.greeting, a.limit = most, greetingLimit, helperLimit
	a.start = func() (*helper, error) { return startHelper(c.Helper, o, a.greeting) }
}

func (b *builder) key(text string, resident int) string {
	sum := sha256.Sum256(fmt.Appendf(nil, "%s\x00%d\x00%s", b.identity, resident, text))
	return hex.EncodeToString(sum[:])
}

// build returns a program of the cache, or compiles it, if no helper does.
func (b *builder) build(of *Program) (*cl.Program, error) {
	src := of.src
	defer hooks.Begin("program " + src.name())()
	f, err := of.find()
	if err != nil {
		return nil, err
	}
	told := false
	tell := func() (built func()) {
		if b.onBuild != nil && !told {
			told, built = true, b.onBuild(src.name())
		}
		if built == nil {
			built = func() {}
		}
		return built
	}
	if b.ahead.has(of) {
		defer tell()()
		b.ahead.take(of)
	}
	if b.isCached(f) {
		if p := b.fromBinary(f.binary); p != nil {
			b.loaded++
			return p, nil
		}
	}
	defer tell()()
	p, err := b.compile(f.text, src.resident)
	if err != nil {
		return nil, err
	}
	b.mark(f.key)
	if b.disk.dir != "" {
		if binary, err := p.Binary(b.device); err == nil {
			b.disk.store(f.key, binary)
		}
	}
	return p, nil
}

// isCached tells whether a binary is in the cache, and reads it.
func (b *builder) isCached(f *found) bool {
	if f.binary == nil {
		f.binary = b.disk.load(f.key)
	}
	return f.binary != nil
}

// isBuilt tells whether a program is in the cache, as far as is known.
func (b *builder) isBuilt(f *found) bool {
	return b.isCached(f) || b.marks.load(b.markOf(f.key)) != nil
}

// mark notes that the driver has a program in its cache.
func (b *builder) mark(key string) {
	if b.ahead.most > 0 && b.disk.dir == "" && b.marks.load(b.markOf(key)) == nil {
		b.marks.store(b.markOf(key), []byte{1})
	}
}

// markOf is the key of a mark: a program may be in one cache of the driver, and not in another.
func (b *builder) markOf(key string) string {
	sum := sha256.Sum256([]byte(key + os.Getenv("POCL_CACHE_DIR") + "\x00" + os.Getenv("XDG_CACHE_HOME")))
	return hex.EncodeToString(sum[:])
}

func (b *builder) compile(text string, resident int) (*cl.Program, error) {
	p, err := b.context.CreateProgramWithSource([]string{text})
	if err != nil {
		return nil, err
	}
	if err := p.BuildProgram([]*cl.Device{b.device}, buildOptions); err != nil {
		p.Release()
		var failed *cl.BuildError
		if errors.As(err, &failed) {
			failed.Log = inFiles(failed.Log, text)
		}
		return nil, err
	}
	b.compiled++
	if resident > 0 {
		p = b.withResident(p, resident)
	}
	return p, nil
}

// inFiles gives the places that a log names their files, where a driver does not heed #line:
// NVIDIA's calls the whole text <kernel>, Oclgrind input.cl.
func inFiles(log, text string) string {
	lines := strings.Split(text, "\n")
	return place.ReplaceAllStringFunc(log, func(at string) string {
		number, err := strconv.Atoi(at[strings.LastIndexByte(at, ':')+1:])
		if err != nil || number > len(lines) {
			return at
		}
		for i := number - 1; i >= 0; i-- {
			if file, ok := strings.CutPrefix(lines[i], "#line 1 "); ok {
				return fmt.Sprintf("%s:%d", strings.Trim(file, `"`), number-1-i)
			}
		}
		return at
	})
}

var place = regexp.MustCompile(`(?:<kernel>|\binput\.cl):\d+`)

// withResident returns p built anew from its assembly with the request, or p itself where
// that cannot be done. NVIDIA's compiler option for registers is ignored in kernels whose
// work-group size is fixed, and the attribute that CUDA has for it is not known; but the
// binary of a program is PTX.
func (b *builder) withResident(p *cl.Program, resident int) *cl.Program {
	binary, err := p.Binary(b.device)
	if err != nil {
		return p
	}
	patched := reqntid.ReplaceAll(binary, fmt.Appendf(nil, "$0\n.minnctapersm %d", resident))
	if better := b.fromBinary(patched); better != nil {
		p.Release()
		return better
	}
	return p
}

var reqntid = regexp.MustCompile(`(?m)^\.reqntid .*$`)

// fromBinary builds a program of a binary, or returns nil if the driver refuses it.
func (b *builder) fromBinary(binary []byte) *cl.Program {
	p, err := b.context.CreateProgramWithBinary([]*cl.Device{b.device}, [][]byte{binary})
	if err != nil {
		return nil
	}
	if err := p.BuildProgram([]*cl.Device{b.device}, buildOptions); err != nil {
		p.Release()
		return nil
	}
	return p
}
