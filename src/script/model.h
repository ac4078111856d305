/* SPDX-License-Identifier: MIT
 *
 * What a .tgsi_test file says, in memory. The parser builds it in one arena;
 * nothing of it changes afterwards.
 */
#ifndef TG_SCRIPT_MODEL_H
#define TG_SCRIPT_MODEL_H

#include "script/compare.h"
#include "script/settings.h"
#include "tungsten/tgsi.h"
#include "util/arena.h"

enum {
   SCRIPT_MAX_LENGTH = 64 << 20, /* bytes of a file */
   SCRIPT_MAX_SHADERS = 256,
   SCRIPT_MAX_TESTS = 4096,
   SCRIPT_MAX_COMMANDS = 1 << 20, /* of one test */
   SCRIPT_MAX_NAME = 200,
};

/* The text of a shader; it is parsed when a test wants it, as a test may
 * expect that this fails. */
struct script_shader {
   const char *name; /* "" for [shader] */
   uint32_t line;    /* of the first line of the text */
   const char *text; /* in the source of the script */
   size_t length;
};

/* The channels of a register that are compared, or a setting's target. */
struct script_expectation {
   struct script_register reg;
   unsigned mask; /* bit i: channel i */
   int lane;      /* or SCRIPT_ALL_LANES */
   struct script_values values;
   struct script_tolerance tolerance;
};

struct script_command {
   const struct script_command_rule *rule;
   struct tg_position position;
   union {
      uint64_t number;               /* lanes, loop budget, expect killed */
      uint32_t shader;               /* shader */
      struct script_word text;       /* expect error */
      struct script_setting setting; /* set */
      struct script_expectation expectation; /* expect OUT */
   };
};

struct script_test {
   const char *name;
   uint32_t line;
   struct script_command *commands;
   uint32_t num_commands, command_capacity;
};

struct script {
   struct tg_arena arena; /* owns everything, the script itself too */
   struct tg_source source;
   enum tg_dialect dialect;
   struct script_shader *shaders;
   struct script_test *tests;
   uint32_t num_shaders, shader_capacity;
   uint32_t num_tests, test_capacity;
};

/* The shader of a name, or NULL. */
const struct script_shader *
script_find_shader(const struct script *script, struct script_word name);

#endif
