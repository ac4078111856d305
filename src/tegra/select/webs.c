/* SPDX-License-Identifier: MIT
 *
 * Webs by union-find: see webs.h.
 */
#include "tegra/select/webs_walk.h"

#include <string.h>

/* Components times branches, beyond which it would take too long. No program of
 * 256 instructions comes near. */
enum { MAX_WORK = 1 << 22 };

/* ---- webs ---------------------------------------------------------------- */

static bool
is_web(uint32_t web)
{
   return web < WEB_LITERAL;
}

bool
webs_add(struct webs *webs, uint32_t *web_out)
{
   if (!tg_arena_reserve(webs->arena, (void **)&webs->list, &webs->capacity,
                         webs->count, sizeof(*webs->list)))
      return false;
   *web_out = webs->count;
   webs->list[webs->count] = (struct web){.parent = webs->count};
   webs->count++;
   return true;
}

bool
webs_add_input(struct webs *webs, uint32_t web, uint32_t input)
{
   if (web == input)
      return true;
   if (!tg_arena_reserve(webs->arena, (void **)&webs->inputs,
                         &webs->input_capacity, webs->num_inputs,
                         sizeof(*webs->inputs)))
      return false;
   webs->inputs[webs->num_inputs] =
      (struct web_input){input, webs->list[web].first_input};
   webs->list[web].first_input = webs->num_inputs++;
   return true;
}

uint32_t
webs_find(const struct webs *webs, uint32_t web)
{
   struct web *list = webs->list;

   if (!is_web(web))
      return web;
   while (list[web].parent != web) {
      list[web].parent = list[list[web].parent].parent;
      web = list[web].parent;
   }
   return web;
}

bool
webs_unite(struct webs *webs, uint32_t a, uint32_t b)
{
   a = webs_find(webs, a);
   b = webs_find(webs, b);
   if (!is_web(a) || !is_web(b) || a == b)
      return false;
   if (a < b)
      webs->list[b].parent = a;
   else
      webs->list[a].parent = b;
   return true;
}

/* ---- joining ------------------------------------------------------------- */

/* What is read is one with all that it joins, and they with theirs. */
static bool
unite_used(struct webs *webs)
{
   uint32_t *todo = tg_arena_array(webs->arena, webs->count, sizeof(*todo));
   uint32_t num_todo = 0;

   if (!todo)
      return false;
   for (uint32_t i = 0; i < webs->count; i++) {
      if (webs->list[i].is_used)
         todo[num_todo++] = i;
   }
   while (num_todo) {
      uint32_t web = todo[--num_todo];

      for (uint32_t i = webs->list[web].first_input; i;
           i = webs->inputs[i].next) {
         uint32_t input = webs->inputs[i].web;

         webs_unite(webs, web, input);
         if (!webs->list[input].is_used)
            todo[num_todo++] = input;
         webs->list[input].is_used = true;
      }
   }
   return true;
}

/* ---- the shader ---------------------------------------------------------- */

/* An array is what an indirect operand may mean: the registers of its
 * declarations, or all. */
static void
note_array(struct walk *walk, const struct tg_register *reg)
{
   const struct tg_shader *shader = walk->shader;
   uint32_t array_id = reg->index.array_id;

   if (reg->file != TG_FILE_TEMP || !reg->index.indirect ||
       walk->is_noted[array_id])
      return;
   walk->is_noted[array_id] = true;
   if (!array_id)
      memset(walk->is_array, true, walk->num_temporaries);
   for (uint32_t d = 0; array_id && d < shader->num_declarations; d++) {
      const struct tg_declaration *declaration = &shader->declarations[d];

      if (declaration->file != TG_FILE_TEMP ||
          declaration->array_id != array_id)
         continue;
      memset(walk->is_array + declaration->first, true,
             declaration->last - declaration->first + 1u);
   }
}

