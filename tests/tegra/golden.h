/* SPDX-License-Identifier: MIT
 *
 * Golden tests of Tegra programs: assembly whose comments say what goes in and
 * what is expected to come out. Where a comment is one of the lines below, it
 * means what stands beside it; all others are prose.
 *
 *    // covers: A, B               what the file claims to test (coverage.h)
 *    // case NAME                  from here on another program
 *    // c[3] = 1 2 3 4             a constant of the caller
 *    // max_steps 100              instructions for a vertex
 *    // nv_dst_dph                 the other reading of DST and DPH
 *    // vertex                     another vertex of the program
 *    // a[0] = 1 2 3 4             its attributes, 0 if not given
 *    // expect export[7] = 1 2 3 4
 *    // expect r[1] = 1 2 3 4      at its end; 0 if never written
 *    // expect A0 = -2 0 0 1       at its end
 *    // expect CR[1] = < = > ?     at its end; ? is unordered
 *    // expect end = NAME          tg_tegra_end_name(); else it ends well
 *    // expect finding             something undocumented is done, and told
 *    // any finding                or not
 *    // expect words[0] = 001f806c 0000000d 8006c003 60001ffc
 *
 * A value is a float as strtof() reads it (exact: its bits are compared, and
 * -0 is not 0), 0x and the bits, `nan` for any NaN, `*` for anything, or a
 * float with ~N behind it: so many units of the last place may be between.
 * Exports that no line names are expected to be 0. A program without a `vertex`
 * line has one vertex.
 */
#ifndef TESTS_TEGRA_GOLDEN_H
#define TESTS_TEGRA_GOLDEN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "tungsten/tegra.h"

enum golden_match { GOLDEN_BITS, GOLDEN_NAN, GOLDEN_ANY, GOLDEN_ULPS };

struct golden_value {
   uint8_t match; /* enum golden_match */
   uint32_t word;
   uint32_t ulps;
};

enum golden_kind {
   GOLDEN_EXPORT,
   GOLDEN_TEMPORARY,
   GOLDEN_ADDRESS,
   GOLDEN_CONDITION,
   GOLDEN_WORDS, /* of an instruction */
};

struct golden_expectation {
   unsigned line;
   uint8_t kind; /* enum golden_kind */
   uint32_t index;
   struct golden_value values[4];
};

struct golden_vertex {
   uint32_t attributes[TG_TEGRA_NUM_ATTRIBUTES][4];
   struct golden_expectation *expectations;
   size_t num_expectations;
   unsigned line;
   enum tg_tegra_end end;
};

/* A program with its vertices. */
struct golden_case {
   char name[80]; /* "" if the file has but one */
   const char *text;
   size_t length;
   unsigned line; /* of the file, of the first of its text */
   uint32_t constants[TG_TEGRA_NUM_CONSTANTS][4];
   uint32_t max_steps;
   bool nv_dst_dph;
   bool finding;     /* something is to be told */
   bool any_finding; /* or not */
   struct golden_vertex *vertices;
   size_t num_vertices;
};

struct golden_file {
   char *text;
   char *covers; /* all such lines, each claim with a comma behind it */
   struct golden_case *cases;
   size_t num_cases;
};

/* False, with a line on stderr, when it cannot be read. */
bool
golden_read(const char *path, struct golden_file *file);
void
golden_finish(struct golden_file *file);

bool
golden_matches(const struct golden_value *value, uint32_t word);

#endif
