/* SPDX-License-Identifier: MIT
 *
 * Traces of profiles as tests see them: parsed, and checked in all that holds
 * of every trace.
 */
#ifndef TEST_PROFILE_TRACE_H
#define TEST_PROFILE_TRACE_H

#include <cjson/cJSON.h>

#include "tungsten/profile.h"

/* The trace of a profile, to be freed with cJSON_Delete(). Fails the test
 * unless it is JSON with the members that traces have, the events of a thread
 * nest, the time of each is what its inner events leave of it, and the totals
 * are the sums of these where no span was lost. */
cJSON *
read_trace(struct tg_profile *profile);

/* The events of a kind, "X", "M" or "i", with this name; NULL counts any. */
unsigned
count_events(const cJSON *trace, const char *kind, const char *name);

/* The first complete event with this name; the test fails where there is none.
 */
const cJSON *
find_event(const cJSON *trace, const char *name);

/* A number that is a member of an object. */
double
number_of(const cJSON *object, const char *name);

#endif
