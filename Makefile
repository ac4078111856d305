# SPDX-License-Identifier: MIT
#
# The two commands of a newcomer, `make demo` and `make test`, and the tiers of
# a developer. Everything is built by meson and ninja below build*/.

BUILD ?= build
TEST_FLAGS ?= --print-errorlogs

.PHONY: all demo test asan tsan clang bench fuzz fuzz-quick clean set-up

all: $(BUILD)/build.ninja
	ninja -C $(BUILD)

set-up:
	@tools/set-up

$(BUILD)/build.ninja: | set-up
	meson setup $(BUILD)

# A picture, drawn by the software GPU with a real program's shaders. The demo
# itself says how long it took.
demo: $(BUILD)/build.ninja | set-up
	ninja -C $(BUILD) examples/demo
	$(BUILD)/examples/demo $(BUILD)/demo.png
	@echo "the picture is $(BUILD)/demo.png"

test: all
	meson test -C $(BUILD) $(TEST_FLAGS)
	@$(MAKE) --no-print-directory fuzz-quick

# The same tests under the sanitizers, each in a folder of its own.
asan: build-asan/build.ninja
	ninja -C build-asan
	meson test -C build-asan --timeout-multiplier 6 $(TEST_FLAGS)

build-asan/build.ninja: | set-up
	meson setup build-asan -Db_sanitize=address,undefined -Db_lundef=false

tsan: | set-up
	[ -e build-tsan/build.ninja ] || meson setup build-tsan -Db_sanitize=thread -Db_lundef=false
	ninja -C build-tsan
	meson test -C build-tsan --timeout-multiplier 6 $(TEST_FLAGS)

clang: | set-up
	[ -e build-clang/build.ninja ] || CC=clang meson setup build-clang
	ninja -C build-clang
	meson test -C build-clang $(TEST_FLAGS)

# All fuzz targets for 60 seconds together, under the sanitizers.
FUZZ = tests/fuzz/fuzz_
SEEDS = tests/corpus/real tests/tgsi/bad tests/tgsi/canonical tests/tgsi/forms
fuzz-quick: build-asan/build.ninja
	@ninja -C build-asan $(FUZZ)text $(FUZZ)tokens $(FUZZ)run $(FUZZ)script tests/fuzz/tokens
	@export ASAN_OPTIONS=abort_on_error=1 UBSAN_OPTIONS=halt_on_error=1; \
	build-asan/$(FUZZ)text --seconds 15 --seed $$$$ $(SEEDS) && \
	build-asan/$(FUZZ)tokens --seconds 15 --seed $$$$ build-asan/tests/fuzz/tokens && \
	build-asan/$(FUZZ)run --seconds 20 --seed $$$$ tests/corpus/real && \
	build-asan/$(FUZZ)script --seconds 10 --seed $$$$ tests/script tests/opcodes tests/fuzz/regress/script

# The same targets with libFuzzer, FUZZ_TIME seconds each.
FUZZ_TIME ?= 60
fuzz: | set-up
	[ -e build-fuzz/build.ninja ] || CC=clang meson setup build-fuzz -Dfuzzer=true -Db_sanitize=address,undefined -Db_lundef=false
	ninja -C build-fuzz $(FUZZ)text $(FUZZ)tokens $(FUZZ)run $(FUZZ)script tests/fuzz/tokens
	build-fuzz/$(FUZZ)text -max_total_time=$(FUZZ_TIME) build-fuzz $(SEEDS)
	build-fuzz/$(FUZZ)tokens -max_total_time=$(FUZZ_TIME) build-fuzz build-fuzz/tests/fuzz/tokens
	build-fuzz/$(FUZZ)run -max_total_time=$(FUZZ_TIME) build-fuzz tests/corpus/real
	build-fuzz/$(FUZZ)script -max_total_time=$(FUZZ_TIME) build-fuzz tests/script tests/opcodes tests/fuzz/regress/script

bench: all
	meson test -C $(BUILD) --benchmark --verbose

clean:
	rm -rf build build-*
