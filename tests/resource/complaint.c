/* SPDX-License-Identifier: MIT */
#include "complaint.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

void
expect_complaint(struct tg_diagnostics *diagnostics, const char *message)
{
   assert_int_equal(tg_diagnostics_num_errors(diagnostics), 1);
   assert_string_equal(tg_diagnostics_get(diagnostics, 0)->message, message);
   tg_diagnostics_clear(diagnostics);
}

struct tg_resource *
make_resource(const struct tg_resource_desc *desc)
{
   struct tg_resource *resource = NULL;

   assert_int_equal(tg_resource_create(NULL, desc, NULL, &resource), TG_OK);
   return resource;
}
