/* SPDX-License-Identifier: MIT
 *
 * Vertex elements objects.
 */
#include "gpu/core/fault.h"

#include "gpu/state/check.h"
#include "gpu/state/objects.h"
#include <assert.h>

const struct tg_vertex_elements gpu_default_vertex_elements = {.count = 0};

bool
gpu_is_vertex_element_format(enum tg_format format)
{
   return tg_format_get_uses(format) & TG_FORMAT_USE_VERTEX;
}

static enum tg_result
check_element(const struct tg_vertex_element *element, unsigned number,
              struct tg_diagnostics *diagnostics)
{
   if (!gpu_is_vertex_element_format((enum tg_format)element->format))
      return gpu_fault_complain(diagnostics, TG_ERROR_INPUT, "state",
                                "vertex element %u cannot have format %u",
                                number, element->format);
   if (element->vertex_buffer_index >= TG_MAX_VERTEX_BUFFERS)
      return gpu_fault_complain(diagnostics, TG_ERROR_INPUT, "state",
                                "vertex element %u has buffer %u; there are %u",
                                number, (unsigned)element->vertex_buffer_index,
                                (unsigned)TG_MAX_VERTEX_BUFFERS);
   return TG_OK;
}

enum tg_result
tg_vertex_elements_create(struct tg_device *device, unsigned count,
                          const struct tg_vertex_element *given,
                          struct tg_diagnostics *diagnostics,
                          struct tg_vertex_elements **elements_out)
{
   assert(device);
   assert(elements_out);
   struct tg_vertex_elements elements = {.count = count};
   enum tg_result result = gpu_check_range("vertex elements", 0, count,
                                           TG_MAX_VERTEX_ELEMENTS, diagnostics);
   if (result == TG_OK && count && !given)
      result = gpu_fault_complain(
         diagnostics, TG_ERROR_INPUT, "state",
         "%u vertex elements are wanted, and none are given", count);
   for (unsigned i = 0; i < count && result == TG_OK; i++) {
      result = check_element(&given[i], i, diagnostics);
      elements.elements[i] = given[i];
   }
   if (result != TG_OK)
      return result;
   struct tg_vertex_elements *made =
      gpu_object_create(device, &elements, sizeof(elements));
   if (!made)
      return TG_ERROR_MEMORY;
   *elements_out = made;
   return TG_OK;
}

struct tg_vertex_elements *
tg_vertex_elements_ref(struct tg_vertex_elements *elements)
{
   if (elements)
      gpu_object_ref(&elements->object);
   return elements;
}

void
tg_vertex_elements_destroy(struct tg_vertex_elements *elements)
{
   if (elements)
      gpu_object_drop(&elements->object, sizeof(*elements));
}