static uint32_t
count_registers(const struct tg_shader *shader, enum tg_file file)
{
   uint32_t count = 0;

   for (uint32_t d = 0; d < shader->num_declarations; d++) {
      const struct tg_declaration *declaration = &shader->declarations[d];

      if (declaration->file == file && count <= declaration->last)
         count = declaration->last + 1u;
   }
   return count;
}

/* Looks through the shader once; returns how much work the walk will be. */
static uint64_t
prepare(struct walk *walk)
{
   const struct tg_shader *shader = walk->shader;
   uint64_t num_joins = 1;

   for (uint32_t i = 0; i < shader->num_instructions; i++) {
      const struct tg_instruction *instruction = &shader->instructions[i];
      enum tg_flow flow = tg_opcode_row(instruction->opcode)->flow;

      num_joins += flow != TG_FLOW_NONE;
      walk->merges_all |= flow == TG_FLOW_BRANCH;
      for (unsigned s = 0; s < instruction->num_src; s++)
         note_array(walk, &instruction->src[s].reg);
      for (unsigned d = 0; d < instruction->num_dst; d++)
         note_array(walk, &instruction->dst[d].reg);
   }
   return num_joins * walk->num_components;
}

static bool
create_webs(struct walk *walk)
{
   struct webs *webs = walk->webs;
   uint32_t num_instructions = walk->shader->num_instructions;
   uint32_t web;

   webs->operands =
      tg_arena_array(webs->arena, num_instructions, sizeof(*webs->operands));
   walk->open =
      tg_arena_array(webs->arena, TG_MAX_NESTING + 2, sizeof(*walk->open));
   walk->sub_entry =
      tg_arena_array(webs->arena, num_instructions, sizeof(*walk->sub_entry));
   walk->sub_exit =
      tg_arena_array(webs->arena, num_instructions, sizeof(*walk->sub_exit));
   if (!webs->operands || !walk->open || !walk->sub_entry || !walk->sub_exit)
      return false;
   memset(webs->operands, 0xff, num_instructions * sizeof(*webs->operands));
   for (uint32_t i = 0; i < WEB_FIRST_COMPONENT; i++) {
      if (!webs_add(webs, &web))
         return false;
   }
   webs->num_inputs = 1;
   if (!tg_arena_reserve(webs->arena, (void **)&webs->inputs,
                         &webs->input_capacity, 0, sizeof(*webs->inputs)))
      return false;
   walk->at = walk_joining_state(walk);
   webs->num_first = webs->count - WEB_FIRST_COMPONENT;
   for (uint32_t i = 0; i < num_instructions && !walk->failed; i++) {
      uint32_t begin = walk->flow->nodes[i].partner;

      if (tg_opcode_row(walk->shader->instructions[i].opcode)->flow !=
             TG_FLOW_CALL ||
          walk->sub_entry[begin])
         continue;
      walk->sub_entry[begin] = walk_joining_state(walk);
      walk->sub_exit[begin] = walk_joining_state(walk);
   }
   return !walk->failed;
}

enum tg_result
webs_create(struct webs *webs, struct tg_arena *arena,
            const struct tg_shader *shader, const struct tg_flow_info *flow)
{
   struct walk walk = {.webs = webs, .shader = shader, .flow = flow};

   *webs = (struct webs){.arena = arena};
   walk.num_temporaries = count_registers(shader, TG_FILE_TEMP);
   walk.num_components = walk.num_temporaries * 4;
   walk.is_array = tg_arena_alloc(arena, walk.num_temporaries);
   if (!walk.is_array)
      return TG_ERROR_MEMORY;
   if (prepare(&walk) > MAX_WORK)
      return TG_ERROR_LIMIT;
   if (!create_webs(&walk))
      return TG_ERROR_MEMORY;
   walk_shader(&walk);
   if (walk.failed || !unite_used(webs))
      return TG_ERROR_MEMORY;
   return TG_OK;
}
