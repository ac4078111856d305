/* SPDX-License-Identifier: MIT
 *
 * Extraction of shaders from logs. A walk over a log's lines says of each
 * whether it belongs to a shader; it is done once to find the shaders, and
 * again over one of them whenever its text is wanted, so that nothing is kept
 * for a line. Each byte is looked at a bounded number of times.
 *
 * A shader begins with a line whose last word is its stage. Whatever stands
 * before that word is the shader's prefix if the next line has it too; in a
 * prefix, numbers stand for any numbers, as in times. The shader goes on to its
 * END and what subroutines follow it. A line that looks like no statement is
 * passed over before the END, and ends the shader after it.
 */
#include <assert.h>
#include <string.h>

#include "tgsi/text/parse.h"
#include "util/strbuf.h"

enum {
   MAX_TEXT = 1 << 30, /* bytes */
   MAX_PREFIX = 256,   /* bytes; a longer one is none */
};

/* Bytes of the text, of one line mostly. */
struct span {
   const char *at, *end;
};

enum line_kind {
   LINE_BLANK,
   LINE_STAGE,     /* a shader begins */
   LINE_STATEMENT, /* it goes on */
   LINE_ORPHAN,    /* a declaration outside of all shaders */
   LINE_OTHER,
};

struct line {
   enum line_kind kind;
   enum tg_processor processor; /* of LINE_STAGE */
   uint32_t number;             /* from 1 */
   struct span all;
   struct span part; /* that belongs to the shader */
};

enum walk_state {
   OUTSIDE,
   BEFORE_END,
   AFTER_END,
};

/* What is before each line of a shader. NUMBER is any number with the blanks
 * before it; no other digits are left. */
struct prefix {
   uint32_t length;
   char bytes[MAX_PREFIX];
};

enum { NUMBER = '0' };

struct walk {
   struct span left; /* lines that are still to come */
   uint32_t line;    /* the number of the next */
   enum walk_state state;
   struct prefix prefix; /* of the shader */
};

struct log_shader {
   struct span lines; /* from its stage to its last statement */
   uint32_t line;     /* the number of the first */
   enum tg_processor processor;
};

struct tg_log {
   struct tg_arena arena; /* owns the log */
   struct tg_source source;
   uint32_t num_shaders, capacity;
   struct log_shader *shaders;
   bool has_others; /* lines, or parts of them, that are of no shader */
   bool is_shader;  /* the text is one, with nothing before it */
};

/* ---- bytes --------------------------------------------------------------- */

static bool
is_blank(char c)
{
   return c == ' ' || c == '\t' || c == '\r';
}

static bool
is_digit(char c)
{
   return c >= '0' && c <= '9';
}

static bool
is_upper(char c)
{
   return c >= 'A' && c <= 'Z';
}

static bool
is_upper_word(char c)
{
   return is_upper(c) || is_digit(c) || c == '_';
}

static bool
is_word(char c)
{
   return is_upper_word(c) || (c >= 'a' && c <= 'z');
}

/* After the bytes at `at` of which `is` is true. */
static const char *
skip(const char *at, const char *end, bool (*is)(char c))
{
   while (at < end && is(*at))
      at++;
   return at;
}

static bool
is_all_blank(struct span span)
{
   return skip(span.at, span.end, is_blank) == span.end;
}

static size_t
span_length(struct span span)
{
   return (size_t)(span.end - span.at);
}

/* ---- statements ---------------------------------------------------------- */

/* What a line begins with: the number of an instruction, a predicate, a word.
 */
struct beginning {
   bool has_number;
   bool is_element;     /* values of IMMX on a line of their own */
   bool is_upper;       /* the word has no small letter */
   bool is_word;        /* no sign touches it, but for the bracket of IMM[0] */
   bool is_declaration; /* it begins a statement that is no instruction */
   bool is_instruction; /* it is a mnemonic, of: */
   enum tg_opcode opcode;
};

/* After the number of an instruction and its colon; `at` if there is none. */
static const char *
skip_label(const char *at, const char *end)
{
   const char *digits = skip(at, end, is_digit);
   const char *colon = skip(digits, end, is_blank);

   return digits > at && colon < end && *colon == ':' ? colon + 1 : at;
}

