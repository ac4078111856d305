/* SPDX-License-Identifier: MIT
 *
 * The events of a traced or checked shader: tags of its `trace` operations,
 * made by src/lower and read by listeners.
 */
#ifndef TG_ABI_EVENTS_H
#define TG_ABI_EVENTS_H

#include <stdint.h>

/* What the `trace` operations of a shader report: an event of an instruction in
 * the active lanes, with a value. Those of one instruction come in this order,
 * but writes of registers after those of memory. */
enum lower_event {
   /* A bracket of an operand that is computed: its value, offset included.
    * Detail: operand << 1, and 1 for the bracket of the dimension. Operands
    * are sources and, from TG_MAX_SRC on, destinations. */
   LOWER_EVENT_INDEX,
   /* Not 0 where the predicate lets detail, a channel, be written. */
   LOWER_EVENT_GUARD,
   /* The instruction begins; not 0 in live lanes. */
   LOWER_EVENT_STEP,
   /* Which of two sources gives a channel: not 0 where it is the first. Detail:
    * second << 5 | first << 2 | channel. */
   LOWER_EVENT_CHOICE,
   /* A channel of a destination was written with the value. Detail:
    * destination << 2 | channel. */
   LOWER_EVENT_WRITE,
   /* A coordinate, the detail, of the texel that the next event is about. */
   LOWER_EVENT_COORDINATE,
   /* Memory is about to be read or written: the number of the first unit, as
    * the operation of LIR takes it; beyond all memory if the texel is outside.
    * Detail: LOWER_ACCESS(). */
   LOWER_EVENT_ACCESS,
};

enum lower_access_kind {
   LOWER_ACCESS_LOAD,
   LOWER_ACCESS_STORE,
   LOWER_ACCESS_ATOMIC,
};

/* Kind in bits 0 and 1, bytes of a unit in 2 to 4, units in 5 to 9 (0: nothing
 * is bound that fits), space in 10 to 13, binding in 14 to 22. */
#define LOWER_ACCESS(kind, unit, num_units, space, binding)                    \
   ((uint32_t)(kind) | (uint32_t)(unit) << 2 | (uint32_t)(num_units) << 5 |    \
    (uint32_t)(space) << 10 | (uint32_t)(binding) << 14)

/* Tags: event in bits 56 to 63, detail in 32 to 55, instruction in 0 to 31. */
#define LOWER_TAG(event, instruction, detail)                                  \
   ((uint64_t)(event) << 56 | (uint64_t)(detail) << 32 | (instruction))

static inline enum lower_event
lower_tag_event(uint64_t tag)
{
   return (enum lower_event)(tag >> 56);
}
static inline uint32_t
lower_tag_detail(uint64_t tag)
{
   return (uint32_t)(tag >> 32) & 0xffffff;
}
static inline uint32_t
lower_tag_instruction(uint64_t tag)
{
   return (uint32_t)tag;
}

#endif
