/* SPDX-License-Identifier: MIT
 *
 * Printing and parsing of control bits.
 */
#include "maxwell/isa/control.h"

#include <stdio.h>
#include <string.h>

enum { NUM_SCOREBOARDS = 6, NO_SCOREBOARD = 7, IDLE_STALL = 15 };

uint32_t
maxwell_idle_control(void)
{
   union maxwell_control control;

   for (unsigned i = 0; i < MAXWELL_NUM_CONTROLS; i++)
      control.field[i] = maxwell_controls[i].none;
   control.stall = IDLE_STALL;
   return maxwell_isa_encode_control(&control);
}

/* `[B--2---:R0:W5:-:S01]`. */
static void
print_prefix(char *out, size_t size, const union maxwell_control *control)
{
   char wait[NUM_SCOREBOARDS + 1] = {0};

   for (unsigned i = 0; i < NUM_SCOREBOARDS; i++)
      wait[i] = control->wait >> i & 1 ? (char)('0' + i) : '-';
   snprintf(out, size, "[B%s:R%c:W%c:%c:S%02u]", wait,
            control->read == NO_SCOREBOARD ? '-' : '0' + control->read,
            control->write == NO_SCOREBOARD ? '-' : '0' + control->write,
            control->yield ? '-' : 'Y', control->stall);
}

static void
print_suffix(char *out, size_t size, const union maxwell_control *control,
             bool with_phase)
{
   size_t length = 0;

#define ADD(...)                                                               \
   length += (size_t)snprintf(out + length, size - length, __VA_ARGS__)
   for (unsigned i = 0; i < NUM_SCOREBOARDS; i++) {
      bool is_first = (control->wait & ((1u << i) - 1)) == 0;

      if (control->wait >> i & 1)
         ADD("%s%u", is_first ? "&req=" : ",", i);
   }
   if (control->wait)
      ADD(" ");
   if (control->read != NO_SCOREBOARD)
      ADD("&rd=%u ", control->read);
   if (control->write != NO_SCOREBOARD)
      ADD("&wr=%u ", control->write);
   ADD("?stall=%u", control->stall);
   if (!control->yield)
      ADD(" ?yield");
   if (control->reuse)
      ADD(" ?reuse=%u", control->reuse);
   if (with_phase && control->t)
      ADD(" ?t");
   if (with_phase && control->p)
      ADD(" ?p");
#undef ADD
}

void
maxwell_print_control(char *out, size_t size, uint32_t bits, bool with_phase,
                      bool as_prefix)
{
   union maxwell_control control = maxwell_isa_decode_control(bits);
   union maxwell_control rest = control;

   out[0] = '\0';
   if (!with_phase)
      rest.t = rest.p = 0;
   if (maxwell_isa_encode_control(&rest) == 0)
      return;

   bool is_prefix = as_prefix && !rest.reuse && !rest.t && !rest.p;
   if (is_prefix)
      print_prefix(out, size, &control);
   else
      print_suffix(out, size, &control, with_phase);
}