/* After a predicate; `at` if there is none. */
static const char *
skip_predicate(const char *at, const char *end)
{
   if (at == end || *at != '(')
      return at;
   const char *close = memchr(at, ')', (size_t)(end - at));
   return close ? close + 1 : at;
}

/* `{` and a number, or another one. */
static bool
begins_values(const char *at, const char *end)
{
   if (at == end || *at != '{')
      return false;
   at = skip(at + 1, end, is_blank);
   return at < end && (is_digit(*at) || *at == '-' || *at == '{');
}

static void
look_up(struct beginning *begins, struct tg_word word)
{
   const char *end = word.text + word.length;
   struct tg_instruction head = {0};

   begins->is_upper = word.length > 1 && is_upper(*word.text) &&
                      skip(word.text, end, is_upper_word) == end;
   begins->is_declaration = !begins->has_number && tg_parse_is_statement(word);
   begins->is_instruction = tg_parse_find_mnemonic(&word, &head);
   begins->opcode = (enum tg_opcode)head.opcode;
}

static struct beginning
read_beginning(struct span line)
{
   struct beginning begins = {0};
   const char *start = skip(line.at, line.end, is_blank);
   const char *at = skip_label(start, line.end);

   begins.has_number = at != start;
   begins.is_element = begins_values(start, line.end);
   at = skip(at, line.end, is_blank);
   at = skip(skip_predicate(at, line.end), line.end, is_blank);

   const char *end = skip(at, line.end, is_word);
   begins.is_word =
      end > at && (end == line.end || is_blank(*end) || *end == '[');
   if (begins.is_word)
      look_up(&begins,
              (struct tg_word){.text = at, .length = (size_t)(end - at)});
   return begins;
}

/* Is it surely a statement? Dumps have those in capitals. */
static bool
is_statement(const struct beginning *begins)
{
   return begins->is_upper &&
          (begins->is_declaration || begins->is_instruction);
}

/* Is it one within a shader, perhaps with a mistake? */
static bool
may_be_statement(const struct beginning *begins)
{
   return begins->has_number || begins->is_element || begins->is_upper ||
          begins->is_declaration || begins->is_instruction;
}

static bool
is_end(const struct beginning *begins)
{
   return begins->is_instruction && begins->opcode == TG_OPCODE_END;
}

/* ---- prefixes ------------------------------------------------------------ */

/* After a number at `at` and the blanks before it; `at` if there is none. */
static const char *
skip_number(const char *at, const char *end)
{
   const char *digits = skip(at, end, is_blank);
   const char *after = skip(digits, end, is_digit);

   return after == digits ? at : after;
}

static void
make_prefix(struct prefix *prefix, struct span span)
{
   prefix->length = 0;
   while (span.at < span.end) {
      const char *after = skip_number(span.at, span.end);

      if (after != span.at) {
         prefix->bytes[prefix->length++] = NUMBER;
         span.at = after;
      } else {
         prefix->bytes[prefix->length++] = *span.at++;
      }
   }
}

/* Takes a prefix off the line. False when the line has another. */
static bool
take_prefix(const struct prefix *prefix, struct span *line)
{
   const char *at = line->at;

   for (uint32_t i = 0; i < prefix->length; i++) {
      const char *after = at;

      if (prefix->bytes[i] == NUMBER)
         after = skip_number(at, line->end);
      else if (at < line->end && *at == prefix->bytes[i])
         after = at + 1;
      if (after == at)
         return false;
      at = after;
   }
   line->at = at;
   return true;
}

/* ---- lines --------------------------------------------------------------- */

/* Takes a line off the text. */
static struct span
take_line(struct span *text)
{
   const char *newline = memchr(text->at, '\n', span_length(*text));
   const struct span line = {text->at, newline ? newline : text->end};

   text->at = newline ? newline + 1 : text->end;
   return line;
}

/* The last word of a line if it is a stage: from the word to the line's end. */
static bool
find_stage(struct span line, struct span *word_out,
           enum tg_processor *processor_out)
{
   const char *end = line.end;

