/* SPDX-License-Identifier: MIT
 *
 * The commands that change the state of draws: framebuffer, rasterizer, depth.
 */
#include "script/runner.h"
#include "script/words.h"

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

/* Reads one of a table of words into command->number. */
static bool
read_choice(struct script_cursor *cursor, const struct script_choice *choices,
            size_t num_choices, struct script_command *command)
{
   uint32_t number;

   if (!script_read_choice(cursor, choices, num_choices, &number))
      return false;
   command->number = number;
   return true;
}

static bool
read_switch(struct script_cursor *cursor, struct script_command *command)
{
   static const struct script_choice choices[] = {{"on", true}, {"off", false}};

   return read_choice(cursor, choices, COUNT(choices), command);
}

/* ---- framebuffer --------------------------------------------------------- */

/* Size and format hold for a whole test. */
static enum tg_result
check_before_drawing(struct script_runner *runner,
                     const struct script_command *command)
{
   if (!runner->drawing.color)
      return TG_OK;
   return script_fail(runner, command,
                      "this comes before the first clear and draw");
}

bool
script_read_frame_size(struct script_cursor *cursor,
                       const struct script *script,
                       struct script_command *command)
{
   (void)script;
   return script_read_size(cursor, 2, SCRIPT_MAX_SIZE, command->size);
}

enum tg_result
script_do_frame_size(struct script_runner *runner,
                     const struct script_command *command)
{
   enum tg_result result = check_before_drawing(runner, command);

   if (result == TG_OK) {
      runner->drawing.width = command->size[0];
      runner->drawing.height = command->size[1];
   }
   return result;
}

bool
script_read_frame_format(struct script_cursor *cursor,
                         const struct script *script,
                         struct script_command *command)
{
   struct script_cursor before = *cursor;
   uint32_t format;

   (void)script;
   if (!script_read_format(cursor, &format))
      return false;
   command->number = format;
   return format == TG_FORMAT_R8G8B8A8_UNORM ||
          format == TG_FORMAT_R32G32B32A32_FLOAT ||
          script_complain(&before, "the framebuffer's colours are "
                                   "R8G8B8A8_UNORM or R32G32B32A32_FLOAT");
}

enum tg_result
script_do_frame_format(struct script_runner *runner,
                       const struct script_command *command)
{
   enum tg_result result = check_before_drawing(runner, command);

   if (result == TG_OK)
      runner->drawing.format = (enum tg_format)command->number;
   return result;
}

/* ---- clip space ---------------------------------------------------------- */

bool
script_read_y(struct script_cursor *cursor, const struct script *script,
              struct script_command *command)
{
   static const struct script_choice choices[] = {{"up", true},
                                                  {"down", false}};

   (void)script;
   return read_choice(cursor, choices, COUNT(choices), command);
}

enum tg_result
script_do_y(struct script_runner *runner, const struct script_command *command)
{
   runner->drawing.y_up = command->number;
   return TG_OK;
}

bool
script_read_z(struct script_cursor *cursor, const struct script *script,
              struct script_command *command)
{
   static const struct script_choice choices[] = {{"from -1", false},
                                                  {"from 0", true}};

   (void)script;
   return read_choice(cursor, choices, COUNT(choices), command);
}

enum tg_result
script_do_z(struct script_runner *runner, const struct script_command *command)
{
   runner->drawing.rasterizer.clip_halfz = command->number;
   return TG_OK;
}

/* ---- rasterizer ---------------------------------------------------------- */

bool
script_read_cull(struct script_cursor *cursor, const struct script *script,
                 struct script_command *command)
{
   static const struct script_choice choices[] = {
      {"none", TG_FACE_NONE},
      {"front", TG_FACE_FRONT},
      {"back", TG_FACE_BACK},
      {"all", TG_FACE_FRONT_AND_BACK},
   };

   (void)script;
   return read_choice(cursor, choices, COUNT(choices), command);
}

enum tg_result
script_do_cull(struct script_runner *runner,
               const struct script_command *command)
{
   runner->drawing.rasterizer.cull_face = (uint8_t)command->number;
   return TG_OK;
}

bool
script_read_front(struct script_cursor *cursor, const struct script *script,
                  struct script_command *command)
{
   static const struct script_choice choices[] = {{"ccw", true}, {"cw", false}};

   (void)script;
   return read_choice(cursor, choices, COUNT(choices), command);
}

enum tg_result
script_do_front(struct script_runner *runner,
                const struct script_command *command)
{
   runner->drawing.rasterizer.front_ccw = command->number;
   return TG_OK;
}

enum { SMOOTH, FLAT_FIRST, FLAT_LAST };

bool
script_read_shading(struct script_cursor *cursor, const struct script *script,
                    struct script_command *command)
{
   static const struct script_choice choices[] = {
      {"smooth", SMOOTH},
      {"flat first", FLAT_FIRST},
      {"flat last", FLAT_LAST},
   };

   (void)script;
   return read_choice(cursor, choices, COUNT(choices), command);
}

enum tg_result
script_do_shading(struct script_runner *runner,
                  const struct script_command *command)
{
   struct tg_rasterizer_state *rasterizer = &runner->drawing.rasterizer;

   rasterizer->flatshade = command->number != SMOOTH;
   rasterizer->flatshade_first = command->number == FLAT_FIRST;
   return TG_OK;
}

/* ---- depth --------------------------------------------------------------- */

bool
script_read_depth_test(struct script_cursor *cursor,
                       const struct script *script,
                       struct script_command *command)
{
   uint32_t compare;

   (void)script;
   if (!script_read_compare(cursor, &compare))
      return false;
   command->number = compare;
   return true;
}

enum tg_result
script_do_depth_test(struct script_runner *runner,
                     const struct script_command *command)
{
   struct tg_depth_stencil_alpha_state *test = &runner->drawing.depth_test;

   test->depth_enabled = command->number != SCRIPT_COMPARE_OFF;
   if (test->depth_enabled)
      test->depth_func = (uint8_t)command->number;
   return TG_OK;
}

bool
script_read_depth_write(struct script_cursor *cursor,
                        const struct script *script,
                        struct script_command *command)
{
   (void)script;
   return read_switch(cursor, command);
}

enum tg_result
script_do_depth_write(struct script_runner *runner,
                      const struct script_command *command)
{
   runner->drawing.depth_test.depth_writemask = command->number;
   return TG_OK;
}
