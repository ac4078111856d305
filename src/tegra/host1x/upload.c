/* SPDX-License-Identifier: MIT
 *
 * Program upload by command streams: the memory of the vertex unit as a stream
 * fills it, and the shortest stream that uploads a program.
 */
#include <assert.h>
#include <string.h>

#include "tegra/host1x/host1x.h"
#include "tegra/isa/program.h"

enum {
   NUM_WORDS = TG_TEGRA_MAX_INSTRUCTIONS * TG_TEGRA_WORDS,
   NUM_CONSTANT_WORDS = TG_TEGRA_NUM_CONSTANTS * 4,
};

/* ---- reading ------------------------------------------------------------- */

/* What an upload is ended by. */
enum fault {
   FAULT_NONE,
   FAULT_NEXT, /* none: the next program begins */
   FAULT_TOO_MANY_INSTRUCTIONS,
   FAULT_TOO_MANY_CONSTANTS,
};

/* The unit's memory, and where it is written next. */
struct upload {
   uint32_t words[NUM_WORDS];
   bool has_word[NUM_WORDS];
   uint32_t at;
   uint32_t end;    /* after the last word of the program */
   uint32_t number; /* of the program, from 1; 0: none yet */
   uint32_t last;   /* the number that is wanted; 0: the last one */
   bool is_next;    /* the next word begins another program */
   uint32_t constants[NUM_CONSTANT_WORDS];
   bool has_constant[NUM_CONSTANT_WORDS];
   uint32_t constant_at;
   enum fault fault;
};

/* The first word of register `index`, of which there are `count`; that after
 * the last where there is none. */
static uint32_t
first_word(uint32_t index, uint32_t count)
{
   return (index < count ? index : count) * TG_TEGRA_WORDS;
}

/* A program begins with the first word after an index. One that does not begin
 * with instruction 0 changes what is there. */
static bool
begin_program(struct upload *upload)
{
   if (upload->number && upload->number == upload->last) {
      upload->fault = FAULT_NEXT;
      return false;
   }
   upload->number++;
   upload->is_next = false;
   if (upload->at == 0)
      upload->end = 0;
   return true;
}

static bool
write_instruction(struct upload *upload, uint32_t value)
{
   if (upload->is_next && !begin_program(upload))
      return false;
   if (upload->at == NUM_WORDS) {
      upload->fault = FAULT_TOO_MANY_INSTRUCTIONS;
      return false;
   }
   upload->has_word[upload->at] = true;
   upload->words[upload->at++] = value;
   if (upload->end < upload->at)
      upload->end = upload->at;
   return true;
}

static bool
write_constant(struct upload *upload, uint32_t value)
{
   if (upload->constant_at == NUM_CONSTANT_WORDS) {
      upload->fault = FAULT_TOO_MANY_CONSTANTS;
      return false;
   }
   upload->has_constant[upload->constant_at] = true;
   upload->constants[upload->constant_at++] = value;
   return true;
}

/* A host1x_write_function; `user` is the upload. */
static bool
write_register(void *user, const struct host1x_write *write)
{
   struct upload *upload = user;

   if (write->class_id != HOST1X_CLASS_3D)
      return true;
   switch (write->offset) {
   case HOST1X_INSTRUCTION_INDEX:
      upload->at = first_word(write->value, TG_TEGRA_MAX_INSTRUCTIONS);
      upload->is_next = true;
      break;
   case HOST1X_INSTRUCTION: return write_instruction(upload, write->value);
   case HOST1X_CONSTANT_INDEX:
      upload->constant_at = first_word(write->value, TG_TEGRA_NUM_CONSTANTS);
      break;
   case HOST1X_CONSTANT: return write_constant(upload, write->value);
   default: break;
   }
   return true;
}

/* The first word of the program that nothing was written to, or its end. */
static uint32_t
find_gap(const struct upload *upload)
{
   uint32_t at = 0;

   while (at < upload->end && upload->has_word[at])
      at++;
   return at;
}

/* ---- complaints ---------------------------------------------------------- */

static enum tg_result
refuse(struct tg_diagnostics *diagnostics, const char *name, const char *note,
       const char *format, ...) __attribute__((format(printf, 4, 5)));

static enum tg_result
refuse(struct tg_diagnostics *diagnostics, const char *name, const char *note,
       const char *format, ...)
{
   const struct tg_source source = {.name = name};
   va_list args;

   va_start(args, format);
   tg_vdiagnose(diagnostics, TG_SEVERITY_ERROR, "host1x", &source,
                (struct tg_position){0}, note, format, args);
   va_end(args);
   return TG_ERROR_INPUT;
}

/* The stream is none from word `at` on. */
static enum tg_result
refuse_stream(struct tg_diagnostics *diagnostics, const char *name,
              enum host1x_end end, const uint32_t *words, size_t num_words,
              size_t at)
{
   assert(at < num_words);
   if (end == HOST1X_CUT)
      return refuse(diagnostics, name, NULL,
                    "the data of the command in word %zu is cut: %zu of %u "
                    "words are there",
                    at, num_words - at - 1, host1x_num_data(words[at]));
   return refuse(diagnostics, name,
                 "a stream begins with a command, and each follows the data of "
                 "that before it",
                 "word %zu, 0x%08x, is no command of host1x", at, words[at]);
}

