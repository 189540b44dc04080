# The commands of this repository; `make help` lists them.

GO     ?= go
SUFFIX  = bin/suffixcl
TEXT    = internal/testkit/opticks/opticks.txt
COPIES ?= 24

export CGO_ENABLED = 0

# What runs on the slow drivers. Rusticl's launches are slow: the sorters of the papers are tested
# through the root package only. Oclgrind interprets: no tiles of full size.
RUSTICL_PACKAGES  = ./device ./scan ./merge ./internal/lcp ./internal/bwt ./lrq ./internal/intervals ./internal/matches ./internal/mappability ./internal/prefixes ./internal/thresholds ./internal/wavelet ./internal/verify ./internal/smalltexts ./internal/patternset ./internal/sets ./internal/fmindex ./internal/rlbwt ./internal/smem \
                    ./internal/match
OCLGRIND_PACKAGES = ./merge ./internal/lcp ./internal/bwt ./lrq ./internal/intervals ./internal/mappability ./internal/prefixes ./internal/thresholds ./internal/wavelet ./internal/verify ./internal/patternset ./internal/sets ./internal/rlbwt ./internal/smem ./internal/pml

# Of the sorts one type of pairs is enough there, of skew one algorithm: the others share
# their kernels. The sorters of suffixes run through the root package.
ONE_OF_EACH = TestSegmentedSort/.*/.*/.*/.*/u32-u32|TestHeads|TestRanges/.*/.*/.*/u32-u32|TestSortPairs/.*/.*/.*/u64-u32|TestFewerThanPlanned|TestTemplate|TestSkipPasses|TestSkew

# Of suffixsort, what brings short texts to every step.
EVERY_STEP = TestSteps|TestStructured|TestCapacity|TestChains|TestUnwritten

# Of the searches, what does not try many texts.
OCLGRIND_SEARCHES = TestDNA|TestSeparator|TestFile|TestHostile|TestLocate|TestForeignArray

RUSTICL_ICD  ?= /etc/OpenCL/vendors/rusticl.icd
OCLGRIND_ICD  = $(firstword $(wildcard /usr/lib/oclgrind/liboclgrind-rt-icd.so /usr/lib/*/oclgrind/liboclgrind-rt-icd.so \
                  /usr/lib/*/liboclgrind-rt-icd.so /usr/local/lib/liboclgrind-rt-icd.so))
OCLGRIND_CHECKS ?= OCLGRIND_DATA_RACES=1 OCLGRIND_CHECK_API=1
# Oclgrind frees all that a work-group had when it ends, and glibc returns it to the system each time, unless it keeps
# some: a third of the time.
OCLGRIND_HEAP    = MALLOC_TOP_PAD_=33554432

SORTERS = hybrid gpu-ls manber-myers osipov skew deo-keely sais suffixsort small-texts ranges

# -count=1: the go command does not know which drivers a result came from. style has vetted.
# No tables for debuggers: to link a test takes half the time.
TEST_FLAGS = -count=1 -vet=off -ldflags=-w -timeout 30m
TEST       = REQUIRE_OPENCL=1 $(GO) test $(TEST_FLAGS)
# Those of the laboratory, which is a module of its own, are below ./lab.
PACKAGES  ?= ./... ./lab/...

.PHONY: help build lib install-lib wheel python-test man release setup demo test quick how-long style lint fresh check gpu gate bounds rusticl rusticl-there rusticl-kernels rusticl-sorts rusticl-steps oclgrind race fuzz amd amd-run cross cross-darwin cross-arm64 cross-windows cross-lab cross-386 cub bench clean

help: ## list the targets
	@sed -n 's/^\([a-z-]*\):[^#]*## /\1\t/p' Makefile | expand -t 16

build: ## build bin/suffixcl and bin/suffixcl-lab
	@$(GO) build -o bin/ ./cmd/suffixcl
	@$(GO) -C lab build -o ../bin/ ./cmd/suffixcl-lab

