# SPDX-License-Identifier: MIT
#
# The two commands of a newcomer, `make demo` and `make test`, and the tiers of
# a developer. Everything is built by meson and ninja below build*/.

BUILD ?= build
TEST_FLAGS ?= --print-errorlogs
# Another compiler may warn of something new, which is no reason not to build.
WERROR ?= false

# gold links hundreds of tests in half the time of GNU ld.
ifneq ($(shell command -v ld.gold),)
export CC_LD ?= gold
endif

.PHONY: all demo demo-opengl gallery test asan asan-quick tsan scalar jit x86 clang clang-build aarch64-build bench fuzz fuzz-quick clean set-up set-up-clang set-up-aarch64 set-up-bench

all: $(BUILD)/build.ninja
	ninja -C $(BUILD)

set-up:
	@tools/set-up build

set-up-clang:
	@tools/set-up build clang

set-up-aarch64:
	@tools/set-up build aarch64

# What benchmarks are compared with; they do without.
set-up-bench:
	@tools/set-up build bench

$(BUILD)/build.ninja: | set-up
	meson setup $(BUILD) -Dwerror=$(WERROR)

# A picture, drawn by the software GPU with a real program's shaders. The demo
# itself says how long it took.
demo: $(BUILD)/build.ninja | set-up
	ninja -C $(BUILD) examples/demo
	$(BUILD)/examples/demo $(BUILD)/demo.png
	@echo "the picture is $(BUILD)/demo.png"
	@tools/set-up clients || echo "no OpenGL program is drawn"
	$(MAKE) --no-print-directory demo-opengl

# An unmodified OpenGL program, and its last frame; without Mesa or the program
# there is none.
demo-opengl: $(BUILD)/build.ninja
	ninja -C $(BUILD) tungsten
	@if command -v glmark2 >/dev/null && command -v Xvfb >/dev/null; then \
	  set -x; tools/with-display $(BUILD)/tungsten gl --screenshot $(BUILD)/jellyfish.png glmark2 -b jellyfish:duration=3; \
	fi

# Scenes that show what the pipeline can do, one picture each.
gallery: $(BUILD)/build.ninja | set-up
	ninja -C $(BUILD) examples/gallery
	@mkdir -p $(BUILD)/gallery
	$(BUILD)/examples/gallery $(BUILD)/gallery
	@echo "the pictures are in $(BUILD)/gallery"

test: all
	@tools/set-up clients || echo "tests with OpenGL programs are skipped"
	meson test -C $(BUILD) $(TEST_FLAGS)
	@$(MAKE) --no-print-directory fuzz-quick
	@tools/test-summary $(BUILD)

# The same tests under the sanitizers, each in a folder of its own. Undefined
# behaviour would be a line on standard error, and no failure. The leak check of GCC 12
# reads what is no thread-local memory where a library that is loaded late has some, as
# LLVM's has, unless it is told not to look.
ASAN_TEST = ASAN_OPTIONS=halt_on_error=1:abort_on_error=1:intercept_tls_get_addr=0 \
	UBSAN_OPTIONS=halt_on_error=1:print_stacktrace=1 meson test -C build-asan --timeout-multiplier 6 $(TEST_FLAGS)
asan: build-asan/build.ninja
	ninja -C build-asan
	$(ASAN_TEST)

# Of the rooms where bytes come in and code is made; it builds no others' tests.
ASAN_QUICK = util file format tgsi lir lower exec x86 profile resource check run script virgl record
asan-quick: build-asan/build.ninja
	$(ASAN_TEST) $(ASAN_QUICK:%=--suite %)

# -Og compiles in half the time of -O2; reports name functions and lines.
build-asan/build.ninja: | set-up
	meson setup build-asan -Dwerror=$(WERROR) -Doptimization=g -Ddebug=false -Dc_args=-g1 -Db_sanitize=address,undefined -Db_lundef=false

# GCC warns of fences, which the sanitizer does not look at, and, as it inlines less then,
# of what loops of a known length initialize; and a child with threads of its own, as a
# client of the server is, has to be allowed.
tsan: | set-up
	[ -e build-tsan/build.ninja ] || meson setup build-tsan -Dwerror=$(WERROR) -Db_sanitize=thread -Db_lundef=false -Dc_args='-Wno-tsan -Wno-maybe-uninitialized'
	ninja -C build-tsan
	TSAN_OPTIONS=die_after_fork=0 meson test -C build-tsan --timeout-multiplier 6 $(TEST_FLAGS)

# On the executor of tests, in place of the interpreter.
scalar: | set-up
	[ -e build-scalar/build.ninja ] || meson setup build-scalar -Dwerror=$(WERROR) -Dexecutor=scalar
	ninja -C build-scalar
	meson test -C build-scalar --timeout-multiplier 6 $(TEST_FLAGS)

# On the JIT, in place of the interpreter. What LLVM allocates is left as it is:
# filling that takes most of the time.
jit: | set-up
	[ -e build-jit/build.ninja ] || meson setup build-jit -Dwerror=$(WERROR) -Djit=enabled -Dexecutor=jit
	ninja -C build-jit
	MALLOC_PERTURB_=0 meson test -C build-jit --timeout-multiplier 6 $(TEST_FLAGS)

# On the code generator for x86-64, in place of the interpreter.
x86: | set-up
	[ -e build-x86/build.ninja ] || meson setup build-x86 -Dwerror=$(WERROR) -Dexecutor=x86
	ninja -C build-x86
	meson test -C build-x86 $(TEST_FLAGS)

