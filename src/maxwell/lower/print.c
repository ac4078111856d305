/* SPDX-License-Identifier: MIT
 *
 * Printers of a lowering: a listing and JSON.
 */
#include "maxwell/lower/print.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>

#include "util/json.h"

/* A text cut at its line ends. */
struct lines {
   char *text; /* with NULs for line ends */
   const char **line;
   uint32_t count;
};

static bool
cut_lines(struct tg_arena *arena, char *text, struct lines *out)
{
   uint32_t capacity = 0;

   *out = (struct lines){.text = text};
   if (!text)
      return false;
   for (char *at = text; *at;) {
      char *end = at + strcspn(at, "\n");

      if (!tg_arena_reserve(arena, (void **)&out->line, &capacity, out->count,
                            sizeof(*out->line)))
         return false;
      out->line[out->count++] = at;
      at = *end ? end + 1 : end;
      *end = '\0';
   }
   return true;
}

/* What is printed from. */
struct listing {
   const struct tg_maxwell_lowering *lowering;
   struct tg_arena arena;
   struct lines shader; /* the last lines are the instructions */
   struct lines words;  /* texture instructions, in their order */
};

static bool
begin_listing(struct listing *listing,
              const struct tg_maxwell_lowering *lowering)
{
   *listing = (struct listing){.lowering = lowering};
   tg_arena_init(&listing->arena, lowering->arena.allocator);

   bool good = cut_lines(&listing->arena, tg_shader_print(lowering->shader, 0),
                         &listing->shader);
   if (good && lowering->program->num_instructions)
      good = cut_lines(&listing->arena, tg_maxwell_print(lowering->program, 0),
                       &listing->words);
   return good;
}

static void
end_listing(struct listing *listing)
{
   tg_string_free(listing->shader.text);
   tg_string_free(listing->words.text);
   tg_arena_finish(&listing->arena);
}

/* The line of a TGSI instruction, without the white space before it. */
static const char *
shader_line(const struct listing *listing, uint32_t at)
{
   uint32_t count = listing->lowering->shader->num_instructions;
   uint32_t line = listing->shader.count - count + at;

   if (listing->shader.count < count)
      return "";
   return listing->shader.line[line] + strspn(listing->shader.line[line], " ");
}

/* ---- values and steps ---------------------------------------------------- */

/* What a value is called where it has no register. */
static void
print_value(struct tg_strbuf *out, const struct tg_maxwell_lowering *lowering,
            uint32_t number)
{
   assert(number < lowering->num_values);
   const struct maxwell_lower_value *value = &lowering->values[number];

   switch (value->kind) {
   case MAXWELL_LOWER_WORD:
      tg_strbuf_printf(out, "0x%08x", value->index);
      return;
   case MAXWELL_LOWER_CONSTANT:
      tg_strbuf_printf(out, "CONST[%u][%u].%c", value->dimension, value->index,
                       "xyzw"[value->channel]);
      return;
   case MAXWELL_LOWER_COMPONENT:
      tg_strbuf_printf(out, "%s[%u].%c", tg_file_row(value->file)->name,
                       value->index, "xyzw"[value->channel]);
      return;
   default: tg_strbuf_printf(out, "R%u", value->reg);
   }
}

/* The text of a step, with what it waits for. */
static void
print_step(struct tg_strbuf *out, const struct listing *listing,
           const struct maxwell_lower_fetch *fetch,
           const struct maxwell_lower_step *step)
{
   if (step->kind == MAXWELL_LOWER_STEP_FETCH) {
      tg_strbuf_add(
         out, listing->words.line[fetch->words[step->word].program_index]);
      return;
   }
   maxwell_lower_print_step(out, listing->lowering, fetch, step);
}

/* ---- the listing --------------------------------------------------------- */

static void
print_slots(struct tg_strbuf *out, const struct tg_maxwell_lowering *lowering)
{
   for (uint32_t i = 0; i < lowering->num_slots; i++) {
      const struct maxwell_lower_slot *slot = &lowering->slots[i];

      tg_strbuf_printf(out, "# handle 0x%x: view %u%s, sampler %u\n",
                       slot->index, slot->view,
                       slot->is_of_faces ? " as 2D_ARRAY" : "", slot->sampler);
   }
}

static void
print_preamble(struct tg_strbuf *out,
               const struct tg_maxwell_lowering *lowering)
{
   for (uint32_t i = 0; i < lowering->num_preamble; i++) {
      uint32_t dst = lowering->preamble[i].dst;

      tg_strbuf_printf(out, "        MOV R%u, ", lowering->values[dst].reg);
      print_value(out, lowering, dst);
      tg_strbuf_add(out, ";\n");
   }
}