# The library is the only artefact that needs cgo. The header is written by hand; Go's own is of no use.
LIB         ?= bin
PREFIX      ?= /usr/local
LIB_SOURCES  = cmd/libsuffixcl
LIB_LINK     = -Wl,-soname,libsuffixcl.so.0 \"-Wl,--version-script=$(CURDIR)/$(LIB_SOURCES)/exports.map\"
LIB_VERSION  = $(shell sed -n 's/^## v\([0-9.]*\).*/\1/p' CHANGELOG.md | head -n 1)
# STAMP is what a release has the linker set.
STAMP        =

lib: ## build the library for C, C++ and Fortran in LIB (bin): lib, include (needs a C compiler; Linux)
	CGO_ENABLED=1 $(GO) build -trimpath -buildmode=c-shared -ldflags "-s -w $(STAMP) -extldflags '$(LIB_LINK)'" \
		-o $(LIB)/lib/libsuffixcl.so.0 ./$(LIB_SOURCES)
	@rm -f $(LIB)/lib/libsuffixcl.so.h; mkdir -p $(LIB)/include $(LIB)/lib/pkgconfig
	@ln -sf libsuffixcl.so.0 $(LIB)/lib/libsuffixcl.so
	@cp $(LIB_SOURCES)/suffixcl.h $(LIB_SOURCES)/fortran/suffixcl.f90 $(LIB)/include/
	@sed 's/@VERSION@/$(LIB_VERSION)/' $(LIB_SOURCES)/suffixcl.pc.in > $(LIB)/lib/pkgconfig/suffixcl.pc

install-lib: lib ## install the library below PREFIX (/usr/local), with DESTDIR before it
	install -d $(DESTDIR)$(PREFIX)/lib/pkgconfig $(DESTDIR)$(PREFIX)/include
	install -m 755 $(LIB)/lib/libsuffixcl.so.0 $(DESTDIR)$(PREFIX)/lib/
	ln -sf libsuffixcl.so.0 $(DESTDIR)$(PREFIX)/lib/libsuffixcl.so
	install -m 644 $(LIB)/lib/pkgconfig/suffixcl.pc $(DESTDIR)$(PREFIX)/lib/pkgconfig/
	install -m 644 $(LIB)/include/suffixcl.h $(LIB)/include/suffixcl.f90 $(DESTDIR)$(PREFIX)/include/

# Debian's: one that is first in the path need not have numpy.
PYTHON        ?= /usr/bin/python3
WHEEL         ?= bin/wheel
WHEEL_ARCH    ?= $(shell $(GO) env GOARCH)
WHEEL_PARTS    = $(WHEEL)/$(WHEEL_ARCH)
WHEEL_VERSION  = -X github.com/suffixcl/suffixcl/internal/version.number=v$(LIB_VERSION)
# The test has a library already, and a command of packages that are compiled for other tests.
WHEEL_LIBRARY ?= $(WHEEL_PARTS)/lib/libsuffixcl.so.0
WHEEL_FLAGS   ?= -trimpath

wheel: ## build the wheel for Python of WHEEL_ARCH in WHEEL (bin/wheel), with library and command (needs a C compiler)
	$(if $(filter $(WHEEL_PARTS)/%,$(WHEEL_LIBRARY)),@GOARCH=$(WHEEL_ARCH) $(MAKE) --no-print-directory lib \
		LIB=$(WHEEL_PARTS) STAMP="$(or $(STAMP),$(WHEEL_VERSION))")
	GOARCH=$(WHEEL_ARCH) $(GO) build $(WHEEL_FLAGS) -ldflags "-s -w $(or $(STAMP),$(WHEEL_VERSION))" \
		-o $(WHEEL_PARTS)/bin/suffixcl ./cmd/suffixcl
	$(PYTHON) python/tools/wheel.py --library $(WHEEL_LIBRARY) --command $(WHEEL_PARTS)/bin/suffixcl \
		--go "$(GO)" --out $(WHEEL) $(if $(GLIBC),--glibc $(GLIBC))

python-test: setup wheel ## tests of the package for Python, which is installed from the wheel into a fresh venv
	./python/test $(WHEEL)

