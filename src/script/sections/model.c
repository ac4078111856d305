/* SPDX-License-Identifier: MIT
 *
 * Look-ups in the model of a file: shaders and stages by name, tests by number.
 */
#include "script/sections/model.h"

#include <assert.h>

const char *const script_stage_names[TG_NUM_GPU_STAGES] = {
   [TG_GPU_VERTEX] = "vertex",       [TG_GPU_FRAGMENT] = "fragment",
   [TG_GPU_GEOMETRY] = "geometry",   [TG_GPU_TESS_CTRL] = "tess control",
   [TG_GPU_TESS_EVAL] = "tess eval",
};

unsigned
script_model_accept_stage(struct script_cursor *cursor)
{
   unsigned stage = 0;

   while (stage < TG_NUM_GPU_STAGES &&
          !cursor_accept_words(cursor, script_stage_names[stage]))
      stage++;
   return stage;
}

const struct script_shader *
script_model_find_shader(const struct script *script, struct script_word name)
{
   for (uint32_t i = 0; i < script->num_shaders; i++) {
      const char *candidate = script->shaders[i].name;

      if (candidate && cursor_word_is(name, candidate))
         return &script->shaders[i];
   }
   return NULL;
}

size_t
script_model_num_tests(const struct script *script)
{
   return script->num_tests;
}

const char *
script_model_test_name(const struct script *script, size_t test)
{
   assert(test < script->num_tests);
   return script->tests[test].name;
}

uint32_t
script_model_test_line(const struct script *script, size_t test)
{
   assert(test < script->num_tests);
   return script->tests[test].line;
}

bool
script_model_read_shader_name(struct script_cursor *cursor,
                              const struct script *script, uint32_t *shader_out)
{
   for (uint32_t i = 0; i < script->num_shaders; i++) {
      const char *name = script->shaders[i].name;
      struct script_cursor before = *cursor;

      if (name && *name && cursor_accept_words(cursor, name)) {
         if (cursor_at_end(cursor)) {
            *shader_out = i;
            return true;
         }
         *cursor = before;
      }
   }
   return cursor_complain(cursor, "expected the name of a shader above");
}