   while (end > line.at && is_blank(end[-1]))
      end--;
   const char *at = end;
   while (at > line.at && is_upper_word(at[-1]))
      at--;
   if (at == end || (at > line.at && is_word(at[-1])))
      return false;
   const int processor = tg_processor_find(at, (size_t)(end - at));
   if (processor < 0 || processor >= TG_NUM_STAGES)
      return false;
   *word_out = (struct span){at, line.end};
   *processor_out = (enum tg_processor)processor;
   return true;
}

/* The next line that is not blank, or an empty one. */
static struct span
next_full_line(struct span text)
{
   struct span line = {text.at, text.at};

   while (is_all_blank(line) && text.at < text.end)
      line = take_line(&text);
   return line;
}

/* Of a line with something before its stage: does a shader begin? If so its
 * prefix is what the next line has too, if anything. */
static bool
find_prefix(struct span before, struct span next, struct prefix *prefix)
{
   struct span rest = next;

   if (span_length(before) <= MAX_PREFIX)
      make_prefix(prefix, before);
   if (take_prefix(prefix, &rest)) {
      const struct beginning begins = read_beginning(rest);

      if (is_statement(&begins))
         return true;
   }
   const struct beginning begins = read_beginning(next);

   prefix->length = 0;
   return is_statement(&begins);
}

/* Does a shader begin? Then the walk has its prefix. */
static bool
begins_shader(struct walk *walk, struct line *line)
{
   struct prefix prefix = {0};
   struct span word;

   if (!find_stage(line->all, &word, &line->processor))
      return false;
   const struct span before = {line->all.at, word.at};
   if (!is_all_blank(before)) {
      const struct beginning begins = read_beginning(line->all);

      if (is_statement(&begins) ||
          !find_prefix(before, next_full_line(walk->left), &prefix))
         return false;
   }
   line->part = word;
   walk->prefix = prefix;
   return true;
}

static enum line_kind
classify_outside(struct walk *walk, struct line *line)
{
   if (is_all_blank(line->all))
      return LINE_BLANK;
   if (begins_shader(walk, line))
      return LINE_STAGE;

   const struct beginning begins = read_beginning(line->all);
   return begins.is_declaration ? LINE_ORPHAN : LINE_OTHER;
}

static enum line_kind
classify_inside(struct walk *walk, struct line *line, struct beginning *begins)
{
   const bool has_prefix = take_prefix(&walk->prefix, &line->part);

   if (is_all_blank(line->part))
      return LINE_BLANK;
   if (has_prefix)
      *begins = read_beginning(line->part);
   if (is_statement(begins))
      return LINE_STATEMENT;
   if (begins_shader(walk, line))
      return LINE_STAGE;
   return walk->state == BEFORE_END && may_be_statement(begins) ? LINE_STATEMENT
                                                                : LINE_OTHER;
}

static void
change_state(struct walk *walk, enum line_kind kind,
             const struct beginning *begins)
{
   if (kind == LINE_STAGE)
      walk->state = BEFORE_END;
   else if (kind == LINE_STATEMENT && is_end(begins))
      walk->state = AFTER_END;
   else if (kind == LINE_OTHER && walk->state == AFTER_END)
      walk->state = OUTSIDE;
}

/* The next line, or false after the last. */
static bool
next_line(struct walk *walk, struct line *line)
{
   if (walk->left.at == walk->left.end)
      return false;

   struct beginning begins = {0};
   *line = (struct line){.number = walk->line++};
   line->all = take_line(&walk->left);
   line->part = line->all;
   line->kind = walk->state == OUTSIDE ? classify_outside(walk, line)
                                       : classify_inside(walk, line, &begins);
   change_state(walk, line->kind, &begins);
   return true;
}

/* Does nothing stand before what belongs to the shader? */
static bool
begins_with_part(const struct line *line)
{
   return is_all_blank((struct span){line->all.at, line->part.at});
}

/* ---- finding ------------------------------------------------------------- */

static void
warn(struct tg_diagnostics *diagnostics, const struct tg_log *log,
     const struct line *line, const char *code, const char *note,
     const char *message)
{
   const struct tg_position position = {
      .line = line->number,
      .column = 1,
      .offset = (uint32_t)(line->all.at - log->source.text),
   };

   tg_diagnose(diagnostics, TG_SEVERITY_WARNING, code, &log->source, position,
               note, "%s", message);
}