man: build ## write the manual pages bin/suffixcl.1 and bin/suffixcl-lab.1
	@for command in suffixcl suffixcl-lab; do bin/$$command help --man > bin/$$command.1 || exit 1; done

DIST   ?= bin/release
ARCHES ?= amd64 arm64
release: ## make archives, SBOMs and checksums of VERSION, or of the tag of this commit, in DIST (bin/release)
	GO="$(GO)" DIST="$(DIST)" ./scripts/release $(ARCHES)

setup: build ## install an OpenCL driver for the CPU if there is no device
	@./scripts/setup

demo: setup ## suffix array, BWT and LCP array of a text, verified, with the throughput
	@set -e; dir=$$(mktemp -d); trap 'rm -rf "$$dir"' EXIT; trap 'exit 130' INT TERM; \
	for i in $$(seq $(COPIES)); do cat $(TEXT); done | awk '{ printf "%d %s\n", NR, $$0 }' > "$$dir/text"; \
	echo "Text: $(COPIES) copies of $(TEXT) with numbered lines, $$(wc -c < "$$dir/text" | tr -d ' ') bytes."; \
	run() { echo; echo "\$$ $$*"; "$$@"; }; PATH="$(CURDIR)/bin:$$PATH"; cd "$$dir"; \
	run suffixcl sa text -o text.sa; \
	run suffixcl bwt text -o text.bwt; \
	run suffixcl lcp text --sa text.sa -o text.lcp; \
	run suffixcl unbwt text.bwt -o text.back; \
	cmp text text.back; \
	run suffixcl verify text text.sa --bwt text.bwt --lcp text.lcp; \
	echo; echo "To try next:"; printf '  bin/suffixcl %s\n' 'intervals $(TEXT) --maximal --min-depth 20 --top 10' \
		'repeats $(TEXT) --top 5' 'dedup $(TEXT) --min-length 40 --report -'

test: how-long setup style ## all tests, or those of PACKAGES, on every device found
	REQUIRE_OPENCL=1 $(GO) -C testdata/outside test -count=1 ./...
	REQUIRE_OPENCL=1 $(GO) run ./internal/testkit/testrun $(TEST_FLAGS) $(PACKAGES)

# Between edits: -short takes the native variant alone, and few texts of each kind. Left out are the commands, what
# measures or tests the tools, what needs ranks or other languages, and the tests that take longest.
LONG_PACKAGES = cmd lab internal/testkit distributed internal/mpi formats
LONG_TESTS    = TestSymbols16 TestUnwritten TestFaults TestFaultsOfBuilding TestPlaced TestMatchesBySeeds TestAutoChooses TestCancelAnyTime \
                TestLeaks TestKmersByHash TestSlowDevice TestConcurrentEngines TestConcurrentFirstUse TestDelivery \
                TestDegenerate TestClassOfTwoBounds TestGPULS TestFile TestStreams TestMethods TestEveryVerbOnEveryKind \
                TestPreparedRuns TestDifferential TestPlanAgrees TestMeasuredCalls TestPlanIsWhatHappens TestInterrupt \
                TestSymbols32 TestOrders TestSuffixArrayPasses TestBWTPasses TestDense TestPeriodic TestConcurrentMisuse \
                TestRanksFail TestRanksDiffer TestRanksInRanges TestRankKilled TestGuideRuns TestSearchProgress \
                TestArraysOfBytes TestAnywhere TestWidths TestGuess TestIndexInRanges TestMultiMatchesOfRepeats \
                TestSetAlgorithms TestSmallGroups TestResumed TestAbsent TestRounds TestCovers

empty =
any   = $(subst $(empty) $(empty),|,$(strip $(1)))

quick: setup ## the tests between edits, of the native variant, or those of PACKAGES: less than three minutes
	@REQUIRE_OPENCL=1 $(GO) run ./internal/testkit/testrun $(TEST_FLAGS) -short -skip '^($(call any,$(LONG_TESTS)))$$' \
		$(if $(filter ./...,$(PACKAGES)),$$($(GO) list ./... | grep -vE '/($(call any,$(LONG_PACKAGES)))(/|$$)'),$(PACKAGES))
	@echo 'Left out, and in `make test`: variants but the native one, most texts of each kind,'
	@$(if $(filter ./...,$(PACKAGES)),echo '  the packages below: $(LONG_PACKAGES)')
	@echo '  the tests $(strip $(LONG_TESTS))'