# With the other compiler: that it compiles the program, and with it the library,
# without a warning; and all the tests.
clang-build: | set-up-clang
	[ -e build-clang/build.ninja ] || CC=clang meson setup build-clang -Dwerror=$(WERROR)
	ninja -C build-clang tungsten

clang: clang-build
	ninja -C build-clang
	meson test -C build-clang $(TEST_FLAGS)

# For another processor: that program and library compile without a warning. Nothing is
# linked, which would take that processor's libraries.
aarch64-build: | set-up-aarch64
	[ -e build-aarch64/build.ninja ] || meson setup build-aarch64 --cross-file tools/aarch64.ini -Dwerror=$(WERROR) -Dtests=disabled -Dexamples=disabled -Dbench=disabled
	ninja -C build-aarch64 libtungsten.a $$(ninja -C build-aarch64 -t targets rule STATIC_LINKER)

# Fuzz targets, what each starts from, and its share of a minute in seconds.
FUZZ_TARGETS = text tokens run gpu contexts virgl vtest record script values npy blocks tegra_words tegra_text tegra_compile maxwell_words maxwell_text maxwell_cubin maxwell_lower
SEEDS_text = tests/corpus/real tests/tgsi/bad tests/tgsi/canonical tests/tgsi/forms
SEEDS_tokens = $(FUZZ_BUILD)/tests/fuzz/tokens
SEEDS_run = tests/corpus/real
SEEDS_gpu = tests/fuzz/gpu tests/fuzz/regress/gpu
SEEDS_contexts = tests/fuzz/gpu
SEEDS_virgl = $(FUZZ_BUILD)/tests/fuzz/virgl
SEEDS_vtest = $(FUZZ_BUILD)/tests/fuzz/vtest
SEEDS_record = tests/record/sessions
SEEDS_script = tests/script tests/opcodes tests/fuzz/regress/script
SEEDS_values = tests/fuzz/values
SEEDS_npy = tests/fuzz/npy
SEEDS_blocks = tests/fuzz/blocks
SEEDS_tegra_words = tests/fuzz/tegra_words
SEEDS_tegra_text = tests/fuzz/tegra_text tests/fuzz/regress/tegra_text tests/tegra/bad tests/tegra/check
SEEDS_tegra_compile = tests/fuzz/tegra_compile
SEEDS_maxwell_words = tests/fuzz/maxwell_words
SEEDS_maxwell_text = tests/fuzz/maxwell_text tests/maxwell/bad tests/maxwell/check
SEEDS_maxwell_cubin = $(FUZZ_BUILD)/tests/maxwell/cubins
SEEDS_maxwell_lower = tests/fuzz/maxwell_lower tests/maxwell/lower tests/corpus/real
SHARE_text = 6
SHARE_tokens = 6
SHARE_run = 4
SHARE_gpu = 4
SHARE_contexts = 2
SHARE_virgl = 3
SHARE_vtest = 3
SHARE_record = 3
SHARE_script = 5
SHARE_values = 2
SHARE_npy = 2
SHARE_blocks = 2
SHARE_tegra_words = 2
SHARE_tegra_text = 3
SHARE_tegra_compile = 3
SHARE_maxwell_words = 2
SHARE_maxwell_text = 3
SHARE_maxwell_cubin = 2
SHARE_maxwell_lower = 3
FUZZ_PROGRAMS = $(FUZZ_TARGETS:%=tests/fuzz/fuzz_%) tests/fuzz/tokens tests/fuzz/virgl tests/maxwell/cubins

# All of them for a minute of a processor together, under the sanitizers, from the
# same seed each time; SEED=N starts from another.
SEED ?= 1
fuzz-quick: FUZZ_BUILD = build-asan
fuzz-quick: build-asan/build.ninja
	@ninja -C build-asan $(FUZZ_PROGRAMS)
	@$(MAKE) --no-print-directory --output-sync -j$(shell nproc) $(FUZZ_QUICK)

FUZZ_QUICK = $(FUZZ_TARGETS:%=fuzz-quick-%)
.PHONY: $(FUZZ_QUICK)
$(FUZZ_QUICK): FUZZ_BUILD = build-asan
$(FUZZ_QUICK): fuzz-quick-%:
	@ASAN_OPTIONS=abort_on_error=1 UBSAN_OPTIONS=halt_on_error=1:abort_on_error=1 \
	build-asan/tests/fuzz/fuzz_$* --seconds $(SHARE_$*) --seed $(SEED) $(SEEDS_$*)

# The same targets with libFuzzer, FUZZ_TIME seconds each and a fresh seed each
# time; what they find new stays in the build folder. A session reaches so much of
# the program that to weigh the inputs would take nine tenths of the time.
FUZZ_TIME ?= 60
FLAGS_virgl = -entropic=0
FLAGS_vtest = -entropic=0
FLAGS_record = -entropic=0
fuzz: FUZZ_BUILD = build-fuzz
fuzz: | set-up-clang
	[ -e build-fuzz/build.ninja ] || CC=clang meson setup build-fuzz -Dwerror=$(WERROR) -Dfuzzer=true -Db_sanitize=address,undefined -Db_lundef=false
	ninja -C build-fuzz $(FUZZ_PROGRAMS)
	mkdir -p $(FUZZ_TARGETS:%=build-fuzz/found/%)
	set -e; $(foreach target,$(FUZZ_TARGETS),build-fuzz/tests/fuzz/fuzz_$(target) -max_total_time=$(FUZZ_TIME) $(FLAGS_$(target)) build-fuzz/found/$(target) $(SEEDS_$(target));)

bench: $(BUILD)/build.ninja
	meson configure $(BUILD) -Dbench=enabled
	meson test -C $(BUILD) --benchmark --verbose

clean:
	rm -rf build build-*