static enum tg_result
add_shader(struct tg_log *log, const struct line *line,
           struct tg_diagnostics *diagnostics)
{
   if (log->num_shaders == TG_LOG_MAX_SHADERS) {
      tg_diagnose(diagnostics, TG_SEVERITY_ERROR, "too-many", &log->source,
                  (struct tg_position){0}, NULL, "a log has at most %d shaders",
                  TG_LOG_MAX_SHADERS);
      return TG_ERROR_INPUT;
   }
   if (!tg_arena_reserve(&log->arena, (void **)&log->shaders, &log->capacity,
                         log->num_shaders, sizeof(*log->shaders)))
      return TG_ERROR_MEMORY;
   log->shaders[log->num_shaders++] = (struct log_shader){
      .lines = line->all,
      .line = line->number,
      .processor = line->processor,
   };
   return TG_OK;
}

static struct walk
walk_over_all(const struct tg_log *log)
{
   const char *text = log->source.text;

   return (struct walk){
      .left = {text, text + log->source.length},
      .line = 1,
   };
}

static enum tg_result
find_shaders(struct tg_log *log, struct tg_diagnostics *diagnostics)
{
   struct walk walk = walk_over_all(log);
   struct line line;
   bool is_first = true;
   enum tg_result result = TG_OK;

   while (result == TG_OK && next_line(&walk, &line)) {
      if (line.kind == LINE_BLANK)
         continue;

      const bool begins = line.kind == LINE_STAGE && begins_with_part(&line);
      if (line.kind == LINE_STAGE)
         result = add_shader(log, &line, diagnostics);
      else if (line.kind == LINE_STATEMENT)
         log->shaders[log->num_shaders - 1].lines.end = line.all.end;
      if (is_first)
         log->is_shader = begins;
      if (line.kind != LINE_STATEMENT && !begins)
         log->has_others = true;
      is_first = false;
   }
   log->is_shader = log->is_shader && log->num_shaders == 1;
   log->has_others = log->has_others && !log->is_shader;
   return result;
}

/* One warning for declarations that follow one another. */
static void
warn_of_orphans(const struct tg_log *log, struct tg_diagnostics *diagnostics)
{
   struct walk walk = walk_over_all(log);
   struct line line;
   bool was_orphan = false;

   while (next_line(&walk, &line)) {
      if (line.kind == LINE_BLANK)
         continue;
      if (line.kind == LINE_ORPHAN && !was_orphan)
         warn(diagnostics, log, &line, "no-stage",
              "a shader begins with its stage, as FRAG, on a line of its own",
              "this declaration belongs to no shader and is passed over");
      was_orphan = line.kind == LINE_ORPHAN;
   }
}

static struct tg_log *
create(const struct tg_allocator *allocator, const struct tg_source *source)
{
   struct tg_arena arena;
   tg_arena_init(&arena, allocator);

   struct tg_log *log = tg_arena_alloc(&arena, sizeof(*log));
   if (log) {
      log->arena = arena;
      log->source = *source;
   }
   return log;
}

enum tg_result
tg_log_read(const struct tg_allocator *allocator, const char *name,
            const char *text, size_t length, struct tg_diagnostics *diagnostics,
            struct tg_log **log_out)
{
   assert(log_out);
   const struct tg_source source = {name, text, length};

   if (length > MAX_TEXT) {
      tg_diagnose(diagnostics, TG_SEVERITY_ERROR, "too-long", &source,
                  (struct tg_position){0}, NULL,
                  "a log has at most %d bytes, not %zu", MAX_TEXT, length);
      return TG_ERROR_INPUT;
   }

   struct tg_log *log = create(allocator, &source);
   if (!log)
      return TG_ERROR_MEMORY;
   enum tg_result result = find_shaders(log, diagnostics);
   if (result != TG_OK) {
      tg_log_destroy(log);
      return result;
   }
   if (log->num_shaders && log->has_others)
      warn_of_orphans(log, diagnostics);
   *log_out = log;
   return TG_OK;
}

void
tg_log_destroy(struct tg_log *log)
{
   if (!log)
      return;

   struct tg_arena arena = log->arena; /* which owns the log */
   tg_arena_finish(&arena);
}

/* ---- one shader ---------------------------------------------------------- */

