/* SPDX-License-Identifier: MIT
 *
 * Queries, and draws that are subject to one.
 */
#include <stddef.h>
#include <string.h>

#include "script/commands/commands.h"
#include "script/text/choices.h"

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

static bool
read_number(struct script_cursor *cursor, struct script_query *query)
{
   *query = (struct script_query){0};
   return cursor_read_number(cursor, 0, SCRIPT_MAX_QUERIES - 1, "a query",
                             &query->number);
}

/* The query of a command, or NULL after a complaint. */
static struct tg_query *
find_query(struct script_runner *runner, const struct script_command *command)
{
   struct tg_query *query = runner->drawing.queries[command->query.number];

   if (!query)
      script_fail(runner, command, "there is no such query");
   return query;
}

/* ---- query N TYPE [stream S] --------------------------------------------- */

bool
script_read_query(struct script_cursor *cursor, const struct script *script,
                  struct script_command *command)
{
   static const struct script_choice types[] = {
      {"occlusion counter", TG_QUERY_OCCLUSION_COUNTER},
      {"occlusion predicate conservative",
       TG_QUERY_OCCLUSION_PREDICATE_CONSERVATIVE},
      {"occlusion predicate", TG_QUERY_OCCLUSION_PREDICATE},
      {"timestamp disjoint", TG_QUERY_TIMESTAMP_DISJOINT},
      {"timestamp", TG_QUERY_TIMESTAMP},
      {"time elapsed", TG_QUERY_TIME_ELAPSED},
      {"primitives generated", TG_QUERY_PRIMITIVES_GENERATED},
      {"primitives emitted", TG_QUERY_PRIMITIVES_EMITTED},
      {"so statistics", TG_QUERY_SO_STATISTICS},
      {"so overflow predicate", TG_QUERY_SO_OVERFLOW_PREDICATE},
      {"so overflow any predicate", TG_QUERY_SO_OVERFLOW_ANY_PREDICATE},
      {"gpu finished", TG_QUERY_GPU_FINISHED},
      {"pipeline statistics", TG_QUERY_PIPELINE_STATISTICS},
   };
   struct script_query *query = &command->query;
   uint32_t type;

   (void)script;
   if (!read_number(cursor, query) ||
       !script_read_choice(cursor, types, COUNT(types), &type))
      return false;
   query->type = (uint8_t)type;
   return !cursor_accept_words(cursor, "stream") ||
          cursor_read_number(cursor, 0, UINT8_MAX, "a stream", &query->stream);
}

enum tg_result
script_do_query(struct script_runner *runner,
                const struct script_command *command)
{
   const struct script_query *info = &command->query;
   struct script_drawing *drawing = &runner->drawing;
   struct tg_query *query = NULL;
   enum tg_result result = script_drawing_begin(runner, command);
   if (result != TG_OK)
      return result;

   result = tg_query_create(drawing->gpu, (enum tg_query_type)info->type,
                            info->stream, runner->diagnostics, &query);
   if (result == TG_OK) {
      tg_query_destroy(drawing->queries[info->number]);
      drawing->queries[info->number] = query;
      drawing->query_types[info->number] = info->type;
   }
   return script_drawing_result(runner, command, result,
                                "there is no such query");
}

/* ---- begin query N, end query N ------------------------------------------ */

typedef enum tg_result
query_function(struct tg_query *query, struct tg_diagnostics *diagnostics);

static enum tg_result
call_query(struct script_runner *runner, const struct script_command *command,
           query_function *function, const char *complaint)
{
   struct tg_query *query = find_query(runner, command);

   if (!query)
      return TG_ERROR_INPUT;
   return script_drawing_result(
      runner, command, function(query, runner->diagnostics), complaint);
}

bool
script_read_begin_query(struct script_cursor *cursor,
                        const struct script *script,
                        struct script_command *command)
{
   (void)script;
   return read_number(cursor, &command->query);
}

enum tg_result
script_do_begin_query(struct script_runner *runner,
                      const struct script_command *command)
{
   return call_query(runner, command, tg_query_begin,
                     "the query does not begin");
}

bool
script_read_end_query(struct script_cursor *cursor, const struct script *script,
                      struct script_command *command)
{
   (void)script;
   return read_number(cursor, &command->query);
}

enum tg_result
script_do_end_query(struct script_runner *runner,
                    const struct script_command *command)
{
   return call_query(runner, command, tg_query_end, "the query does not end");
}

/* ---- condition query N [inverted], condition none ------------------------ */

bool
script_read_condition(struct script_cursor *cursor, const struct script *script,
                      struct script_command *command)
{
   struct script_query *query = &command->query;

   (void)script;
   *query = (struct script_query){.number = SCRIPT_MAX_QUERIES};
   if (cursor_accept_words(cursor, "none"))
      return true;
   if (!cursor_accept_words(cursor, "query"))
      return cursor_complain(cursor, "expected query or none");
   if (!read_number(cursor, query))
      return false;
   query->is_inverted = cursor_accept_words(cursor, "inverted");
   return true;
}

