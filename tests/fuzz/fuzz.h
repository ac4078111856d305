/* SPDX-License-Identifier: MIT
 *
 * What a fuzz target defines: it takes any bytes, and aborts when something
 * that must hold does not. With `clang -fsanitize=fuzzer` libFuzzer calls it;
 * otherwise driver.c replays files and mutations of them.
 */
#ifndef TG_TESTS_FUZZ_H
#define TG_TESTS_FUZZ_H

#include <stddef.h>
#include <stdint.h>

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#endif