how-long:
	@$(if $(filter ./...,$(PACKAGES)),echo 'All tests take about half an hour on two processors. One package: make test PACKAGES=./scan')

style: ## gofmt, length of lines, order of imports, vet
	@gofmt=$$($(GO) env GOROOT)/bin/gofmt; [ -x "$$gofmt" ] || gofmt=gofmt; \
	files=$$("$$gofmt" -l .); if [ -n "$$files" ]; then echo "gofmt these:" $$files >&2; exit 1; fi
	$(GO) run ./internal/testkit/sourcelint
	$(GO) vet ./...
	$(GO) -C lab vet ./...

# A cold start compiles staticcheck and what it reads of the standard library: up to five minutes of a processor.
lint: style ## style, and all checks of staticcheck
	$(GO) tool -modfile=internal/testkit/tools/go.mod staticcheck -checks all ./...
	$(GO) -C lab tool -modfile=../internal/testkit/tools/go.mod staticcheck -checks all ./...

FRESH ?= demo test
fresh: ## make FRESH (demo test) in a clone on a bare Debian, by debootstrap (needs root)
	@./scripts/fresh $(FRESH)

check: ## everything that CI runs (Debian and Ubuntu; installs what is missing)
	./.ci/run

# What no subject of conformance has: runner.Elsewhere, and the steps of sessions and of suffixsort.
GPU_SUITES ?= device internal/suffixsort scan radixsort internal/verify distributed
GPU_DIR    ?= bin/gpu
GPU_DEVICE ?= gpu

gate: ## build what the gate of a GPU needs in GPU_DIR (bin/gpu), to carry it to a machine without Go
	$(GO) build -trimpath -ldflags='-s -w' -o $(GPU_DIR)/ ./cmd/suffixcl
	$(GO) -C lab build -trimpath -ldflags='-s -w' -o $(abspath $(GPU_DIR))/ ./cmd/suffixcl-lab
	@for suite in $(GPU_SUITES); do \
		$(GO) test -c -vet=off -ldflags='-s -w' -o $(GPU_DIR)/$$(basename $$suite).test ./$$suite || exit; \
		if [ -d $$suite/testdata ]; then mkdir -p $(GPU_DIR)/$$(basename $$suite) && \
			cp -r $$suite/testdata $(GPU_DIR)/$$(basename $$suite) || exit; fi; \
	done

gpu: gate ## run all that has to pass on a GPU before a change of kernels is done; reports in GPU_DIR/reports
	$(GPU_DIR)/suffixcl-lab gate --device '$(GPU_DEVICE)' -o $(GPU_DIR)/reports

rusticl: rusticl-kernels rusticl-sorts rusticl-steps ## kernel tests on Mesa's rusticl with llvmpipe

ON_RUSTICL = RUSTICL_ENABLE=llvmpipe OCL_ICD_VENDORS=$(RUSTICL_ICD)

rusticl-there: build
	@test -f $(RUSTICL_ICD) || { echo "no $(RUSTICL_ICD): scripts/setup --ci" >&2; exit 1; }
	$(ON_RUSTICL) $(SUFFIX) devices | grep platform.*rusticl

rusticl-kernels: rusticl-there
	$(ON_RUSTICL) $(TEST) $(RUSTICL_PACKAGES)

rusticl-sorts: rusticl-there
	$(ON_RUSTICL) $(TEST) -skip WhereMemoryIsShort -run '$(ONE_OF_EACH)|TestSuffixArray|TestLongestRepeats|TestSearch|TestMatch|TestIndex|TestLeaks|TestUnwritten' ./radixsort ./segsort . ./internal/call ./internal/jobs/genomes ./internal/jobs/repeats ./internal/jobs/search