static void
print_fetch(struct tg_strbuf *out, const struct listing *listing,
            const struct maxwell_lower_fetch *fetch)
{
   if (fetch->is_dead)
      tg_strbuf_add(out, "        # nothing is read of it\n");
   for (uint32_t i = 0; i < fetch->num_steps; i++) {
      tg_strbuf_add(out, "        ");
      print_step(out, listing, fetch, &fetch->steps[i]);
      tg_strbuf_add_char(out, '\n');
   }
}

struct counts {
   uint32_t scalar, full, dead, moves, conversions, quad;
};

static struct counts
count(const struct tg_maxwell_lowering *lowering)
{
   struct counts counts = {.moves = maxwell_lower_num_placed_moves(lowering)};

   for (uint32_t i = 0; i < lowering->num_fetches; i++) {
      const struct maxwell_lower_fetch *fetch = &lowering->fetches[i];
      bool is_scalar = maxwell_forms[fetch->words[0].instruction.form].kind ==
                       MAXWELL_KIND_SCALAR;

      counts.dead += fetch->is_dead;
      counts.scalar += is_scalar ? fetch->num_words : 0;
      counts.full += is_scalar ? 0 : fetch->num_words;
      for (uint32_t s = 0; s < fetch->num_steps; s++) {
         unsigned class = maxwell_lower_steps[fetch->steps[s].kind].class;

         counts.conversions += class == MAXWELL_LOWER_CLASS_CONVERSION;
         counts.quad += class == MAXWELL_LOWER_CLASS_QUAD;
      }
   }
   return counts;
}

static void
print_counts(struct tg_strbuf *out, const struct tg_maxwell_lowering *lowering)
{
   struct counts counts = count(lowering);

   tg_strbuf_printf(out,
                    "# %u scalar, %u full, %u not needed; %u moves, "
                    "%u conversions, ",
                    counts.scalar, counts.full, counts.dead, counts.moves,
                    counts.conversions);
   if (counts.quad)
      tg_strbuf_printf(out, "%u in quads, ", counts.quad);
   tg_strbuf_printf(out, "%u registers\n", lowering->num_registers);
}

static void
print_instructions(struct tg_strbuf *out, const struct listing *listing)
{
   const struct tg_maxwell_lowering *lowering = listing->lowering;
   uint32_t next = 0;

   for (uint32_t i = 0; i < lowering->shader->num_instructions; i++) {
      tg_strbuf_printf(out, "%s", shader_line(listing, i));
      if (lowering->waits[i]) {
         tg_strbuf_add(out, "  #");
         maxwell_lower_print_boards(out, lowering->waits[i]);
      }
      tg_strbuf_add_char(out, '\n');
      if (next < lowering->num_fetches && lowering->fetches[next].at == i)
         print_fetch(out, listing, &lowering->fetches[next++]);
   }
}

char *
tg_maxwell_lowering_print(const struct tg_maxwell_lowering *lowering)
{
   struct tg_strbuf out = {.allocator = lowering->arena.allocator};
   struct listing listing;
   char *text = NULL;

   if (begin_listing(&listing, lowering)) {
      print_slots(&out, lowering);
      print_preamble(&out, lowering);
      print_instructions(&out, &listing);
      print_counts(&out, lowering);
      text = tg_strbuf_take(&out);
   }
   end_listing(&listing);
   return text;
}

/* ---- JSON ---------------------------------------------------------------- */

static void
add_counts(struct tg_json *json, const struct tg_maxwell_lowering *lowering)
{
   struct counts counts = count(lowering);

   tg_json_number(json, json->root, "scalar", counts.scalar);
   tg_json_number(json, json->root, "full", counts.full);
   tg_json_number(json, json->root, "not_needed", counts.dead);
   tg_json_number(json, json->root, "moves", counts.moves);
   tg_json_number(json, json->root, "conversions", counts.conversions);
   tg_json_number(json, json->root, "in_quads", counts.quad);
   tg_json_number(json, json->root, "registers", lowering->num_registers);
}

static void
add_slots(struct tg_json *json, const struct tg_maxwell_lowering *lowering)
{
   struct tg_json_value *slots = tg_json_array(json, json->root, "handles");

   for (uint32_t i = 0; i < lowering->num_slots; i++) {
      struct tg_json_value *slot = tg_json_object(json, slots, NULL);

      tg_json_number(json, slot, "index", lowering->slots[i].index);
      tg_json_number(json, slot, "view", lowering->slots[i].view);
      tg_json_number(json, slot, "sampler", lowering->slots[i].sampler);
      tg_json_bool(json, slot, "as_2d_array", lowering->slots[i].is_of_faces);
   }
}