static struct walk
walk_over(const struct tg_log *log, const struct log_shader *shader)
{
   return (struct walk){
      .left = {shader->lines.at, log->source.text + log->source.length},
      .line = shader->line,
   };
}

/* The next line of the shader, or false after its last. */
static bool
next_line_of(const struct log_shader *shader, struct walk *walk,
             struct line *line)
{
   return walk->left.at < shader->lines.end && next_line(walk, line);
}

static bool
is_of_shader(const struct line *line)
{
   return line->kind == LINE_STAGE || line->kind == LINE_STATEMENT;
}

/* Copies what belongs to the shader to where it is in its lines, and blanks to
 * all else, so that lines and columns stay those of the log. Warns of lines
 * that are passed over, once for those that follow one another. */
static void
copy_in_place(const struct tg_log *log, const struct log_shader *shader,
              struct tg_diagnostics *diagnostics, char *copy)
{
   const char *start = shader->lines.at;
   struct walk walk = walk_over(log, shader);
   struct line line;
   bool was_other = false;

   memset(copy, ' ', span_length(shader->lines));
   while (next_line_of(shader, &walk, &line)) {
      if (line.all.end < shader->lines.end)
         copy[line.all.end - start] = '\n';
      if (line.kind == LINE_BLANK)
         continue;
      if (is_of_shader(&line))
         memcpy(copy + (line.part.at - start), line.part.at,
                span_length(line.part));
      else if (!was_other)
         warn(diagnostics, log, &line, "foreign-line", NULL,
              "this line within a shader is no part of it and is passed over");
      was_other = !is_of_shader(&line);
   }
}

enum tg_result
tg_log_parse(const struct tg_log *log, uint32_t index, enum tg_dialect dialect,
             struct tg_diagnostics *diagnostics, struct tg_shader **shader_out)
{
   assert(index < log->num_shaders);
   assert(log);
   assert(shader_out);
   const struct tg_allocator *allocator = log->arena.allocator;
   const struct log_shader *shader = &log->shaders[index];
   const size_t length = span_length(shader->lines);

   if (log->is_shader || length > TG_PARSE_MAX_TEXT) {
      struct tg_source whole = log->source;

      whole.length = log->is_shader ? whole.length : length;
      return tg_shader_parse_source(allocator, &whole, dialect, diagnostics,
                                    shader_out);
   }

   char *copy = allocator->resize(allocator->user, NULL, 0, length);
   if (!copy)
      return TG_ERROR_MEMORY;
   copy_in_place(log, shader, diagnostics, copy);
   const struct tg_source source = {
      .name = log->source.name,
      .text = copy,
      .length = length,
      .first_line = shader->line,
   };
   enum tg_result result = tg_shader_parse_source(allocator, &source, dialect,
                                                  diagnostics, shader_out);
   allocator->resize(allocator->user, copy, length, 0);
   return result;
}

char *
tg_log_text(const struct tg_log *log, uint32_t index)
{
   assert(index < log->num_shaders);
   const struct log_shader *shader = &log->shaders[index];
   struct tg_strbuf text = {.allocator = log->arena.allocator};
   struct walk walk = walk_over(log, shader);
   struct line line;

   while (next_line_of(shader, &walk, &line)) {
      if (!is_of_shader(&line))
         continue;
      while (is_blank(line.part.end[-1]))
         line.part.end--;
      tg_strbuf_add_n(&text, line.part.at, span_length(line.part));
      tg_strbuf_add_char(&text, '\n');
   }
   return tg_strbuf_take(&text);
}

/* ---- questions ----------------------------------------------------------- */

uint32_t
tg_log_num_shaders(const struct tg_log *log)
{
   assert(log);
   return log->num_shaders;
}

bool
tg_log_has_others(const struct tg_log *log)
{
   assert(log);
   return log->has_others;
}

uint32_t
tg_log_line(const struct tg_log *log, uint32_t index)
{
   assert(index < log->num_shaders);
   assert(log);
   return log->shaders[index].line;
}

const char *
tg_log_processor_name(const struct tg_log *log, uint32_t index)
{
   assert(index < log->num_shaders);
   assert(log);
   return tg_processor_row(log->shaders[index].processor)->name;
}
