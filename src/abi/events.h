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
enum abi_event {
   /* A bracket of an operand that is computed: its value, offset included.
    * Detail: operand << 1, and 1 for the bracket of the dimension. Operands
    * are sources and, from TG_MAX_SRC on, destinations. */
   ABI_EVENT_INDEX,
   /* Not 0 where the predicate lets detail, a channel, be written. */
   ABI_EVENT_GUARD,
   /* The instruction begins; not 0 in live lanes. */
   ABI_EVENT_STEP,
   /* Which of two sources gives a channel: not 0 where it is the first. Detail:
    * second << 5 | first << 2 | channel. */
   ABI_EVENT_CHOICE,
   /* A channel of a destination was written with the value. Detail:
    * destination << 2 | channel. */
   ABI_EVENT_WRITE,
   /* A coordinate, the detail, of the texel that the next event is about. */
   ABI_EVENT_COORDINATE,
   /* Memory is about to be read or written: the number of the first unit, as
    * the operation of LIR takes it; beyond all memory if the texel is outside.
    * Detail: ABI_ACCESS(). */
   ABI_EVENT_ACCESS,
};

enum abi_access_kind {
   ABI_ACCESS_LOAD,
   ABI_ACCESS_STORE,
   ABI_ACCESS_ATOMIC,
};

/* Kind in bits 0 and 1, bytes of a unit in 2 to 4, units in 5 to 9 (0: nothing
 * is bound that fits), space in 10 to 13, binding in 14 to 22. */
#define ABI_ACCESS(kind, unit, num_units, space, binding)                      \
   ((uint32_t)(kind) | (uint32_t)(unit) << 2 | (uint32_t)(num_units) << 5 |    \
    (uint32_t)(space) << 10 | (uint32_t)(binding) << 14)

/* Tags: event in bits 56 to 63, detail in 32 to 55, instruction in 0 to 31. */
#define ABI_TAG(event, instruction, detail)                                    \
   ((uint64_t)(event) << 56 | (uint64_t)(detail) << 32 | (instruction))

/* The parts of a tag. */
static inline enum abi_event
abi_tag_event(uint64_t tag)
{
   return (enum abi_event)(tag >> 56);
}
static inline uint32_t
abi_tag_detail(uint64_t tag)
{
   return (uint32_t)(tag >> 32) & 0xffffff;
}
static inline uint32_t
abi_tag_instruction(uint64_t tag)
{
   return (uint32_t)tag;
}

#endif
