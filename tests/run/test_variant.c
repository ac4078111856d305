/* SPDX-License-Identifier: MIT
 *
 * Variants of a program's code: one for each kind of bindings that its shader
 * can tell apart, shared by the threads that share the program.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <pthread.h>
#include <string.h>

#include "../bind.h"
#include "../desc.h"
#include "run/program.h"
#include "run/variant.h"

static const char sampling_text[] = "FRAG\n"
                                    "DCL IN[0], GENERIC[0], LINEAR\n"
                                    "DCL OUT[0], COLOR\n"
                                    "DCL SAMP[1..2]\n"
                                    "  0: MOV OUT[0], IN[0]\n"
                                    "  1: END\n";

static const char kernels_text[] = "COMP\n"
                                   "DCL TEMP[0]\n"
                                   "  0: BGNSUB\n"
                                   "  1: MOV TEMP[0], TEMP[0]\n"
                                   "  2: ENDSUB\n"
                                   "  3: BGNSUB\n"
                                   "  4: MOV TEMP[0], TEMP[0]\n"
                                   "  5: ENDSUB\n";

struct session {
   struct tg_shader *shader;
   struct tg_program *program;
   struct tg_resource *texture;
   struct tg_bindings *bindings;
};

static void
begin(struct session *session, const char *text)
{
   const struct tg_resource_desc desc =
      DESC(TG_TEXTURE_2D, TG_FORMAT_R32_FLOAT, 4, 4, 1, 1, 2, 1);

   assert_int_equal(tg_shader_parse(NULL, "test", text, strlen(text),
                                    TG_DIALECT_2011, NULL, &session->shader),
                    TG_OK);
   assert_int_equal(
      tg_program_create(NULL, session->shader, NULL, NULL, &session->program),
      TG_OK);
   assert_int_equal(tg_resource_create(NULL, &desc, NULL, &session->texture),
                    TG_OK);
   assert_int_equal(tg_bindings_create(NULL, &session->bindings), TG_OK);
}

static void
end(struct session *session)
{
   tg_bindings_destroy(session->bindings);
   tg_resource_destroy(session->texture);
   tg_program_destroy(session->program);
   tg_shader_destroy(session->shader);
}

static const struct exec_code *
get(const struct session *session, const struct tg_bindings *bindings,
    uint32_t entry)
{
   const struct exec_code *variant = NULL;

   assert_int_equal(
      run_get_variant(session->program, bindings, entry, NULL, &variant),
      TG_OK);
   assert_non_null(variant->program);
   return variant;
}

static void
bind_format(struct session *session, unsigned place, uint32_t format)
{
   struct tg_view_desc view = tg_view_desc_of(session->texture);

   view.format = format;
   assert_int_equal(bind_view(session->bindings, place, &view, NULL), TG_OK);
}

static void
test_keys(void **state)
{
   (void)state;
   const struct tg_sampler_desc sampler = TG_SAMPLER_DESC_INIT;
   struct session session;

   begin(&session, sampling_text);
   const struct exec_code *unbound = get(&session, NULL, 0);
   assert_ptr_equal(get(&session, session.bindings, 0), unbound);

   /* Places that the shader does not declare make no difference. */
   bind_format(&session, 0, TG_FORMAT_R32_FLOAT);
   bind_format(&session, 3, TG_FORMAT_R32_FLOAT);
   bind_sampler(session.bindings, 0, &sampler, NULL);
   assert_ptr_equal(get(&session, session.bindings, 0), unbound);

   /* Another format is another variant, and the first one is found again. */
   bind_format(&session, 2, TG_FORMAT_R32_FLOAT);
   const struct exec_code *floats = get(&session, session.bindings, 0);
   assert_ptr_not_equal(floats, unbound);
   bind_format(&session, 2, TG_FORMAT_R32_UINT);
   const struct exec_code *integers = get(&session, session.bindings, 0);
   assert_ptr_not_equal(integers, floats);
   bind_sampler(session.bindings, 1, &sampler, NULL);
   assert_ptr_not_equal(get(&session, session.bindings, 0), integers);
   tg_bindings_set_sampler(session.bindings, 1, NULL, NULL);
   bind_format(&session, 2, TG_FORMAT_R32_FLOAT);
   assert_ptr_equal(get(&session, session.bindings, 0), floats);
   assert_ptr_equal(get(&session, NULL, 0), unbound);
   end(&session);
}

static void
test_entries(void **state)
{
   (void)state;
   struct session session;

   begin(&session, kernels_text);
   const struct exec_code *first = get(&session, NULL, 0);
   const struct exec_code *second = get(&session, NULL, 3);
   assert_ptr_not_equal(first, second);
   assert_ptr_equal(get(&session, session.bindings, 3), second);
   end(&session);
}

enum { THREADS = 4, TURNS = 50 };

struct worker {
   const struct session *session;
   const struct exec_code *variant;
};

static void *
work(void *user)
{
   struct worker *worker = user;

   for (int i = 0; i < TURNS; i++)
      worker->variant = get(worker->session, worker->session->bindings, 0);
   return NULL;
}

/* Threads that want the same code at once get the same. */
static void
test_threads(void **state)
{
   (void)state;
   struct session session;
   struct worker workers[THREADS];
   pthread_t threads[THREADS];

   begin(&session, sampling_text);
   bind_format(&session, 1, TG_FORMAT_R32_UINT);
   for (int i = 0; i < THREADS; i++) {
      workers[i] = (struct worker){.session = &session};
      assert_int_equal(pthread_create(&threads[i], NULL, work, &workers[i]), 0);
   }
   for (int i = 0; i < THREADS; i++)
      pthread_join(threads[i], NULL);
   for (int i = 1; i < THREADS; i++)
      assert_ptr_equal(workers[i].variant, workers[0].variant);
   assert_ptr_not_equal(workers[0].variant, get(&session, NULL, 0));
   end(&session);
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_keys),
      cmocka_unit_test(test_entries),
      cmocka_unit_test(test_threads),
   };

   return cmocka_run_group_tests(tests, NULL, NULL);
}
