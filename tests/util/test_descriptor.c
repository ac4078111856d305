/* SPDX-License-Identifier: MIT
 *
 * Whole reads and writes through a pipe, which takes and gives less at once.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <string.h>
#include <unistd.h>

#include "util/descriptor.h"

enum { NUM_BYTES = 300001 }; /* several times what a pipe holds */

static unsigned char sent[NUM_BYTES], received[NUM_BYTES];

static void *
send_in_thread(void *user)
{
   const int file = *(const int *)user;
   const bool is_good = tg_descriptor_write_all(file, sent, NUM_BYTES);

   close(file);
   return is_good ? sent : NULL;
}

static void
goes_whole_through_a_pipe(void **state)
{
   pthread_t thread;
   void *result;
   int ends[2];

   (void)state;
   for (unsigned i = 0; i < NUM_BYTES; i++)
      sent[i] = (unsigned char)(i % 251);
   assert_int_equal(pipe(ends), 0);
   assert_int_equal(pthread_create(&thread, NULL, send_in_thread, &ends[1]), 0);
   assert_true(tg_descriptor_read_all(ends[0], received, NUM_BYTES));
   assert_int_equal(pthread_join(thread, &result), 0);
   assert_non_null(result);
   assert_memory_equal(sent, received, NUM_BYTES);
   assert_true(tg_descriptor_read_all(ends[0], received, 0));
   close(ends[0]);
}

static void
fails_at_an_early_end(void **state)
{
   char bytes[4] = "abc";
   int ends[2];

   (void)state;
   assert_int_equal(pipe(ends), 0);
   assert_true(tg_descriptor_write_all(ends[1], bytes, 3));
   close(ends[1]);
   assert_false(tg_descriptor_read_all(ends[0], bytes, 4));
   close(ends[0]);
}

static void
says_why_it_fails(void **state)
{
   const int full = open("/dev/full", O_WRONLY);
   char byte = 0;

   (void)state;
   assert_true(full >= 0);
   assert_false(tg_descriptor_write_all(full, &byte, 1));
   assert_int_equal(errno, ENOSPC);
   assert_false(tg_descriptor_read_all(full, &byte, 1));
   assert_int_equal(errno, EBADF);
   close(full);
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test(goes_whole_through_a_pipe),
      cmocka_unit_test(fails_at_an_early_end),
      cmocka_unit_test(says_why_it_fails),
   };

   return cmocka_run_group_tests(tests, NULL, NULL);
}