static enum tg_result
refuse_upload(struct tg_diagnostics *diagnostics, const char *name,
              const struct upload *upload, size_t at)
{
   const uint32_t gap = find_gap(upload);

   if (upload->fault == FAULT_TOO_MANY_INSTRUCTIONS)
      return refuse(diagnostics, name, NULL,
                    "the command in word %zu writes instruction %d, and the "
                    "last is %d",
                    at, TG_TEGRA_MAX_INSTRUCTIONS,
                    TG_TEGRA_MAX_INSTRUCTIONS - 1);
   if (upload->fault == FAULT_TOO_MANY_CONSTANTS)
      return refuse(diagnostics, name, NULL,
                    "the command in word %zu writes c[%d], and the last is "
                    "c[%d]",
                    at, TG_TEGRA_NUM_CONSTANTS, TG_TEGRA_NUM_CONSTANTS - 1);
   if (upload->number == 0)
      return refuse(diagnostics, name,
                    "instructions are written to register 0x206 of class 0x60; "
                    "what a GATHER leads to is a stream of its own",
                    "the stream uploads no program");
   if (upload->number < upload->last)
      return refuse(diagnostics, name, NULL,
                    "the stream uploads %u program%s, and no number %u",
                    upload->number, upload->number == 1 ? "" : "s",
                    upload->last);
   return refuse(diagnostics, name, NULL,
                 "the stream leaves out word %u of "
                 "instruction %u",
                 gap % TG_TEGRA_WORDS, gap / TG_TEGRA_WORDS);
}

static void
warn_of_others(struct tg_diagnostics *diagnostics, const char *name,
               const struct upload *upload)
{
   const struct tg_source source = {.name = name};

   if (upload->last == 0 && upload->number > 1)
      tg_diagnose(diagnostics, TG_SEVERITY_WARNING, "uploads", &source,
                  (struct tg_position){0}, NULL,
                  "the stream uploads %u programs, of which this is the last",
                  upload->number);
}

/* ---- the whole ----------------------------------------------------------- */

static bool
is_whole(const struct upload *upload)
{
   return (upload->fault == FAULT_NONE || upload->fault == FAULT_NEXT) &&
          upload->number > 0 && upload->number >= upload->last &&
          upload->end % TG_TEGRA_WORDS == 0 && find_gap(upload) == upload->end;
}

/* Those that are 0 are left out, as they would be 0 without. */
static void
give_constants(const struct upload *upload, struct tg_tegra_program *program)
{
   static const uint32_t zeros[4];

   for (uint32_t i = 0; i < TG_TEGRA_NUM_CONSTANTS; i++) {
      const uint32_t *words = upload->constants + i * 4;

      if (memcmp(words, zeros, sizeof(zeros)) == 0)
         continue;
      memcpy(program->constants[i], words, sizeof(zeros));
      for (unsigned j = 0; j < 4; j++)
         program->constant_masks[i] |=
            (uint8_t)(upload->has_constant[i * 4 + j] << j);
   }
}

enum tg_result
tg_tegra_decode_host1x(const struct tg_allocator *allocator, const char *name,
                       const uint32_t *words, size_t num_words, uint32_t number,
                       struct tg_diagnostics *diagnostics,
                       struct tg_tegra_program **program_out)
{
   assert(program_out);
   struct upload upload = {.last = number, .is_next = true};
   size_t at = 0;
   enum host1x_end end =
      host1x_walk(words, num_words, write_register, &upload, &at);

   if (end == HOST1X_NO_COMMAND || end == HOST1X_CUT)
      return refuse_stream(diagnostics, name, end, words, num_words, at);
   if (!is_whole(&upload))
      return refuse_upload(diagnostics, name, &upload, at);
   enum tg_result result = tg_tegra_decode(allocator, name, upload.words,
                                           upload.end, NULL, program_out);
   if (result != TG_OK)
      return result;
   give_constants(&upload, *program_out);
   warn_of_others(diagnostics, name, &upload);
   return TG_OK;
}

bool
tg_tegra_is_host1x(const uint32_t *words, size_t num_words)
{
   struct upload upload = {.is_next = true};
   size_t at;

   return host1x_walk(words, num_words, write_register, &upload, &at) ==
             HOST1X_ENDED &&
          is_whole(&upload);
}

/* ---- writing ------------------------------------------------------------- */

/* Words that are counted also where there is no room for them. */
struct output {
   uint32_t *words;
   size_t capacity, count;
};

static void
add(struct output *output, uint32_t word)
{
   if (output->count < output->capacity)
      output->words[output->count] = word;
   output->count++;
}

/* An index, and `count` words after it to the register that follows its own.
 */
static void
add_words(struct output *output, enum host1x_register index_register,
          uint32_t index, const uint32_t *words, uint32_t count)
{
   const uint32_t data_register = (uint32_t)index_register + 1;

   add(output,
       (uint32_t)HOST1X_IMM << 28 | (uint32_t)index_register << 16 | index);
   add(output, (uint32_t)HOST1X_NONINCR << 28 | data_register << 16 | count);
   for (uint32_t i = 0; i < count; i++)
      add(output, words[i]);
}

/* Those that stand together are written together. */
static void
add_constants(struct output *output, const struct tg_tegra_program *program)
{
   uint32_t end;

   for (uint32_t i = 0; i < TG_TEGRA_NUM_CONSTANTS; i = end + 1) {
      end = i;
      while (end < TG_TEGRA_NUM_CONSTANTS && program->constant_masks[end])
         end++;
      if (end > i)
         add_words(output, HOST1X_CONSTANT_INDEX, i, program->constants[i],
                   (end - i) * 4);
   }
}

size_t
tg_tegra_encode_host1x(const struct tg_tegra_program *program, uint32_t *words,
                       size_t capacity)
{
   assert(program);
   struct output output = {words, capacity, 0};

   add_words(&output, HOST1X_INSTRUCTION_INDEX, 0, program->words[0],
             program->num_instructions * TG_TEGRA_WORDS);
   add_constants(&output, program);
   return output.count;
}
