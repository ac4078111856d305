/* SPDX-License-Identifier: MIT
 *
 * An instruction as the language can express it: which of its fields operands
 * and options give, as far as operands and options can. What the text would
 * then imply, and the words have otherwise, is left for options with the names
 * of fields.
 */
#ifndef TEGRA_TEXT_VIEW_H
#define TEGRA_TEXT_VIEW_H

#include "tegra/isa/implied.h"

/* How a slot is written. */
struct tegra_view_slot {
   bool is_shown;
   bool has_destination;
   bool is_address_op; /* its destination is A0 */
   bool has_target;
   unsigned num_sources;
   enum tegra_source sources[TEGRA_NUM_SOURCES];
};

struct tegra_view {
   union tegra_instruction is;   /* as the words have it */
   union tegra_instruction given; /* as the text has it without raw options */
   tegra_field_set explicit;
   tegra_field_set raw; /* fields where these differ */
   struct tegra_view_slot slots[TEGRA_NUM_UNITS];
};

/* Disassembles: takes words apart for a text of this style. */
void
tegra_view(struct tegra_view *view, const uint32_t words[TG_TEGRA_WORDS],
           enum tegra_style style);

#endif