rusticl-steps: rusticl-there
	$(ON_RUSTICL) $(TEST) -run '$(EVERY_STEP)|TestSAIS' ./internal/suffixsort ./internal/sais
	$(ON_RUSTICL) $(TEST) -run TestParts ./internal/ranges

# Beyond primitives, what has most views of buffers.
BOUNDS ?= primitives symbols set

bounds: build ## primitives, sorts of symbols and sets with each launch checked for what it touches
	bin/suffixcl-lab conformance --quick --variant bounds $(BOUNDS:%=--only %)

# Oclgrind reports on standard error, which `go test` hides where a test passes:
# every test process gets a file, and one that is not empty is a failure. Its compiler counts warnings there.
# (OCLGRIND_LOG is no help, each context truncates it. Open MPI's hwloc must not ask the device for what Oclgrind lacks.)
OCLGRIND ?= primitives sorters derived

oclgrind: build ## kernel tests on Oclgrind, primitives, sorters and what is derived: data races, API misuse, memory errors
	@test -n "$(OCLGRIND_ICD)" || { echo "no liboclgrind-rt-icd.so: scripts/setup --ci" >&2; exit 1; }
	@set -e; dir=$$(mktemp -d); trap 'rm -rf "$$dir"' EXIT; trap 'exit 130' INT TERM; \
	echo $(OCLGRIND_ICD) > "$$dir/oclgrind.icd"; mkdir "$$dir/log"; \
	printf '#!/bin/sh\nexec "$$@" 2>>"%s/log/$$$$"\n' "$$dir" > "$$dir/log-stderr"; chmod +x "$$dir/log-stderr"; \
	export OCL_ICD_VENDORS="$$dir/oclgrind.icd" HWLOC_COMPONENTS=-opencl $(OCLGRIND_CHECKS) $(OCLGRIND_HEAP); \
	$(SUFFIX) devices --no-test | grep platform.*Oclgrind; \
	code=0; tests() { echo "$(OCLGRIND_CHECKS) go test $$*"; $(TEST) -exec "$$dir/log-stderr" "$$@" || code=$$?; }; \
	for part in $(OCLGRIND); do case $$part in \
	primitives) \
		tests ./scan; \
		tests -run '$(ONE_OF_EACH)' ./radixsort ./segsort ;; \
	sorters) \
		tests -run '$(ONE_OF_EACH)' ./skew; \
		tests -run TestSteps ./internal/suffixsort; \
		tests -run 'TestUnderMPI/Open_MPI/2' ./distributed; \
		for n in 300 200 250; do head -c $$n $(TEXT); done > "$$dir/text"; \
		for sorter in $(SORTERS); do \
			echo "suffixcl sa --algorithm $$sorter"; \
			$(SUFFIX) sa "$$dir/text" -o "$$dir/sa" --algorithm $$sorter --quiet --device oclgrind 2> "$$dir/log/$$sorter" || code=$$?; \
		done ;; \
	derived) \
		tests $(OCLGRIND_PACKAGES); \
		tests -run '$(OCLGRIND_SEARCHES)' ./internal/fmindex ./internal/match; \
		tests -run TestShapes ./internal/smalltexts; \
		tests -run TestTiles ./internal/duplicates ;; \
	*) echo "OCLGRIND=$$part: primitives, sorters or derived" >&2; exit 2 ;; \
	esac; done; \
	cat "$$dir"/log/* | grep -vE '^[0-9]+ warnings? generated\.$$' > "$$dir/reports" || true; \
	if test -s "$$dir/reports"; then head -n 100 "$$dir/reports"; \
		echo "Oclgrind's reports, of which the above are the first:" >&2; grep -E '^[^[:space:]]|Kernel:' "$$dir/reports" | \
		sed 's/ at .* address .*//' | sort | uniq -c | sort -rn | head -n 20 >&2; exit 1; fi; \
	exit $$code

# Not optimised, the packages of this module compile in half the time: for what is run once, and for a moment.
OURS_PLAINLY = -gcflags='github.com/suffixcl/suffixcl/...=-N -l -dwarf=false'

