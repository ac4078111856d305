# SPDX-License-Identifier: MIT
#
# The two commands of a newcomer, `make demo` and `make test`, and the tiers of
# a developer. Everything is built by meson and ninja below build*/.

BUILD ?= build
TEST_FLAGS ?= --print-errorlogs

.PHONY: all demo test asan tsan clang bench fuzz format clean set-up

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

# The same tests under the sanitizers, each in a folder of its own.
asan: | set-up
	[ -e build-asan/build.ninja ] || meson setup build-asan -Db_sanitize=address,undefined -Db_lundef=false
	ninja -C build-asan
	meson test -C build-asan --timeout-multiplier 6 $(TEST_FLAGS)

tsan: | set-up
	[ -e build-tsan/build.ninja ] || meson setup build-tsan -Db_sanitize=thread -Db_lundef=false
	ninja -C build-tsan
	meson test -C build-tsan --timeout-multiplier 6 $(TEST_FLAGS)

clang: | set-up
	[ -e build-clang/build.ninja ] || CC=clang meson setup build-clang
	ninja -C build-clang
	meson test -C build-clang $(TEST_FLAGS)

clean:
	rm -rf build build-*
