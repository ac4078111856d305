/* SPDX-License-Identifier: MIT
 *
 * Resources and bindings of a test that is being run: the memory of its places,
 * made when a command first wants it, and what of it shaders see.
 */
#ifndef TG_SCRIPT_RUN_BOUND_H
#define TG_SCRIPT_RUN_BOUND_H

#include "script/sections/place.h"

struct script;
struct script_runner;
struct script_command;

/* What a test makes of a place. */
struct script_bound_place {
   struct tg_resource *resource;  /* NULL: another place has it */
   struct script_binding binding; /* as commands have left it */
   struct tg_position position;   /* of what was last said of it */
};

struct script_bound {
   struct script_bound_place *places; /* as many as the script has */
   struct tg_bindings *bindings;      /* NULL: nothing was made yet */
   bool is_current;                   /* the bindings say what the places do */
   /* What `set CONST` has given, for dispatches. */
   struct tg_resource *constants[TG_MAX_CONSTANT_BUFFERS];
};

/* Bindings of a run, empty at first. TG_ERROR_MEMORY. */
enum tg_result
script_bound_init(struct script_runner *runner);

void
script_bound_finish(struct script_runner *runner);

/* Makes all resources that are missing. A complaint has the line of the place,
 * and ends the test. */
enum tg_result
script_bound_create(struct script_runner *runner);

/* Binds everything, as the script and the commands so far say. */
enum tg_result
script_bound_update(struct script_runner *runner);

/* Has a section the contents of this constant buffer? */
bool
script_bound_has_constants(const struct script *script, uint32_t buffer);

/* Puts the constants that were set into buffers and binds these, for places of
 * CONST that no section has; and unbinds and frees them again. */
enum tg_result
script_bound_set_constants(struct script_runner *runner);
void
script_bound_drop_constants(struct script_runner *runner);

/* What is seen of a texture with a binding, after script_bound_create(). */
struct tg_view_desc
script_bound_view(const struct script_runner *runner,
                  const struct script_place *place,
                  const struct script_binding *binding);

/* The memory of a place, after script_bound_create(). */
struct tg_resource *
script_bound_resource(const struct script_runner *runner,
                      const struct script_place *place);

#endif