enum tg_result
script_do_condition(struct script_runner *runner,
                    const struct script_command *command)
{
   const struct script_query *info = &command->query;
   struct tg_query *query = NULL;
   enum tg_result result = script_drawing_begin(runner, command);
   if (result != TG_OK)
      return result;

   if (info->number < SCRIPT_MAX_QUERIES) {
      query = find_query(runner, command);
      if (!query)
         return TG_ERROR_INPUT;
   }
   tg_context_set_condition(runner->drawing.gpu, query, info->is_inverted);
   return TG_OK;
}

/* ---- expect query N [MEMBER] [at least, at most] VALUE ------------------- */

/* A member of union tg_query_result. Without a word it is what the type of the
 * query has. */
#define MEMBER(member) offsetof(union tg_query_result, member)
static const struct script_choice members[] = {
   {"written", MEMBER(so_statistics.num_primitives_written)},
   {"needed", MEMBER(so_statistics.primitives_storage_needed)},
   {"frequency", MEMBER(timestamp_disjoint.frequency)},
   {"ia_vertices", MEMBER(pipeline_statistics.ia_vertices)},
   {"ia_primitives", MEMBER(pipeline_statistics.ia_primitives)},
   {"vs_invocations", MEMBER(pipeline_statistics.vs_invocations)},
   {"gs_invocations", MEMBER(pipeline_statistics.gs_invocations)},
   {"gs_primitives", MEMBER(pipeline_statistics.gs_primitives)},
   {"c_invocations", MEMBER(pipeline_statistics.c_invocations)},
   {"c_primitives", MEMBER(pipeline_statistics.c_primitives)},
   {"ps_invocations", MEMBER(pipeline_statistics.ps_invocations)},
   {"hs_invocations", MEMBER(pipeline_statistics.hs_invocations)},
   {"ds_invocations", MEMBER(pipeline_statistics.ds_invocations)},
   {"cs_invocations", MEMBER(pipeline_statistics.cs_invocations)},
};

static bool
is_predicate(unsigned type)
{
   switch (type) {
   case TG_QUERY_OCCLUSION_PREDICATE:
   case TG_QUERY_OCCLUSION_PREDICATE_CONSERVATIVE:
   case TG_QUERY_SO_OVERFLOW_PREDICATE:
   case TG_QUERY_SO_OVERFLOW_ANY_PREDICATE:
   case TG_QUERY_GPU_FINISHED: return true;
   }
   return false;
}

/* Decimal digits, up to 64 bits. */
static bool
read_value(struct script_cursor *cursor, uint64_t *value_out)
{
   struct script_cursor before = *cursor;
   const struct script_word word = cursor_peek_word(cursor);
   uint64_t number = 0;

   for (size_t i = 0; i < word.length; i++) {
      if (word.text[i] < '0' || word.text[i] > '9' ||
          __builtin_mul_overflow(number, 10, &number) ||
          __builtin_add_overflow(number, (uint64_t)(word.text[i] - '0'),
                                 &number))
         return cursor_complain(&before, "expected a number");
   }
   cursor_read_word(cursor);
   *value_out = number;
   return word.length > 0 || cursor_complain(&before, "expected a number");
}

bool
script_read_expect_query(struct script_cursor *cursor,
                         const struct script *script,
                         struct script_command *command)
{
   struct script_query *query = &command->query;

   (void)script;
   if (!read_number(cursor, query))
      return false;
   query->member = UINT32_MAX;
   for (size_t i = 0; i < COUNT(members); i++) {
      if (query->member == UINT32_MAX &&
          cursor_accept_words(cursor, members[i].words))
         query->member = members[i].number;
   }
   if (cursor_accept_words(cursor, "at least"))
      query->comparison = SCRIPT_AT_LEAST;
   else if (cursor_accept_words(cursor, "at most"))
      query->comparison = SCRIPT_AT_MOST;
   if (cursor_accept_words(cursor, "true"))
      query->value = 1;
   else if (!cursor_accept_words(cursor, "false"))
      return read_value(cursor, &query->value);
   return true;
}

static bool
is_as_expected(const struct script_query *query, uint64_t value)
{
   switch (query->comparison) {
   case SCRIPT_EXACTLY: break;
   case SCRIPT_AT_LEAST: return value >= query->value;
   case SCRIPT_AT_MOST: return value <= query->value;
   }
   return value == query->value;
}

enum tg_result
script_do_expect_query(struct script_runner *runner,
                       const struct script_command *command)
{
   const struct script_query *info = &command->query;
   struct tg_query *query = find_query(runner, command);
   union tg_query_result result;
   uint64_t value;
   if (!query)
      return TG_ERROR_INPUT;

   memset(&result, 0, sizeof(result));
   if (!tg_query_get_result(query, true, &result))
      return script_fail(runner, command, "the query has no result");
   if (info->member != UINT32_MAX)
      memcpy(&value, (const char *)&result + info->member, sizeof(value));
   else if (is_predicate(runner->drawing.query_types[info->number]))
      value = result.b;
   else
      value = result.u64;
   return is_as_expected(info, value)
             ? TG_OK
             : script_fail(runner, command, "the query's result is %llu",
                           (unsigned long long)value);
}