static void
add_constants(struct tg_json *json, const struct tg_maxwell_lowering *lowering)
{
   struct tg_json_value *constants =
      tg_json_array(json, json->root, "constants");

   for (uint32_t i = 0; i < lowering->num_preamble; i++) {
      uint32_t value = lowering->preamble[i].dst;
      struct tg_json_value *constant = tg_json_object(json, constants, NULL);
      struct tg_strbuf name = {.allocator = json->arena.allocator};

      print_value(&name, lowering, value);
      char *text = tg_strbuf_take(&name);
      if (text)
         tg_json_string(json, constant, "value", text);
      else
         json->failed = true;
      tg_json_number(json, constant, "register", lowering->values[value].reg);
      tg_string_free(text);
   }
}

static void
add_registers(struct tg_json *json, struct tg_json_value *parent,
              const char *name, const struct tg_maxwell_lowering *lowering,
              const struct maxwell_lower_tuple tuples[2])
{
   struct tg_json_value *registers = tg_json_array(json, parent, name);

   for (unsigned t = 0; t < 2; t++) {
      for (unsigned i = 0; i < tuples[t].count; i++)
         tg_json_number(json, registers, NULL,
                        lowering->values[tuples[t].value[i]].reg);
   }
}

static void
add_word(struct tg_json *json, struct tg_json_value *list,
         const struct listing *listing, const struct maxwell_lower_fetch *fetch,
         const struct maxwell_lower_word *word)
{
   const struct tg_maxwell_program *program = listing->lowering->program;
   struct tg_json_value *object = tg_json_object(json, list, NULL);
   uint32_t index = word->program_index;
   char text[24];

   tg_json_string(json, object, "form",
                  maxwell_forms[word->instruction.form].name);
   tg_json_string(json, object, "text", listing->words.line[index]);
   snprintf(text, sizeof(text), "%016llx",
            (unsigned long long)program->words[index]);
   tg_json_string(json, object, "word", text);
   snprintf(text, sizeof(text), "%06x", program->controls[index]);
   tg_json_string(json, object, "control", text);
   add_registers(json, object, "reads", listing->lowering, fetch->sources);
   add_registers(json, object, "writes", listing->lowering, word->results);
}

static void
add_step(struct tg_json *json, struct tg_json_value *list,
         const struct listing *listing, const struct maxwell_lower_fetch *fetch,
         const struct maxwell_lower_step *step)
{
   struct tg_strbuf out = {.allocator = json->arena.allocator};

   print_step(&out, listing, fetch, step);
   char *text = tg_strbuf_take(&out);
   if (text)
      tg_json_string(json, list, NULL, text);
   else
      json->failed = true;
   tg_string_free(text);
}

static void
add_fetch(struct tg_json *json, struct tg_json_value *list,
          const struct listing *listing,
          const struct maxwell_lower_fetch *fetch)
{
   struct tg_json_value *object = tg_json_object(json, list, NULL);

   tg_json_number(json, object, "instruction", fetch->at);
   tg_json_string(json, object, "tgsi", shader_line(listing, fetch->at));
   tg_json_bool(json, object, "needed", !fetch->is_dead);
   if (fetch->is_dead)
      return;
   struct tg_json_value *words = tg_json_array(json, object, "words");
   for (uint32_t i = 0; i < fetch->num_words; i++)
      add_word(json, words, listing, fetch, &fetch->words[i]);
   struct tg_json_value *steps = tg_json_array(json, object, "steps");
   for (uint32_t i = 0; i < fetch->num_steps; i++)
      add_step(json, steps, listing, fetch, &fetch->steps[i]);
}

char *
tg_maxwell_lowering_json(const struct tg_maxwell_lowering *lowering)
{
   assert(lowering);
   struct listing listing;
   char *text = NULL;

   if (begin_listing(&listing, lowering)) {
      struct tg_json json;

      tg_json_init_object(&json, lowering->arena.allocator);
      add_counts(&json, lowering);
      add_slots(&json, lowering);
      add_constants(&json, lowering);
      struct tg_json_value *list =
         tg_json_array(&json, json.root, "instructions");
      for (uint32_t i = 0; i < lowering->num_fetches; i++)
         add_fetch(&json, list, &listing, &lowering->fetches[i]);
      text = tg_json_take(&json);
   }
   end_listing(&listing);
   return text;
}