# Concurrent use, with Go's race detector, which needs cgo and a C compiler.
race: ## tests of concurrent use, with the race detector
	CGO_ENABLED=1 $(TEST) $(OURS_PLAINLY) -race -run 'TestConcurrent|TestOpenTogether|TestCallbacks|TestWaiting|TestStreamsEnd' ./cl ./device . ./internal/call ./internal/jobs/arrays ./internal/jobs/search

FUZZTIME ?= 10s
# FUZZ_TARGETS: how many of the targets, chosen at random. With PLAINLY_FUZZED=1 what is fed is not optimised: a second of it is shorter than the compilation.
fuzz: ## feed every fuzz target for FUZZTIME (10s)
	GO="$(GO)" FUZZ_TARGETS="$(FUZZ_TARGETS)" ./scripts/fuzz $(FUZZTIME) $(if $(PLAINLY_FUZZED),$(OURS_PLAINLY))

AMD_GATE ?=
amd: ## compile every kernel for AMD GPUs: AMD_GATE, or all targets
	$(GO) run ./internal/testkit/amdgate -q -targets '$(AMD_GATE)'

AMD_TARGETS ?= gfx942 gfx1100
AMD_PARTS   ?= primitives sorters applications steps
AMD_SEED    := $(or $(AMD_SEED),$(shell od -An -N4 -tu4 /dev/urandom | tr -d ' '))

# The seed is that of the schedule of wavefronts: with the one that is printed a failure comes again. All parts take
# fourteen minutes of a processor. Primitives know the width of a wavefront, and little else does.
amd-run: build ## run every primitive, sorter, application and step of suffixsort as AMD code, on an emulator
	@for target in $(AMD_TARGETS); do \
		for part in $(AMD_PARTS); do \
			case $$part in \
			steps) set -- env SUFFIXCL_AMDGPU=$$target:$(AMD_SEED) \
				$(TEST) -run 'TestSteps|TestAnswers|TestAppendOnes|TestLoadOnes' ./internal/suffixsort ./internal/rlbwt ;; \
			*) set -- bin/suffixcl-lab conformance --quick --variant native --only $$part --device amdgpu:$$target:$(AMD_SEED) ;; \
			esac; \
			echo "$$@"; "$$@" || exit; \
		done; \
	done

# Without tables for debuggers, too: whether it builds is what matters.
PLAINLY = -gcflags='all=-N -l -dwarf=false' -ldflags=-w
# The laboratory, whose plots double what is compiled, has the same files on every Unix, of which one has been tested.
# No file is for Linux on arm64 alone: only what calls C libraries, through purego, has others there.
cross: cross-darwin cross-arm64 cross-windows cross-lab cross-386 ## build for other systems

cross-darwin:
	GOOS=darwin GOARCH=arm64 $(GO) build $(PLAINLY) $$($(GO) list ./... | grep -v 'internal/testkit\|libsuffixcl')

cross-arm64:
	GOOS=linux GOARCH=arm64 $(GO) build $(PLAINLY) ./cl
	GOOS=linux GOARCH=arm64 $(GO) test -c -vet=off -o /dev/null $(PLAINLY) ./internal/mpi

cross-windows:
	GOOS=windows GOARCH=amd64 $(GO) build $(PLAINLY) ./...

cross-lab:
	GOOS=windows GOARCH=amd64 $(GO) -C lab build $(PLAINLY) ./...

cross-386:
	! GOOS=linux GOARCH=386 $(GO) build . 2>&1 | grep overflow
	GOOS=linux GOARCH=386 $(GO) build . 2>&1 | grep needs_a_64_bit_platform

bench: setup ## Go benchmarks, on the device that SUFFIXCL_DEVICE selects
	$(GO) test -run '^$$' -bench . -timeout 60m ./...

cub: ## build lab/bench/cub/cub, which measures CUB for `suffixcl-lab bench primitives` (needs nvcc)
	nvcc -O3 -std=c++17 -arch=native -o lab/bench/cub/cub lab/bench/cub/cub.cu

clean: ## remove what was built
	rm -rf bin lab/bench/cub/cub
